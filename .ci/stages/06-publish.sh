# shellcheck shell=bash
# Stage: the published packages build from their own files, a project can depend on the codec as its README says; no dependency needs a newer compiler than promised
# Share: 120
# Packages: python3/python3-minimal


# Copies, because git makes a text file of a symbolic link on Windows.
for package in codec examples/python; do
    for licence in LICENSE-APACHE LICENSE-MIT; do
        run cmp "$licence" "$package/$licence"
    done
done

run cargo publish --dry-run -p linkstream
# The others follow it: the files of each are complete, and nothing is demanded that is not published. A release compiles
# them from these files.
mapfile -t published < <(python3 .ci/release.d/crates.py)
[ ${#published[@]} -gt 1 ] || fail "the program is to be published"
# shellcheck disable=SC2046 # several words
run cargo package --quiet --locked --no-verify $(printf -- "-p %s " "${published[@]%% *}")
# Each place that names the version names the same.
run python3 .ci/version.py

# Cargo refuses a dependency that needs a newer compiler. Not in dma-ring: its version is for the packages that `boards`
# depends on. Its own tests need a newer one, as its README says.
mapfile -t manifests < <(side_manifests | grep -v dma-ring)
run python3 .ci/oldest_compiler.py Cargo.toml "${manifests[@]}"

# A registry shows the README without the repository, so links to its other files would lead nowhere.
if grep -nE '\]\(' codec/README.md | grep -vE '\]\((https://|#)'; then
    fail "links in codec/README.md must be absolute"
fi

# A project in a directory beside the repository, with the dependencies and the program that the README shows.
block() { awk -v kind="\`\`\`$1" '/^```/ { inside = !inside && index($0, kind) == 1; next } inside' "$2"; }
ln -s "$PWD" "$CI_SCRATCH/linkstream"
project=$CI_SCRATCH/project
mkdir -p "$project/src"
printf '[package]\nname = "project"\nedition = "2024"\n\n' >"$project/Cargo.toml"
block toml codec/README.md >>"$project/Cargo.toml"
grep -q '^linkstream = ' "$project/Cargo.toml" || fail "codec/README.md shows no dependency"
block rust codec/README.md >"$project/src/main.rs"
cp Cargo.lock "$project"
run cargo run --quiet --manifest-path "$project/Cargo.toml" --target-dir target/project -- examples/su3-4x4x4x8.lime
