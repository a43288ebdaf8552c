# shellcheck shell=bash
# Stage: each fuzz target finds nothing for 10 seconds, starting from the committed seeds

seconds=${LINKSTREAM_FUZZ_SECONDS:-10}
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

need_command g++ g++
if ! cargo fuzz --version >/dev/null 2>&1; then
    run cargo install cargo-fuzz --locked
fi

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

targets=$("${fuzz[@]}" list)
[ -n "$targets" ] || fail "fuzz/Cargo.toml has no target"
for target in $targets; do
    seeds=fuzz/seeds/$target
    compgen -G "$seeds/*" >/dev/null || fail "no seeds in $seeds"
    # libFuzzer writes new inputs to the first directory, which git ignores, and only reads the second.
    mkdir -p "fuzz/corpus/$target"
    run "${fuzz[@]}" run "$target" "fuzz/corpus/$target" "$seeds" -- -max_total_time="$seconds" -seed="$seed"
done
