# shellcheck shell=bash disable=SC2154 # the variables are set in release
# The program, for each target: an archive with manual pages, completions and licences.

need_packages mingw-w64 binutils-mingw-w64-x86-64 wine wine64 zip/zip debootstrap/debootstrap debian-archive-keyring binutils/binutils file/file qemu-aarch64/qemu-user libc6-arm64-cross
binary_limit=6000000

# Compiles for a target, and sets `binary` to the path of the program.
compile() {
    need_target "$1"
    binary=$CARGO_TARGET_DIR/$1/dist/linkstream
    local cargo=(cargo zigbuild) name=$1
    case $1 in
        *-linux-gnu) name+=.$oldest_glibc ;;
        *windows*) cargo=(cargo build) binary+=.exe ;;
    esac
    run env RUSTFLAGS="$(remapped)" "${cargo[@]}" --quiet --locked --profile dist -p linkstream-cli --target "$name"
    # The profile's `strip` leaves 0.9 MB of symbols there.
    [[ $1 != *windows* ]] || run x86_64-w64-mingw32-strip "$binary"
}

# Prints the command that runs a program of this target here.
runner_of() {
    case $1 in
        aarch64*-musl) echo qemu-aarch64 ;;
        aarch64*-gnu) echo qemu-aarch64 -L /usr/aarch64-linux-gnu ;;
        x86_64-unknown-linux-*) echo env ;;
        *windows*) echo wine ;;
    esac
}

# Runs a program with the oldest glibc that Debian still serves, 2.31 of Debian 11.
try_old() {
    local system=$work/debian-11
    if [ ! -e "$system/complete" ]; then
        as_root rm -rf "$system"
        # Unpacked only: the C library is all that is needed.
        run as_root debootstrap --foreign --variant=minbase bullseye "$system" >"$CI_SCRATCH/debootstrap.log" ||
            { tail "$CI_SCRATCH/debootstrap.log"; return 1; }
        as_root touch "$system/complete"
    fi
    as_root cp "$1" examples/su3-4x4x4x8.lime "$system"
    run as_root chroot "$system" /linkstream check --quiet /su3-4x4x4x8.lime
}

# Runs a static program in a system that has no other file.
try_alone() {
    local system=$CI_SCRATCH/empty
    mkdir "$system"
    cp "$1" examples/su3-4x4x4x8.lime "$system"
    run as_root chroot "$system" /linkstream check --quiet /su3-4x4x4x8.lime
}

# Pages and completions come from the program for this machine; they are the same for all.
texts=$CI_SCRATCH/texts
compile x86_64-unknown-linux-musl
mkdir -p "$texts/completions"
"$binary" man "$texts/man/man1"
"$binary" completions bash >"$texts/completions/linkstream.bash"
"$binary" completions fish >"$texts/completions/linkstream.fish"
"$binary" completions zsh >"$texts/completions/_linkstream"
"$binary" completions powershell >"$texts/completions/_linkstream.ps1"

for target in $(chosen_targets "${linux_targets[@]}" "$windows_target"); do
    compile "$target"
    size=$(stat -c %s "$binary")
    echo "$target: $size bytes"
    [ "$size" -lt $binary_limit ] || fail "the program for $target has more than $binary_limit bytes"
    ! strings -n 8 "$binary" | grep -m 3 -F -e "$work" -e "$HOME/" || fail "the program for $target has paths of this machine"
    case $target in
        *-linux-gnu) check_glibc "$binary" ;;
        *-musl) [[ $(file "$binary") == *static* ]] || fail "the program for $target is not static" ;;
    esac
    case $target in
        *windows*) prepare_wine "$(dirname "$binary")" ;;
    esac
    read -ra runner < <(runner_of "$target")
    said=$("${runner[@]}" "$binary" --version | tr -d '\r')
    [ "$said" = "linkstream $version" ] || fail "the program for $target says: $said"
    run "${runner[@]}" "$binary" check --quiet examples/su3-4x4x4x8.lime
    case $target in
        x86_64*-linux-gnu) try_old "$binary" ;;
        x86_64*-musl) try_alone "$binary" ;;
    esac
    name=linkstream-$version-$target
    mkdir "$CI_SCRATCH/$name"
    cp -r "$binary" "$texts"/* README.md CHANGELOG.md "$CI_SCRATCH/$name"
    put_licences "$CI_SCRATCH/$name/licences" Cargo.toml linkstream-cli "$target"
    case $target in
        *windows*) packed_zip "$name" ;;
        *) packed_tar "$name" ;;
    esac
done
bill linkstream-program Cargo.toml linkstream-cli "${linux_targets[@]}" "$windows_target"
