# shellcheck shell=bash disable=SC2154 # the variables are set in release
# The published packages of Rust, in an order that a registry accepts. Each is compiled from its own
# files, with the packages before it.

mapfile -t crates < <(python3 .ci/release.d/crates.py)
[ ${#crates[@]} -gt 0 ] || fail "no package is to be published"
chosen=()
while read -r name directory; do
    # The licences are part of every copy. In the repository they are once.
    cp LICENSE-APACHE LICENSE-MIT "$directory"
    chosen+=(-p "$name")
done < <(printf '%s\n' "${crates[@]}")
# Cargo compiles each with the packages before it, which it unpacks from a registry that it makes in its target directory.
# If an earlier run has unpacked or compiled the same version from there, cargo takes that instead.
export CARGO_TARGET_DIR=$work/target/crates
rm -rf "$CARGO_TARGET_DIR"
for crate in "${crates[@]}"; do
    rm -rf "${CARGO_HOME:-$HOME/.cargo}"/registry/src/-*/"${crate%% *}-$version"
done
# Dirty only by the licences: the clone was clean.
run cargo package --quiet --locked --allow-dirty "${chosen[@]}"
mkdir -p "$out/crates"
printf '%s\n' "${crates[@]}" | cut -d ' ' -f 1 >"$out/crates/ORDER.txt"
for name in $(cat "$out/crates/ORDER.txt"); do
    crate=$CARGO_TARGET_DIR/package/$name-$version.crate
    tar -tzf "$crate" "$name-$version/LICENSE-MIT" >/dev/null
    cp "$crate" "$out/crates"
done

# The calls of the library, compared with the calls of the latest release before this one.
earlier=$(git tag --list 'v*' --sort=-version:refname | grep -vx "v$version" | head -n 1 || true)
if [ -z "$earlier" ]; then
    echo "there is no earlier release whose calls could be compared"
else
    need_tool cargo-semver-checks 0.51.0
    run cargo semver-checks --package linkstream --baseline-rev "$earlier"
fi
