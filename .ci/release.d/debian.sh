# shellcheck shell=bash disable=SC2154 # the variables are set in release and 30-c.sh
# The Debian packages of the C libraries. Sourced by 30-c.sh.
#
# liblinkstream0 has the shared libraries, liblinkstream-dev what a compiler needs. liblinkstream itself is where Debian has
# libraries. The libraries with the names of others (lime, qio, scda) are in a directory of their own, which is a prefix for
# build systems: Debian has another liblime.

# The address of whoever made the commit.
maintainer=$(git log -1 --format=%ae)

# Makes the packages from an installation: debian_packages TARGET PREFIX
debian_packages() {
    local architecture=amd64 triplet=${1/-unknown/} library
    [[ $1 != aarch64-* ]] || architecture=arm64
    local runtime=$CI_SCRATCH/deb-$architecture/liblinkstream0 development=$CI_SCRATCH/deb-$architecture/liblinkstream-dev
    local place=usr/lib/$triplet own=usr/lib/$triplet/linkstream
    mkdir -p "$runtime/DEBIAN" "$runtime/$own/lib" "$development/DEBIAN" "$development/$place/pkgconfig" \
        "$development/usr/include" "$development/$own"

    cp -a "$2"/{bin,include,static} "$development/$own"
    mkdir "$development/$own/lib"
    cp -a "$2"/lib/{cmake,pkgconfig,*.a,*.so} "$development/$own/lib"
    cp -a "$2"/lib/*.so.* "$runtime/$own/lib"
    # Libraries are not programs.
    chmod 644 "$runtime/$own"/lib/*.so.*.*

    # liblinkstream is found without an option.
    mv "$runtime/$own"/lib/liblinkstream.so.* "$runtime/$place"
    ln -s ../../liblinkstream.so.$version "$runtime/$own/lib/liblinkstream.so.$version"
    ln -s liblinkstream.so.0 "$development/$place/liblinkstream.so"
    ln -sf ../../liblinkstream.so.0 "$development/$own/lib/liblinkstream.so"
    mv "$development/$own/lib/liblinkstream.a" "$development/$place"
    ln -s ../../liblinkstream.a "$development/$own/lib/liblinkstream.a"
    local header
    for header in "$development/$own"/include/linkstream*; do
        mv "$header" "$development/usr/include"
        ln -s "../../../../include/$(basename "$header")" "$header"
    done
    sed -e "s|^prefix=.*|prefix=/usr|" -e "s|^libdir=.*|libdir=/$place|" "$2/lib/pkgconfig/linkstream.pc" \
        >"$development/$place/pkgconfig/linkstream.pc"

    {
        for library in linkstream lime qio scda; do
            find "$runtime" -type f -name "lib$library.so.*"
        done
    } >"$CI_SCRATCH/libraries"
    debian_control liblinkstream0 $architecture "$runtime" libs optional same \
        "libc6 (>= $oldest_glibc)" "shared libraries" \
        "The libraries for programs that were built with liblinkstream-dev: liblinkstream, and in a directory of their own liblime, libqio and libscda."
    debian_control liblinkstream-dev $architecture "$development" libdevel optional same \
        "liblinkstream0 (= $version-1), libc6-dev" "for compilers" \
        "Headers, static libraries, and packages for pkg-config and CMake. /$own is a prefix with all libraries; /$own/static has the static ones only."
    debian_symbols "$runtime" "$place" "$own"
    echo 'activate-noawait ldconfig' >"$runtime/DEBIAN/triggers"

    local package file
    for package in "$runtime" "$development"; do
        debian_texts "$package" "$(basename "$package")" "$1"
        file=$(basename "$package")_$version-1_$architecture.deb
        run dpkg-deb --root-owner-group -Zxz --build "$package" "$out/$file"
        run lintian --allow-root --tag-display-limit 0 --fail-on error "$out/$file"
    done
    if [ $architecture = amd64 ]; then debian_try "$triplet"; else debian_try_emulated "$runtime" "$development" "$triplet"; fi
}

# Writes DEBIAN/control: debian_control NAME ARCHITECTURE DIRECTORY SECTION PRIORITY MULTI-ARCH DEPENDS TITLE TEXT
debian_control() {
    local size
    size=$(du --apparent-size -sk "$3" | cut -f 1)
    cat >"$3/DEBIAN/control" <<CONTROL
Package: $1
Source: linkstream
Version: $version-1
Architecture: $2
Maintainer: The linkstream developers <$maintainer>
Installed-Size: $size
Depends: $7
Section: $4
Priority: $5
Multi-Arch: $6
Description: files of lattice QCD: $8
 LIME, ILDG, SciDAC, NERSC, MILC, scda and INEBIN files are opened, read
 verified, and written. The calls of c-lime, QIO and scda are there as well.
 .
$(fold -s -w 76 <<<"$9" | sed 's/^/ /; s/ *$//')
CONTROL
}

# Writes DEBIAN/symbols and DEBIAN/shlibs: the calls of each library and the version that has them.
debian_symbols() {
    local library name
    mkdir -p "$CI_SCRATCH/debian"
    printf 'Source: linkstream\n\nPackage: liblinkstream0\nArchitecture: any\n' >"$CI_SCRATCH/debian/control"
    local files=()
    while read -r library; do files+=("-e$library"); done <"$CI_SCRATCH/libraries"
    (cd "$CI_SCRATCH" && run env --unset=CC dpkg-gensymbols -q -pliblinkstream0 "-v$version" -P"$1" "${files[@]}" -O"$1/DEBIAN/symbols")
    for name in lime linkstream qio scda; do echo "lib$name 0 liblinkstream0 (>= $version)"; done >"$1/DEBIAN/shlibs"
}

# The texts that every package has: debian_texts DIRECTORY NAME TARGET
debian_texts() {
    local texts=$1/usr/share/doc/$2
    mkdir -p "$texts"
    {
        cat <<COPYRIGHT
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: linkstream

Files: *
Copyright: The linkstream developers
License: MIT or Apache-2.0
 The Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0.
 The text of the MIT license is:
 .
COPYRIGHT
        sed -e 's/^$/./' -e 's/^/ /' LICENSE-MIT
        printf '\nComment: Packages of others are compiled into the libraries. Their licences are in packages.txt.gz, here.\n'
    } >"$texts/copyright"
    {
        python3 .ci/release.d/licences.py "$c_manifest" "$c_roots" "$3"
        printf '\nThe standard library of Rust: MIT or Apache-2.0; https://www.rust-lang.org/policies/licenses\n'
    } | gzip -9 -n >"$texts/packages.txt.gz"
    {
        printf 'linkstream (%s-1) unstable; urgency=medium\n\n  * Version %s: see /usr/share/doc/%s/changelog.gz.\n\n' "$version" "$version" "$2"
        printf ' -- The linkstream developers <%s>  %s\n' "$maintainer" "$(date -R -d "@$SOURCE_DATE_EPOCH")"
    } | gzip -9 -n >"$texts/changelog.Debian.gz"
    gzip -9 -n <CHANGELOG.md >"$texts/changelog.gz"
}

# Installs both packages in a new Debian, and builds and runs the examples there: debian_try TRIPLET
debian_try() {
    local system=$work/debian-amd64 sample=examples/su3-4x4x4x8.lime
    if [ ! -e "$system/complete" ]; then
        as_root rm -rf "$system"
        run as_root debootstrap --variant=minbase --include=gcc,libc6-dev,pkg-config bookworm "$system" \
            >"$CI_SCRATCH/debootstrap.log" || { tail "$CI_SCRATCH/debootstrap.log"; return 1; }
        as_root touch "$system/complete"
    fi
    as_root rm -rf "$system/try"
    as_root mkdir "$system/try"
    as_root cp "$out"/liblinkstream0_*_amd64.deb "$out"/liblinkstream-dev_*_amd64.deb examples/c/examples/* "$sample" "$system/try"
    cat >"$CI_SCRATCH/try" <<SCRIPT
set -eux
cd /try
apt-get -qq -o APT::Sandbox::User=root -o Debug::NoLocking=1 install -y --reinstall --allow-downgrades ./*.deb >/dev/null
pkg-config --cflags --libs linkstream
gcc -std=c99 read_gauge.c \$(pkg-config --cflags --libs linkstream) -o read_gauge
./read_gauge su3-4x4x4x8.lime | grep 'average plaquette 0.595670900'
printf '#include <lime.h>\n#include <stdio.h>\nint main(void){return !limeCreateReader(stdin);}\n' >lime.c
export PKG_CONFIG_PATH=/usr/lib/$1/linkstream/lib/pkgconfig
gcc lime.c \$(pkg-config --cflags --libs lime) -Wl,-rpath,\$(pkg-config --variable=libdir lime) -o lime
./lime <su3-4x4x4x8.lime
dpkg -s liblinkstream0 | grep Status
apt-get -qq purge -y liblinkstream0 liblinkstream-dev >/dev/null
[ ! -e /usr/include/linkstream.h ]
SCRIPT
    as_root cp "$CI_SCRATCH/try" "$system/try/try"
    run as_root chroot "$system" /bin/sh /try/try
}

# Builds the example for another processor with the packages' files, and runs it: debian_try_emulated RUNTIME DEVELOPMENT TRIPLET
debian_try_emulated() {
    "$CC" -std=c99 -I"$2/usr/include" examples/c/examples/read_gauge.c "$1/usr/lib/$3/liblinkstream.so.0" -o "$CI_SCRATCH/read_gauge"
    run qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH="$1/usr/lib/$3" "$CI_SCRATCH/read_gauge" examples/su3-4x4x4x8.lime |
        tee "$CI_SCRATCH/output"
    grep -q 'average plaquette 0.595670900' "$CI_SCRATCH/output"
}
