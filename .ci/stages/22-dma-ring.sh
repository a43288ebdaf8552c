# shellcheck shell=bash
# Stage: files are verified in the receive ring of an emulated Ethernet controller, within their budget

if [ "${LINKSTREAM_SKIP_BOARDS:-}" = 1 ]; then
    echo "!!! THE RECEIVE RING WAS LEFT OUT, because LINKSTREAM_SKIP_BOARDS=1 !!!"
    exit 0
fi
need_packages qemu-system-misc rustc-web cargo-web rust-web-src lld
manifest=examples/firmware/dma-ring/Cargo.toml
lint_firmware "$manifest" riscv64imac-unknown-none-elf -p dma-ring --features board
run cargo clippy --manifest-path "$manifest" --locked --target-dir "$PWD/target/dma-ring" --workspace --all-targets -- -D warnings
build_programs
run target/release/boards dma-ring
# The tests use the programs that have just been measured.
programs=${CARGO_TARGET_DIR:-$PWD/target}/firmware/programs/riscv64imac-unknown-none-elf/release/board
run env CARGO_TARGET_DIR="$PWD/target/dma-ring" DMA_RING="$programs" examples/firmware/dma-ring/run-tests
