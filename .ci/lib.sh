# shellcheck shell=bash
# Functions that several stages use. Sourced by run; the current directory is the project's root.

CI_SCRATCH=$(mktemp -d)

# The manifests of the workspaces other than the main one, as far as they exist.
side_manifests() {
    local manifest
    for manifest in examples/{firmware,firmware/io-node,firmware/dma-ring,web,mpi,c,c/embedded,c/fuzz,python}/Cargo.toml fuzz/Cargo.toml host-tests/proofs/Cargo.toml; do
        if [ -f "$manifest" ]; then echo "$manifest"; fi
    done
}

# Prints a command so that a reader of the log can repeat it, then runs it. Says how long it took if that is long.
run() {
    local start=$SECONDS status=0
    printf '$ %s\n' "$*"
    "$@" || status=$?
    [ $((SECONDS - start)) -lt 10 ] || printf '(%d s)\n' $((SECONDS - start))
    return $status
}

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# Installs the given Debian packages, as far as they are missing.
need_packages() {
    local package missing=()
    for package in "$@"; do
        if [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
            missing+=("$package")
        fi
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || fail "please install: ${missing[*]} (there is no apt-get here)"
    if [ ! -e "$CI_SCRATCH/apt-is-fresh" ]; then
        run as_root apt-get -qq update
        touch "$CI_SCRATCH/apt-is-fresh"
    fi
    run as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
        -o Dpkg::Use-Pty=0 --no-install-recommends "${missing[@]}"
}

# Installs the Debian package $2 if the command $1 is missing.
need_command() {
    command -v "$1" >/dev/null || need_packages "$2"
}

# The features of the codec, one per line, read from its manifest so that no feature is forgotten.
codec_features() {
    need_command python3 python3-minimal >&2
    cargo metadata --no-deps --format-version 1 | python3 -c '
import json, sys
codec, = (p for p in json.load(sys.stdin)["packages"] if p["name"] == "linkstream")
print(*sorted(set(codec["features"]) - {"default"}), sep="\n")'
}

# The targets without an operating system. The codec must build for all of them.
# shellcheck disable=SC2034 # used by the stages
bare_targets=(thumbv6m-none-eabi thumbv7em-none-eabihf riscv32imac-unknown-none-elf wasm32-unknown-unknown)

# Environment of cargo for release builds that run once, on small files: they are compiled in less time.
quick_release=(CARGO_PROFILE_RELEASE_{LTO=off,CODEGEN_UNITS=16,OPT_LEVEL=0,DEBUG=false})

# The features of the tests. The simulation that checkpoints is not part of the default features.
# shellcheck disable=SC2034 # used by the stages
tested_features=linkstream-heatbath/job

# Installs the tools for building for the boards and emulating them. The budget holds for Debian's compiler.
need_board_tools() {
    need_packages qemu-system-arm qemu-system-misc rustc-web cargo-web rust-web-src lld mtools dosfstools
    command -v defmt-print >/dev/null || run cargo install defmt-print --locked
}

# Runs clippy on firmware, with Debian's compiler: lint_firmware MANIFEST TARGET [OPTION...]
lint_firmware() {
    # Clippy must match the compiler.
    need_packages rustc-web cargo-web rust-web-src rust-web-clippy
    run env --unset=RUSTUP_TOOLCHAIN PATH=/usr/bin:"$PATH" RUSTC_BOOTSTRAP=1 cargo clippy -Z build-std=core \
        --manifest-path "$1" --target-dir target/firmware/clippy --target "$2" "${@:3}" -- -D warnings
}

# Succeeds if the current toolchain has `core` for this target.
has_target() {
    compgen -G "$(rustc --print sysroot)/lib/rustlib/$1/lib/libcore-*.rlib" >/dev/null
}

# Builds the program that the stage `test` tests, target/debug/linkstream. With the whole workspace and its tests,
# because the selected packages determine the features that are enabled, and other features compile most packages again.
build_tested() {
    run cargo test --quiet --workspace --features "$tested_features" --no-run
}

# Builds `linkstream` and `boards` in target/release. In one call, and not by `cargo run`: the selected packages determine
# the features that are enabled. `boards` compiles the firmware as it is released. Not for measuring their speed.
build_programs() {
    run env "${quick_release[@]}" cargo build --quiet --release -p boards -p linkstream-cli
}

# Changes to a clone of the checkout, which has only the files that a new clone of the repository has: files that are
# ignored or untracked are missing. Uncommitted changes to tracked files are included. The clone is kept, with a target
# directory of its own, so that the next run compiles only what has changed. A shared target directory would not work:
# Cargo distinguishes programs of the checkout and of the clone by the modification times of their sources, not by their
# paths. For the same reason, no stage compiles in another copy of the sources.
enter_clone() {
    local root=$PWD clone=$PWD/target/clone commit
    commit=$(git stash create)
    commit=${commit:-$(git rev-parse HEAD)}
    git ls-files --others --exclude-standard | sed 's/^/unknown to git, so not tested: /'
    if [ ! -d "$clone/.git" ]; then
        rm -rf "$clone"
        run git clone --quiet --shared --no-checkout "$root" "$clone"
    fi
    run git -C "$clone" checkout --quiet --force --detach "$commit"
    run git -C "$clone" clean -ffdxq --exclude=target
    unset CARGO_TARGET_DIR
    cd "$clone" || exit
}
