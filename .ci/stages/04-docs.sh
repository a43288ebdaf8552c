# shellcheck shell=bash disable=SC2154 # form is set in run, mdbook in lib.sh
# Stage: the documentation builds without warnings; the links of all Markdown files and their anchors exist
# Full: the book
# Share: 60
# Packages: python3/python3-minimal

# Pages of items that no longer exist would remain.
rm -rf target/doc
export RUSTDOCFLAGS="-D warnings"
run cargo doc --no-deps --workspace
run cargo doc --no-deps -p linkstream --all-features

run python3 .ci/anchors.py target/doc
run .ci/book --check
[ "$form" = full ] || exit 0

# The book of the same pages.
need_tool mdbook "$mdbook"
run .ci/book
