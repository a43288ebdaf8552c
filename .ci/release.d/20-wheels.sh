# shellcheck shell=bash disable=SC2154 # the variables are set in release
# The Python package: its source distribution, and wheels for each target. They are tried where a Python can run them.

need_packages mingw-w64/mingw-w64 debootstrap/debootstrap debian-archive-keyring qemu-aarch64/qemu-user binutils/binutils unzip/unzip
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
    rm -r "$wheels/unpacked"
    echo "$(basename "$wheel"): $(stat -c %s "$wheel") bytes"
    case $target in
        x86_64-unknown-linux-gnu) try_here "$wheel" ;;
        aarch64-unknown-linux-gnu) try_arm "$wheel" ;;
        *) echo "$(basename "$wheel") was not run: there is no Python for its system here" ;;
    esac
    case $target in
        *linux*) run auditwheel show "$wheel" ;;
    esac
    mv "$wheel" "$wheels"
    rmdir "$wheels/$target"
done

run twine check --strict "$wheels"/*
mkdir -p "$out/python"
cp "$wheels"/* "$out/python"
bill linkstream-python "$python_manifest" linkstream-python "${linux_targets[@]}" "$windows_target"
