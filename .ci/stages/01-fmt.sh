# shellcheck shell=bash
# Stage: every source file is formatted by rustfmt
# Share: 20

# Each package alone: `cargo fmt --all` in a workspace also checks the packages of other workspaces that it depends on.
git ls-files '*Cargo.toml' | xargs grep -l '^\[package\]' |
    run xargs -P "$(nproc)" -I{} cargo fmt --manifest-path {} --check
