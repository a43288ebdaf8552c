# shellcheck shell=bash disable=SC2154 # the variables are set in release
# Functions that several parts of a release use. Sourced by release.

# The targets of binaries, as Rust names them. The stage `systems` runs programs for each of them.
# shellcheck disable=SC2034 # used by the parts
linux_targets=(x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu x86_64-unknown-linux-musl aarch64-unknown-linux-musl)
windows_target=x86_64-pc-windows-gnu
# shellcheck disable=SC2034
c_targets=(x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu)

# Manifest and packages that artefacts are compiled from, if these are not the program's.
# shellcheck disable=SC2034
{
    python_manifest=examples/python/Cargo.toml
    c_manifest=examples/c/Cargo.toml
    c_roots=linkstream-c-lime,linkstream-c-qio,linkstream-c-scda,linkstream-c-linkstream
    web_manifest=examples/web/Cargo.toml
    web_modules=linkstream-web-check,linkstream-web-diff,linkstream-web-ensemble,linkstream-web-read,linkstream-web-sets
}

# Prints the given targets, as far as they were asked for.
chosen_targets() {
    local target
    for target; do
        if [ -z "$wanted_target" ] || [ "$target" = "$wanted_target" ]; then echo "$target"; fi
    done
}

# The oldest glibc that the binaries run with: the one of RHEL 7, manylinux2014 and Rust's standard library.
oldest_glibc=2.17

# Installs what all parts need: zig as a compiler for other systems, and programs for wheels, from files with known hashes.
install_tools() {
    local state=$source/.ci/release.d/requirements.txt
    if ! cmp -s "$state" "$tools/complete"; then
        rm -rf "$tools"
        run python3 -m venv "$tools"
        run "$tools/bin/pip" install --quiet --disable-pip-version-check --require-hashes --no-deps --requirement "$state"
        cp "$state" "$tools/complete"
    fi
    PATH=$tools/bin:$PATH
    # Its files are compiled once for each target; where they are must not depend on the user.
    export ZIG_GLOBAL_CACHE_DIR=$work/zig CARGO_ZIGBUILD_CACHE_DIR=$work/zigbuild
}

# The name that zig has for a target, with the oldest glibc: zig_target x86_64-unknown-linux-gnu
zig_target() {
    local name=${1/-unknown/}
    if [[ $name == *-gnu ]]; then name+=.$oldest_glibc; fi
    echo "$name"
}

# Options of the compiler that cut the paths of this machine from binaries.
remapped() {
    local sysroot commit
    sysroot=$(rustc --print sysroot)
    commit=$(rustc -vV | sed -n 's/^commit-hash: //p')
    # If the source of the standard library is installed, its paths appear otherwise.
    echo "--remap-path-prefix=$sysroot/lib/rustlib/src/rust=/rustc/$commit" \
        "--remap-path-prefix=$source=/linkstream --remap-path-prefix=$CARGO_TARGET_DIR=/target" \
        "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src=/registry"
}

# Installs Rust's standard library for a target.
need_target() { has_target "$1" || run rustup target add "$1"; }

# Puts the licences of all packages in an artefact, and of the standard library, into a directory:
# put_licences DIRECTORY MANIFEST PACKAGES TARGET
put_licences() {
    mkdir -p "$1"
    cp LICENSE-APACHE LICENSE-MIT "$1"
    python3 .ci/release.d/licences.py "${@:2}" >"$1/LICENSES-PACKAGES.txt"
    cp "$(rustc --print sysroot)/share/doc/rust/COPYRIGHT-library.html" "$1/LICENSES-RUST-STANDARD-LIBRARY.html"
}

# Writes the bill of materials of an artefact: bill NAME MANIFEST PACKAGES TARGET...
bill() {
    python3 .ci/release.d/sbom.py "$1" "$version" "${@:2}" >"$out/$1-$version.cdx.json"
    echo "$1-$version.cdx.json"
}

# Packs a directory in $CI_SCRATCH, with equal bytes for equal contents: packed NAME, as NAME.tar.gz or NAME.zip
packed_tar() {
    tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=go=u,go-w \
        -C "$CI_SCRATCH" -c "$1" | gzip -9 -n >"$out/$1.tar.gz"
    echo "$1.tar.gz: $(stat -c %s "$out/$1.tar.gz") bytes"
}
packed_zip() {
    rm -f "$out/$1.zip"
    find "$CI_SCRATCH/$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    (cd "$CI_SCRATCH" && find "$1" -type f | sort | TZ=UTC zip -q -9 -X -@ "$out/$1.zip")
    echo "$1.zip: $(stat -c %s "$out/$1.zip") bytes"
}

# The latest symbol version of glibc that a file needs must not be newer than the oldest glibc.
check_glibc() {
    local newest
    # readelf reads files of every processor, as objdump does not.
    newest=$(readelf -W --version-info "$1" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
    [ -n "$newest" ] || fail "$1 has no versions of glibc"
    printf '%s needs %s\n' "$(basename "$1")" "$newest"
    [ "$(printf '%s\n' "${newest#GLIBC_}" $oldest_glibc | sort -V | tail -n 1)" = $oldest_glibc ] ||
        fail "$1 needs $newest"
}
