# shellcheck shell=bash disable=SC2154 # defmt_print is set in lib.sh
# Stage: three programs of the firmware run on an emulated Arm board and a RISC-V board, and cannot panic
# Full: all programs and test files, on all boards, within its budget of flash, memory, stack and instructions; the C library for controllers on a board
# Share: 180
# Packages: qemu-system-arm qemu-system-misc rustc-web cargo-web rust-web-src lld
# Full-packages: rust-web-clippy gcc-arm-none-eabi

if [ "${LINKSTREAM_SKIP_BOARDS:-}" = 1 ]; then
    echo "!!! THE BOARDS WERE LEFT OUT: programs, link proof, budget; because LINKSTREAM_SKIP_BOARDS=1 !!!"
    exit 0
fi
need_tool defmt-print "$defmt_print"
build_tested
export LINKSTREAM=$PWD/target/debug/linkstream
boards=target/debug/boards
if [ "$form" != full ]; then
    run $boards run --quick --board lm3s6965 --board sifive-e
    run $boards symbols --quick --board lm3s6965 --board sifive-e
    exit 0
fi

# These two targets compile every line of the firmware.
for target in thumbv6m-none-eabi riscv32imac-unknown-none-elf; do
    lint_firmware examples/firmware/Cargo.toml "$target" --workspace
done
run $boards run
run $boards symbols
run $boards figures
# The same codec called from C.
run env CARGO_TARGET_DIR="$PWD/target/c-embedded" examples/c/embedded/run-tests board
