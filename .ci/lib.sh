# shellcheck shell=bash
# Functions that several stages use. Sourced by run; the current directory is the project's root.

# Files of one run: CI_SHARED of all stages, CI_SCRATCH of one.
CI_SHARED=$(mktemp -d)
CI_SCRATCH=$CI_SHARED

# The manifests of the workspaces other than the main one, as far as they exist.
side_manifests() {
    local manifest
    for manifest in examples/{firmware,firmware/io-node,firmware/dma-ring,web,mpi,c,c/embedded,c/fuzz,python}/Cargo.toml fuzz/Cargo.toml host-tests/proofs/Cargo.toml; do
        if [ -f "$manifest" ]; then echo "$manifest"; fi
    done
}

# Sets `processor` to the seconds of processor time of all commands that this shell has waited for.
measure_processor() {
    local file=$CI_SHARED/times.$BASHPID
    times >"$file" # not in a pipeline or substitution: a subshell has times of its own
    processor=$(awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/); printf "%d", 60 * (u[1] + s[1]) + u[2] + s[2] }' "$file")
}

# Says how long a command took if that is long, and keeps it for the table of the slowest: note_duration START PROCESSOR WORD...
note_duration() {
    local duration=$((SECONDS - $1)) before=$2
    shift 2
    [ $duration -ge 10 ] || return 0
    measure_processor
    printf '(%d s, of the processors %d s)\n' $duration $((processor - before))
    printf '%5d s %5d s  %-14s %.110s\n' $duration $((processor - before)) "${stage:-clone}" "$*" >>"$CI_SHARED/commands"
}

# Prints a command so that a reader of the log can repeat it, then runs it.
run() {
    local start=$SECONDS status=0 processor
    measure_processor
    local before=$processor
    printf '$ %s\n' "$*"
    "$@" || status=$?
    note_duration "$start" "$before" "$@"
    return $status
}

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# Prints the missing ones of the given Debian packages. COMMAND/PACKAGE is missing only if there is no such command.
missing_packages() {
    local package
    for package; do
        if [[ $package == */* ]] && command -v "${package%/*}" >/dev/null; then continue; fi
        package=${package#*/}
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
    done
}

# Installs the given Debian packages, as far as they are missing. Waits for an installation that another stage has begun.
need_packages() {
    [ -n "$(missing_packages "$@")" ] || return 0
    command -v apt-get >/dev/null || fail "please install: $(missing_packages "$@" | xargs) (there is no apt-get here)"
    local missing lock
    exec {lock}>"$CI_SHARED/packages.lock"
    flock "$lock"
    mapfile -t missing < <(missing_packages "$@")
    if [ ${#missing[@]} -gt 0 ]; then
        [ -e "$CI_SHARED/apt-is-fresh" ] || run as_root apt-get -qq update
        touch "$CI_SHARED/apt-is-fresh"
        run as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
            -o Dpkg::Use-Pty=0 --no-install-recommends "${missing[@]}" {lock}>&-
    fi
    exec {lock}>&-
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

# The features of the tests. The simulation that checkpoints is not part of the default features.
# shellcheck disable=SC2034 # used by the stages
tested_features=linkstream-heatbath/job

# The version of defmt-print that the stages for boards install.
defmt_print=1.2.0

# The version of mdbook that makes the book.
mdbook=0.4.52

# Installs a program with cargo, if it or this version is missing: need_tool NAME VERSION. Without optimisation: compiling
# takes longer than such a program then runs.
need_tool() {
    cargo install --list 2>/dev/null | grep -qx "$1 v$2:" ||
        run cargo install --quiet --debug --locked --target-dir "$PWD/target/tools" --version "$2" "$1"
}

# Runs clippy on firmware, with Debian's compiler: lint_firmware MANIFEST TARGET [OPTION...]
lint_firmware() {
    # Clippy must match the compiler: it is Debian's, rust-web-clippy.
    run env --unset=RUSTUP_TOOLCHAIN PATH=/usr/bin:"$PATH" RUSTC_BOOTSTRAP=1 cargo clippy -Z build-std=core \
        --manifest-path "$1" --target-dir target/firmware/clippy --target "$2" "${@:3}" -- -D warnings
}

# Succeeds if the current toolchain has `core` for this target.
has_target() {
    compgen -G "$(rustc --print sysroot)/lib/rustlib/$1/lib/libcore-*.rlib" >/dev/null
}

# Builds the programs of the main workspace, target/debug/linkstream and target/debug/boards. With the whole workspace and
# its tests, because the selected packages determine the features that are enabled, and other features compile most
# packages again.
build_tested() {
    run cargo build --quiet --workspace --features "$tested_features" --lib --bins --tests
}

# Changes to a clone of the checkout, which has only the files that a new clone of the repository has: files that are
# ignored or untracked are missing. Uncommitted changes to tracked files are included. The clone is kept, with a target
# directory of its own, so that the next run compiles only what has changed. A shared target directory would not work:
# Cargo distinguishes programs of the checkout and of the clone by the modification times of their sources, not by their
# paths. For the same reason, no stage compiles in another copy of the sources.
enter_clone() {
    local root=$PWD clone=$PWD/target/clone commit
    mkdir -p target
    exec {clone_lock}>target/clone.lock
    flock --nonblock "$clone_lock" || fail "another run uses target/clone"
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

# Prepares Wine for programs in a directory: Wine 8 lacks a library of Windows 10 that Rust's standard library needs for
# random numbers. It is made beside the programs.
prepare_wine() {
    local library=$1/bcryptprimitives.dll
    export WINEDEBUG=-all WINEPREFIX=$CI_SCRATCH/wine
    # Programs that begin while the first one makes this directory can fail.
    [ -d "$WINEPREFIX" ] || run wineboot --init
    [ ! -e "$library" ] || return 0
    cat >"$CI_SCRATCH/random.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T length) { return SystemFunction036(to, (ULONG)length); }
C
    run x86_64-w64-mingw32-gcc -shared -o "$library" "$CI_SCRATCH/random.c" -ladvapi32
}
