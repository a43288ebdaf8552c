# shellcheck shell=bash
# Stage: the firmware runs on emulated boards, cannot panic, and costs no more than its budget

if [ "${LINKSTREAM_SKIP_BOARDS:-}" = 1 ]; then
    echo "!!! THE BOARDS WERE LEFT OUT: programs, link proof, budget; because LINKSTREAM_SKIP_BOARDS=1 !!!"
    exit 0
fi
need_board_tools

# Every line is compiled for one processor or the other; the lints are Debian's, as the compiler is.
need_packages rustc-web cargo-web rust-web-src rust-web-clippy
for target in thumbv6m-none-eabi riscv32imac-unknown-none-elf; do
    run env --unset=RUSTUP_TOOLCHAIN PATH=/usr/bin:"$PATH" RUSTC_BOOTSTRAP=1 cargo clippy -Z build-std=core \
        --manifest-path examples/firmware/Cargo.toml --target-dir target/firmware/clippy --target "$target" \
        --workspace -- -D warnings
done

# The programs for a host that are needed on the way, in one go.
run cargo build --release -p boards -p linkstream-cli
run cargo run --quiet --release -p boards -- run
run cargo run --quiet --release -p boards -- symbols
run cargo run --quiet --release -p boards -- figures
