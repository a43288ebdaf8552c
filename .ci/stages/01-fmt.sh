# shellcheck shell=bash
# Stage: every source file is formatted by rustfmt

# Each package alone: `cargo fmt --all` in a workspace also checks the packages of other workspaces that it depends on.
manifests=$(git ls-files '*Cargo.toml' | xargs grep -l '^\[package\]')
for manifest in $manifests; do
    run cargo fmt --manifest-path "$manifest" --check
done
