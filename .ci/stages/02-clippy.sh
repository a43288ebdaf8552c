# shellcheck shell=bash disable=SC2154 # tested_features is set in lib.sh
# Stage: clippy reports nothing in the main workspace
# Full: in the fuzz targets and the proofs too, and in heatbath without its features
# Share: 150

run cargo clippy --quiet --workspace --all-targets --features "$tested_features" -- -D warnings
# The codec alone: features that other members of the workspace enable could hide findings.
run cargo clippy --quiet -p linkstream --no-default-features -- -D warnings
run cargo clippy --quiet -p linkstream --all-features -- -D warnings
[ "$form" = full ] || exit 0

run cargo clippy --quiet -p linkstream-heatbath -- -D warnings
# libfuzzer-sys builds libFuzzer even for a check, unless it gets a library.
export CUSTOM_LIBFUZZER_PATH=$CI_SCRATCH/libfuzzer.a
# The workspaces for boards and browsers need clippy for their targets, the one for MPI an MPI library, and the ones for C
# and Python have stages of their own: see the full forms of boards, io-node, dma-ring, web, mpi, c and python.
for manifest in $(side_manifests); do
    case $manifest in examples/*/*) continue ;; esac
    # Without --all-targets, because a binary with its own panic handler has no test build.
    run cargo clippy --quiet --manifest-path "$manifest" --target-dir "$PWD/target/clippy" -- -D warnings
done
