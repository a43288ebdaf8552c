# shellcheck shell=bash
# Stage: each fuzz target finds nothing for 3 seconds, starting from the committed seeds
# Full: for a minute; the C libraries with the address sanitizer
# Share: 240
# Packages: g++/g++

default=3
[ "$form" != full ] || default=60
seconds=${LINKSTREAM_FUZZ_SECONDS:-$default}
# The same inputs in every run, so that a failure can be reproduced; LINKSTREAM_FUZZ_SEED=0 selects a random seed.
seed=${LINKSTREAM_FUZZ_SEED:-1}

if [ ! -f fuzz/Cargo.toml ]; then
    echo "there is no fuzz/Cargo.toml: nothing to fuzz"
    exit 0
fi
if [ "${LINKSTREAM_SKIP_FUZZ:-}" = 1 ]; then
    echo "!!! FUZZING WAS LEFT OUT, because LINKSTREAM_SKIP_FUZZ=1 !!!"
    exit 0
fi

need_tool cargo-fuzz 0.13.2

# cargo-fuzz needs a nightly compiler. If none can be installed, the stable one with nightly features unlocked works
# too, provided that it includes the address sanitizer.
nightly_works() { cargo +nightly --version >/dev/null 2>&1; }
if ! nightly_works; then
    run timeout 300 rustup toolchain install nightly --profile minimal || echo "nightly cannot be installed"
fi
if nightly_works; then
    fuzz=(cargo +nightly fuzz)
elif compgen -G "$(rustc --print target-libdir)/librustc-*_rt.asan.a" >/dev/null; then
    fuzz=(env RUSTC_BOOTSTRAP=1 cargo fuzz)
else
    fail "fuzzing needs a nightly toolchain (rustup toolchain install nightly); LINKSTREAM_SKIP_FUZZ=1 leaves it out"
fi

# One target directory for both directories, so that libFuzzer is compiled once.
built=$PWD/target/fuzz

# For three seconds a target, only the codec and what adds numbers are optimised: compiling takes two thirds of the time.
[ "$form" = full ] || export CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_DEBUG=false

# Fuzzes one target: fuzz_target LOG DIRECTORY SANITIZER TARGET SECONDS [OPTION...]. The output is kept in LOG, because several
# targets run at the same time. LOG.ok exists afterwards if nothing was found.
fuzz_target() {
    local log=$1 directory=$2 sanitizer=$3 target=$4 seconds=$5
    shift 5
    # libFuzzer writes new inputs to the first directory, which git ignores, and only reads the second.
    mkdir -p "$directory/corpus/$target"
    run "${fuzz[@]}" run --sanitizer "$sanitizer" --fuzz-dir "$directory" --target-dir "$built" "$target" "$directory/corpus/$target" "$directory/seeds/$target" -- \
        -max_total_time="$seconds" -seed="$seed" "$@" >"$log" 2>&1
    touch "$log.ok"
}

# Fuzzes each target of a directory for so many seconds, on all cores: fuzz_directory DIRECTORY SANITIZER SECONDS [OPTION...]
fuzz_directory() {
    local directory=$1 target targets logs failed=()
    targets=$("${fuzz[@]}" list --fuzz-dir "$directory")
    [ -n "$targets" ] || fail "$directory/Cargo.toml has no target"
    for target in $targets; do
        compgen -G "$directory/seeds/$target/*" >/dev/null || fail "no seeds in $directory/seeds/$target"
    done
    run "${fuzz[@]}" build --sanitizer "$2" --fuzz-dir "$directory" --target-dir "$built"
    logs=$(mktemp -d -p "$CI_SCRATCH")
    for target in $targets; do
        while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
        fuzz_target "$logs/$target" "$directory" "$2" "$target" "${@:3}" &
    done
    wait
    for target in $targets; do
        cat "$logs/$target"
        [ -e "$logs/$target.ok" ] || failed+=("$target")
    done
    [ ${#failed[@]} -eq 0 ] || fail "found something, or did not run: ${failed[*]}"
}

# Without a sanitizer: there is no unsafe code to check, and instrumenting it takes minutes.
fuzz_directory fuzz none "$seconds"

# Programs of calls of the C libraries, with limits of memory and time: what a call allocates must be justified by the size
# of its file. In the full form with the address sanitizer: everything is compiled once more.
sanitizer=none
[ "$form" != full ] || sanitizer=address
fuzz_directory examples/c/fuzz $sanitizer "$seconds" -rss_limit_mb=1024 -malloc_limit_mb=256 -timeout=20
