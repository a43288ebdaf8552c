# shellcheck shell=bash
# Full: every file of a release is made and tried, and a second run makes the same bytes; workflows are checked

version=$(python3 .ci/version.py --print)
run .ci/release "$version"
run .ci/release "$version" --into target/release-again --work "$CI_SCRATCH/work" --compare "target/release-$version"
