# shellcheck shell=bash
# Stage: the documentation builds without warnings or dead links

export RUSTDOCFLAGS="-D warnings"
run cargo doc --no-deps --workspace
run cargo doc --no-deps -p linkstream --all-features
