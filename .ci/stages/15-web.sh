# shellcheck shell=bash
# Stage: the npm package and the page report the same as the program, in Node and in Chromium
# Full: in Deno, Bun and Firefox too, with three bundlers; sizes and timed tests
# Share: 400
# Packages: node/nodejs npm/npm chromium
# Full-packages: firefox-esr
# Full-alone: the timed tests compare speeds

has_target wasm32-unknown-unknown || run rustup target add wasm32-unknown-unknown

# The wasm modules are built with a standard library that is compiled for them, from its source.
[ -d "$(rustc --print sysroot)/lib/rustlib/src/rust/library" ] || run rustup component add rust-src

# As it is released: the tests compare with its reports, and with its speed.
run cargo build --quiet --release -p linkstream-cli
cd examples/web
run npm ci --no-progress --no-audit --no-fund
if [ "$form" = full ]; then
    run cargo clippy --quiet -p bindgen --target-dir ../../target/web/host -- -D warnings
    run cargo clippy --quiet -p linkstream-web-check -p linkstream-web-sets -p linkstream-web-read -p linkstream-web-diff -p linkstream-web-ensemble --target wasm32-unknown-unknown --target-dir ../../target/web -- -D warnings
    run npm test
else
    # Link-time optimisation and wasm-opt take minutes.
    run env LINKSTREAM_UNOPTIMISED=1 LINKSTREAM_BROWSERS=Chromium CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 npm run gate
fi
