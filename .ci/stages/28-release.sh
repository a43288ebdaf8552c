# shellcheck shell=bash
# Full: every file of a release is made and tried, and a second run makes the same bytes; workflows are checked

version=$(python3 .ci/version.py --print)
# In the directory of every other run, so that others can compare with it.
run .ci/release "$version" --fresh
run .ci/release "$version" --fresh --into target/release-again --compare "target/release-$version"
