# shellcheck shell=bash
# Stage: collective reading and writing with Open MPI, on 1 and 4 ranks
# Full: clippy; with Open MPI and MPICH, on 1 to 7 ranks, with every way to access files, and the end of jobs with faults
# Share: 300
# Packages: libopenmpi-dev openmpi-bin libclang-dev python3/python3
# Full-packages: mpich libmpich-dev
# Full-alone: jobs with faults must end within seconds

manifest=examples/mpi/Cargo.toml
mpi_target=$PWD/target/mpi
if [ "$form" = full ]; then
    run env MPICC=mpicc.openmpi cargo clippy --quiet --manifest-path "$manifest" --locked --target-dir "$mpi_target" \
        --all-targets -- -D warnings
    run env CARGO_TARGET_DIR="$mpi_target" examples/mpi/run-tests
    run env CARGO_TARGET_DIR="$mpi_target" examples/mpi/example
else
    run env CARGO_TARGET_DIR="$mpi_target" MPIS=openmpi examples/mpi/run-tests --quick --cases
fi
