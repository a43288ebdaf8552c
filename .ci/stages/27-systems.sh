# shellcheck shell=bash
# Full: the program for Windows, static Linux and ARM does what the native one does; it compiles for macOS
# Full-packages: mingw-w64 wine wine64 gcc-aarch64-linux-gnu qemu-user

targets=(x86_64-pc-windows-gnu x86_64-unknown-linux-musl aarch64-unknown-linux-gnu aarch64-apple-darwin)
for target in "${targets[@]}"; do has_target "$target" || run rustup target add "$target"; done
foreign=target/foreign
run cargo check --quiet -p linkstream-cli -p linkstream-parallel --target aarch64-apple-darwin --target-dir $foreign
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
for target in x86_64-pc-windows-gnu x86_64-unknown-linux-musl aarch64-unknown-linux-gnu; do
    run cargo build --quiet -p linkstream-cli --target $target --target-dir $foreign
done
build_tested
run python3 .ci/systems.py target/debug/linkstream $foreign/x86_64-unknown-linux-musl/debug/linkstream
run python3 .ci/systems.py --digits --every 4 target/debug/linkstream \
    qemu-aarch64 -L /usr/aarch64-linux-gnu $foreign/aarch64-unknown-linux-gnu/debug/linkstream

# Wine 8 lacks a library of Windows 10 that Rust's standard library needs for random numbers.
cat >"$CI_SCRATCH/random.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T length) { return SystemFunction036(to, (ULONG)length); }
C
run x86_64-w64-mingw32-gcc -shared -o $foreign/x86_64-pc-windows-gnu/debug/bcryptprimitives.dll "$CI_SCRATCH/random.c" -ladvapi32
export WINEDEBUG=-all WINEPREFIX=$CI_SCRATCH/wine
run python3 .ci/systems.py --every 8 target/debug/linkstream wine $foreign/x86_64-pc-windows-gnu/debug/linkstream.exe
