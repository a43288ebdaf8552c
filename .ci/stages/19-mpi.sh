# shellcheck shell=bash
# Stage: collective reading and writing with Open MPI and MPICH, on 1 and 4 ranks, and the end of jobs with faults

need_packages libopenmpi-dev openmpi-bin mpich libmpich-dev libclang-dev

manifest=examples/mpi/Cargo.toml
mpi_target=$PWD/target/mpi
run env MPICC=mpicc.openmpi cargo clippy --manifest-path "$manifest" --locked --target-dir "$mpi_target" \
    --all-targets -- -D warnings
run env CARGO_TARGET_DIR="$mpi_target" examples/mpi/run-tests --quick
run env CARGO_TARGET_DIR="$mpi_target" examples/mpi/example
