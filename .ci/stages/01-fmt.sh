# shellcheck shell=bash
# Stage: every source file is laid out as rustfmt has it

run cargo fmt --all --check
for manifest in $(side_manifests); do
    run cargo fmt --manifest-path "$manifest" --all --check
done
