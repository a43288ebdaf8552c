# shellcheck shell=bash
# Stage: the firmware runs on emulated boards, cannot panic, and stays within its budget

if [ "${LINKSTREAM_SKIP_BOARDS:-}" = 1 ]; then
    echo "!!! THE BOARDS WERE LEFT OUT: programs, link proof, budget; because LINKSTREAM_SKIP_BOARDS=1 !!!"
    exit 0
fi
need_board_tools

# These two targets compile every line of the firmware. Clippy is Debian's because it must match the compiler.
need_packages rust-web-clippy
for target in thumbv6m-none-eabi riscv32imac-unknown-none-elf; do
    run env --unset=RUSTUP_TOOLCHAIN PATH=/usr/bin:"$PATH" RUSTC_BOOTSTRAP=1 cargo clippy -Z build-std=core \
        --manifest-path examples/firmware/Cargo.toml --target-dir target/firmware/clippy --target "$target" \
        --workspace -- -D warnings
done

# Builds all host programs that the next commands need with one call of cargo.
run cargo build --release -p boards -p linkstream-cli
run cargo run --quiet --release -p boards -- run
run cargo run --quiet --release -p boards -- symbols
run cargo run --quiet --release -p boards -- figures

# The same codec called from C.
need_packages gcc-arm-none-eabi
run env CARGO_TARGET_DIR="$PWD/target/c-embedded" examples/c/embedded/run-tests board
