# shellcheck shell=bash
# Stage: the C libraries: their tests with sanitizers, valgrind and both MPI libraries; installation and examples

need_packages gcc g++ gfortran cmake make pkg-config perl binutils valgrind python3 \
    libopenmpi-dev openmpi-bin mpich libmpich-dev

manifest=examples/c/Cargo.toml
c_target=$PWD/target/c
run cargo clippy --manifest-path "$manifest" --locked --target-dir "$c_target" --all-targets -- -D warnings
run cargo test --manifest-path "$manifest" --locked --target-dir "$c_target"
# The checks of the fuzz targets are built with the same profile, and run their seeds. Without libFuzzer: the stage fuzz
# compiles it and the targets, with the sanitizer.
fuzz_manifest=examples/c/fuzz/Cargo.toml
run cargo clippy --manifest-path "$fuzz_manifest" --locked --target-dir "$c_target" --no-default-features --all-targets -- -D warnings
run cargo test --manifest-path "$fuzz_manifest" --locked --target-dir "$c_target" --no-default-features
run env RUSTDOCFLAGS="-D warnings" cargo doc --manifest-path "$manifest" --locked --target-dir "$c_target" --no-deps
# The program: its reports must equal the reports of the library.
build_tested
program=$PWD/target/debug/linkstream
run env CARGO_TARGET_DIR="$c_target" LINKSTREAM="$program" examples/c/run-tests --quick
run env CARGO_TARGET_DIR="$c_target" examples/c/example

# The library for controllers, with its tests on the host. The stage boards has the ones on an emulated board.
embedded=examples/c/embedded
run cargo clippy --manifest-path "$embedded/Cargo.toml" --locked --target-dir "$PWD/target/c-embedded" --all-targets -- -D warnings
run env CARGO_TARGET_DIR="$PWD/target/c-embedded" "$embedded/run-tests" host
