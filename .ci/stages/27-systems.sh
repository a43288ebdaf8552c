# shellcheck shell=bash
# Stage: the program compiles for macOS and Windows, linkstream-parallel for macOS
# Full: the Python package does too, the C libraries for macOS; the program for Windows, static Linux, ARM, 32 bits and big-endian s390x does what the native one does; the codec and access pass their tests on ARM and s390x
# Share: 120
# Full-packages: mingw-w64 wine wine64 gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-i686-linux-gnu libc6-dev-i386-cross libc6-i386 lib32gcc-s1 qemu-user

foreign=$PWD/target/foreign
for target in aarch64-apple-darwin x86_64-pc-windows-gnu; do
    has_target "$target" || run rustup --quiet target add "$target"
    packages=(-p linkstream-cli)
    # On Windows, this one says that it needs Unix.
    [[ $target == *windows* ]] || packages+=(-p linkstream-parallel)
    # In the directory of the native program, where the tools of the build are compiled.
    run env RUSTFLAGS="-D warnings" cargo check --quiet --locked "${packages[@]}" --target "$target"
done
[ "$form" = full ] || exit 0

for target in aarch64-apple-darwin x86_64-pc-windows-gnu; do
    run env RUSTFLAGS="-D warnings" cargo check --quiet --locked --manifest-path examples/python/Cargo.toml --target "$target" \
        --target-dir "$foreign"
done
# Not libqio: it has a file in C, which only a compiler for macOS can compile. Windows is not supported.
run env RUSTFLAGS="-D warnings" cargo check --quiet --locked --manifest-path examples/c/Cargo.toml --target aarch64-apple-darwin \
    --target-dir "$foreign" -p linkstream-c-lime -p linkstream-c-scda -p linkstream-c-linkstream

emulated=(aarch64-unknown-linux-gnu s390x-unknown-linux-gnu)
built=(x86_64-pc-windows-gnu x86_64-unknown-linux-musl i686-unknown-linux-gnu "${emulated[@]}")
for target in "${built[@]}"; do has_target "$target" || run rustup --quiet target add "$target"; done
for target in "${emulated[@]}"; do
    processor=${target%%-*} name=${target^^}
    name=CARGO_TARGET_${name//-/_}
    export "${name}_LINKER=$processor-linux-gnu-gcc" "${name}_RUNNER=qemu-$processor -L /usr/$processor-linux-gnu"
done
export CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_LINKER=i686-linux-gnu-gcc
for target in "${built[@]}"; do
    run cargo build --quiet -p linkstream-cli --target "$target" --target-dir "$foreign"
done
build_tested
run python3 .ci/systems.py target/debug/linkstream "$foreign/x86_64-unknown-linux-musl/debug/linkstream"
# Floating-point numbers of these processors differ in their last digits.
run python3 .ci/systems.py --digits --every 4 target/debug/linkstream "$foreign/i686-unknown-linux-gnu/debug/linkstream"
for target in "${emulated[@]}"; do
    processor=${target%%-*}
    run python3 .ci/systems.py --digits --every 8 target/debug/linkstream \
        "qemu-$processor" -L "/usr/$processor-linux-gnu" "$foreign/$target/debug/linkstream"
done
# s390x is the only big-endian computer: numbers are read and written by code of its own.
for target in "${emulated[@]}"; do
    run cargo test --quiet -p linkstream -p linkstream-access --lib --tests --target "$target" --target-dir "$foreign"
done

prepare_wine "$foreign"/x86_64-pc-windows-gnu/debug
run python3 .ci/systems.py --every 8 target/debug/linkstream wine "$foreign/x86_64-pc-windows-gnu/debug/linkstream.exe"
