# shellcheck shell=bash
# Stage: the codec could be published as it is: the package builds from its own files

# A developer may ask before committing; in CI the tree is clean and has to stay so.
dirty=()
[ -n "${CI:-}" ] || dirty=(--allow-dirty)
run cargo publish --dry-run -p linkstream "${dirty[@]}"
