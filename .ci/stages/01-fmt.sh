# shellcheck shell=bash
# Stage: every source file is formatted by rustfmt

run cargo fmt --all --check
for manifest in $(side_manifests); do
    run cargo fmt --manifest-path "$manifest" --all --check
done
