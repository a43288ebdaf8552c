# shellcheck shell=bash disable=SC2154 # bare_targets is set in lib.sh
# Stage: the codec builds for a microcontroller without std and alloc, with all features that need neither
# Full: without features too, for every microcontroller and wasm; linkstream-report with linkstream-access for wasm
# Share: 60
# Packages: rustc-web cargo-web rust-web-src python3/python3-minimal

# Uses rustup's targets that are installed. For the others, Debian's toolchain, which includes the source of the
# library, builds `core`, and only `core`: code that uses `alloc` does not compile there.

features=$(codec_features)
# `deflate` is the only feature that needs an allocator.
no_std_features=$(grep -vxE 'std|deflate' <<<"$features" | paste -sd,)

forms=("$no_std_features")
[ "$form" != full ] || forms+=("")
ready=() absent=()
# A check is enough to see that nothing of std or alloc is used.
command=build
[ "$form" = full ] || bare_targets=(thumbv6m-none-eabi) command=check
for target in "${bare_targets[@]}"; do
    if has_target "$target"; then ready+=("$target"); else absent+=("$target"); fi
done

if [ ${#ready[@]} -gt 0 ]; then
    for chosen in "${forms[@]}"; do
        run cargo $command --quiet -p linkstream --no-default-features --features="$chosen" "${ready[@]/#/--target=}"
    done
fi

if [ ${#absent[@]} -gt 0 ]; then
    echo "with Debian's toolchain, or first: rustup target add ${absent[*]}"
    for chosen in "${forms[@]}"; do
        # A target directory of its own: two compilers in one directory would discard each other's results.
        run env RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_PROFILE_DEV_PANIC=abort \
            /usr/bin/cargo $command --quiet --target-dir target/debian \
            -Z build-std=core -p linkstream --no-default-features --features="$chosen" "${absent[@]/#/--target=}"
    done
fi
[ "$form" = full ] || exit 0

# Reports are also made in browsers, without threads.
report=(check --quiet -p linkstream-report --no-default-features --target wasm32-unknown-unknown)
if has_target wasm32-unknown-unknown; then
    run cargo "${report[@]}"
else
    run env RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 /usr/bin/cargo "${report[@]}" --target-dir target/debian \
        -Z build-std=std,panic_abort
fi
