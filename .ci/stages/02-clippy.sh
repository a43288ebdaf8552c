# shellcheck shell=bash
# Stage: clippy reports nothing in any workspace

# libfuzzer-sys builds libFuzzer even for a check, unless it gets a library.
export CUSTOM_LIBFUZZER_PATH=$CI_SCRATCH/libfuzzer.a
run cargo clippy --workspace --all-targets --features "$tested_features" -- -D warnings
run cargo clippy -p linkstream-heatbath -- -D warnings
# The codec alone: features that other members of the workspace enable could hide findings.
run cargo clippy -p linkstream --all-targets --no-default-features -- -D warnings
run cargo clippy -p linkstream --all-targets --all-features -- -D warnings
for manifest in $(side_manifests); do
    # The workspaces for boards and browsers need clippy for their targets, the one for MPI an MPI library, and the ones
    # for C and Python have stages of their own: see the stages boards, io-node, dma-ring, web, mpi, c and python.
    case $manifest in examples/firmware/* | examples/web/* | examples/mpi/* | examples/c/* | examples/python/*) continue ;; esac
    # Without --all-targets, because a binary with its own panic handler has no test build.
    run cargo clippy --manifest-path "$manifest" -- -D warnings
done
