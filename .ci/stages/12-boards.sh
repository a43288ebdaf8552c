# shellcheck shell=bash
# Stage: the firmware runs on emulated boards, cannot panic, and stays within its budget

if [ "${LINKSTREAM_SKIP_BOARDS:-}" = 1 ]; then
    echo "!!! THE BOARDS WERE LEFT OUT: programs, link proof, budget; because LINKSTREAM_SKIP_BOARDS=1 !!!"
    exit 0
fi
need_board_tools

# These two targets compile every line of the firmware.
for target in thumbv6m-none-eabi riscv32imac-unknown-none-elf; do
    lint_firmware examples/firmware/Cargo.toml "$target" --workspace
done

build_programs
export LINKSTREAM=$PWD/target/release/linkstream
run target/release/boards run
run target/release/boards symbols
run target/release/boards figures

# The same codec called from C.
need_packages gcc-arm-none-eabi
run env CARGO_TARGET_DIR="$PWD/target/c-embedded" examples/c/embedded/run-tests board
