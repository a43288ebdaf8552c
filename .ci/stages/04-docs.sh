# shellcheck shell=bash
# Stage: the documentation builds without warnings or dead links, and their anchors exist
# Share: 60
# Packages: python3/python3-minimal

# Pages of items that no longer exist would remain.
rm -rf target/doc
export RUSTDOCFLAGS="-D warnings"
run cargo doc --no-deps --workspace
run cargo doc --no-deps -p linkstream --all-features

run python3 .ci/anchors.py target/doc
