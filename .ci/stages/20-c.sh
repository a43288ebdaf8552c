# shellcheck shell=bash
# Stage: the C libraries: tests of each call, on one process and with Open MPI on 1 and 3 ranks; tables of calls
# Full: clippy; with sanitizers, valgrind and both MPI libraries; with 32 bits; installation, examples, documentation; the library for controllers
# Share: 420
# Packages: gcc/gcc g++/g++ gfortran/gfortran cmake/cmake make/make pkg-config perl/perl binutils python3/python3 libopenmpi-dev openmpi-bin
# Full-packages: valgrind/valgrind mpich libmpich-dev gcc-i686-linux-gnu libc6-dev-i386-cross libc6-i386 lib32gcc-s1

manifest=examples/c/Cargo.toml
fuzz_manifest=examples/c/fuzz/Cargo.toml
c_target=$PWD/target/c
if [ "$form" = full ]; then
    for linted in "$manifest" "$fuzz_manifest --no-default-features"; do
        # shellcheck disable=SC2086 # several words
        run cargo clippy --quiet --manifest-path $linted --locked --target-dir "$c_target" --all-targets -- -D warnings
    done
fi
run cargo test --quiet --manifest-path "$manifest" --locked --target-dir "$c_target"
# The checks of the fuzz targets are built with the same profile, and run their seeds. Without libFuzzer: the stage fuzz
# compiles it and the targets.
run cargo test --quiet --manifest-path "$fuzz_manifest" --locked --target-dir "$c_target" --no-default-features
# The program: its reports must equal the reports of the library.
build_tested
export CARGO_TARGET_DIR=$c_target LINKSTREAM=$PWD/target/debug/linkstream LINKSTREAM_FIXTURES=$other_fixtures
if [ "$form" != full ]; then
    run env MPIS=openmpi examples/c/run-tests --quick --plain
    exit 0
fi
run env RUSTDOCFLAGS="-D warnings" cargo doc --manifest-path "$manifest" --locked --no-deps
run examples/c/run-tests
run examples/c/example

# The libraries for computers with 32 bits. Debian's gcc-multilib cannot be installed beside compilers for other processors.
run rustup --quiet target add i686-unknown-linux-gnu
printf '#!/bin/sh\nexec i686-linux-gnu-gcc -msse2 -mfpmath=sse -D_FILE_OFFSET_BITS=64 "$@"\n' >"$CI_SCRATCH/gcc"
chmod +x "$CI_SCRATCH/gcc"
run env CC="$CI_SCRATCH/gcc" CARGO_BUILD_TARGET=i686-unknown-linux-gnu CARGO_TARGET_DIR="$c_target-32" \
    examples/c/run-tests --plain --alone

# The library for controllers, with its tests on the host. The stage boards has the ones on an emulated board.
export CARGO_TARGET_DIR=${c_target%/c}/c-embedded
embedded=examples/c/embedded
run cargo clippy --manifest-path "$embedded/Cargo.toml" --locked --all-targets -- -D warnings
run "$embedded/run-tests" host
