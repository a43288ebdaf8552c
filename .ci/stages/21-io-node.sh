# shellcheck shell=bash
# Stage: the I/O node stores files on an emulated board
# Beside: its tests count, and wait for a network that is emulated.

if [ "${LINKSTREAM_SKIP_BOARDS:-}" = 1 ]; then
    echo "!!! THE I/O NODE WAS LEFT OUT, because LINKSTREAM_SKIP_BOARDS=1 !!!"
    exit 0
fi
need_packages qemu-system-arm mtools dosfstools rustc-web cargo-web rust-web-src lld
manifest=examples/firmware/io-node/Cargo.toml
lint_firmware "$manifest" thumbv7m-none-eabi -p io-node --features board
run cargo clippy --manifest-path "$manifest" --locked --workspace --all-targets -- -D warnings
build_programs
run target/release/boards io-node --figures
# The tests use the program that has just been measured.
program=${CARGO_TARGET_DIR:-$PWD/target}/firmware/programs/thumbv7m-none-eabi/release/board/io-node
run env IO_NODE="$program" examples/firmware/io-node/run-tests
