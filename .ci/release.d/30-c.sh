# shellcheck shell=bash disable=SC2154 # the variables are set in release
# The C libraries for Linux with glibc, as tar files and as Debian packages. The packages are checked, installed in a new
# Debian, and used there.

need_packages gcc/gcc perl/perl binutils/binutils aarch64-linux-gnu-strip/binutils-aarch64-linux-gnu \
    dpkg-gensymbols/dpkg-dev lintian/lintian debootstrap/debootstrap debian-archive-keyring qemu-aarch64/qemu-user libc6-dev-arm64-cross

for target in $(chosen_targets "${c_targets[@]}"); do
    need_target "$target"
    # The linker of the shared libraries: zig, which has the symbols of the oldest glibc.
    compiler=$CI_SCRATCH/cc-$target
    printf '#!/bin/sh\nexec cargo-zigbuild zig cc -- -target %s "$@"\n' "$(zig_target "$target")" >"$compiler"
    chmod +x "$compiler"
    binutils=""
    [[ $target != aarch64-* ]] || binutils=aarch64-linux-gnu-
    name=linkstream-c-$version-$target
    export CC=$compiler STRIP=${binutils}strip NM=${binutils}nm CARGO_BUILD_TARGET=$target CARGO_TARGET_DIR=$work/target/c
    export RUSTFLAGS
    RUSTFLAGS=$(remapped)
    run examples/c/install "$CI_SCRATCH/$name"
    unset RUSTFLAGS
    for library in "$CI_SCRATCH/$name"/lib/*.so.*.*; do
        if [ -L "$library" ]; then continue; fi
        check_glibc "$library"
        needed=$(readelf -W -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | xargs)
        echo "$(basename "$library") needs $needed"
        [[ $needed != *gcc* ]] || fail "$library needs a library that the packages do not name"
        ! strings -n 8 "$library" | grep -m 3 -F -e "$work" -e "$HOME/" || fail "$library has paths of this machine"
    done
    put_licences "$CI_SCRATCH/$name/share/doc/linkstream" "$c_manifest" "$c_roots" "$target"
    cp examples/c/README.md CHANGELOG.md "$CI_SCRATCH/$name/share/doc/linkstream"
    packed_tar "$name"
    # shellcheck source=.ci/release.d/debian.sh
    source .ci/release.d/debian.sh
    debian_packages "$target" "$CI_SCRATCH/$name"
done
unset CARGO_BUILD_TARGET CC STRIP NM
bill linkstream-c "$c_manifest" "$c_roots" "${c_targets[@]}"
