# shellcheck shell=bash
# Stage: the npm package and the page build, stay within their sizes, and report the same as the program in browsers

need_command node nodejs
need_command npm npm
need_packages chromium firefox-esr
has_target wasm32-unknown-unknown || run rustup target add wasm32-unknown-unknown

# The wasm modules are built with a standard library that is compiled for them, from its source.
[ -d "$(rustc --print sysroot)/lib/rustlib/src/rust/library" ] || run rustup component add rust-src

# As it is released: the tests compare with its reports, and with its speed.
run cargo build --quiet --release -p linkstream-cli
(
    cd examples/web || exit
    run npm ci --no-progress
    run cargo clippy --quiet -p bindgen --target-dir ../../target/web/host -- -D warnings
    run cargo clippy --quiet -p linkstream-web-check -p linkstream-web-sets -p linkstream-web-read -p linkstream-web-diff --target wasm32-unknown-unknown --target-dir ../../target/web -- -D warnings
    run npm test
)
