# shellcheck shell=bash
# Stage: the codec could be published: the package builds from its own files

# Developers may run this with uncommitted changes; in CI, the tree must be clean.
dirty=()
[ -n "${CI:-}" ] || dirty=(--allow-dirty)
run cargo publish --dry-run -p linkstream "${dirty[@]}"
