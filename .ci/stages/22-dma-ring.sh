# shellcheck shell=bash
# Stage: files are verified in the receive ring of an emulated Ethernet controller: a sample
# Full: all test files, within their budget
# Share: 120
# Packages: qemu-system-misc rustc-web cargo-web rust-web-src lld
# Full-packages: rust-web-clippy

if [ "${LINKSTREAM_SKIP_BOARDS:-}" = 1 ]; then
    echo "!!! THE RECEIVE RING WAS LEFT OUT, because LINKSTREAM_SKIP_BOARDS=1 !!!"
    exit 0
fi
export CARGO_TARGET_DIR=$PWD/target/dma-ring
if [ "$form" != full ]; then
    run examples/firmware/dma-ring/run-tests order:: frames::
    exit 0
fi
manifest=examples/firmware/dma-ring/Cargo.toml
lint_firmware "$manifest" riscv64imac-unknown-none-elf -p dma-ring --features board
run cargo clippy --manifest-path "$manifest" --locked --workspace --all-targets -- -D warnings
unset CARGO_TARGET_DIR
build_tested
run target/debug/boards dma-ring
# The tests use the programs that have just been measured.
run env CARGO_TARGET_DIR="$PWD/target/dma-ring" DMA_RING="$PWD/target/firmware/programs/riscv64imac-unknown-none-elf/release/board" \
    examples/firmware/dma-ring/run-tests
