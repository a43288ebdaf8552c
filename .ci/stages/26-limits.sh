# shellcheck shell=bash
# Stage: what hostile input costs the program: memory, time, disk; a sample
# Full: inputs of ten times the size, and the C library
# Share: 60
# Packages: python3
# Full-packages: gcc/gcc ld/binutils perl/perl

run cargo build --release --quiet -p linkstream-cli
if [ "$form" = full ]; then
    run env "CARGO_TARGET_DIR=$PWD/target/c" examples/c/build
    run .ci/limits --library target/c/libraries/liblinkstream.so target/release/linkstream
else
    run .ci/limits --sample target/release/linkstream
fi
