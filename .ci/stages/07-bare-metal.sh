# shellcheck shell=bash disable=SC2154 # bare_targets and quick_release are set in lib.sh
# Stage: the codec builds for microcontrollers and wasm without std, and linkstream-report with linkstream-access for wasm

# Uses rustup's targets that are installed. For the others, Debian's toolchain, which includes the source of the
# library, builds `core`, and only `core`: code that uses `alloc` does not compile there.

features=$(codec_features)
# `deflate` is the only feature that needs an allocator.
no_std_features=$(grep -vxE 'std|deflate' <<<"$features" | paste -sd,)

# The stage `web` needs this target too.
has_target wasm32-unknown-unknown || run rustup target add wasm32-unknown-unknown ||
    echo "rustup has no wasm32-unknown-unknown here"

ready=() absent=()
for target in "${bare_targets[@]}"; do
    if has_target "$target"; then ready+=("$target"); else absent+=("$target"); fi
done

if [ ${#ready[@]} -gt 0 ]; then
    for chosen in "" "$no_std_features"; do
        run env "${quick_release[@]}" cargo build -p linkstream --release --no-default-features --features="$chosen" \
            "${ready[@]/#/--target=}"
    done
fi

if [ ${#absent[@]} -gt 0 ]; then
    echo "with Debian's toolchain, or first: rustup target add ${absent[*]}"
    need_packages rustc-web cargo-web rust-web-src
    for chosen in "" "$no_std_features"; do
        # A target directory of its own: two compilers in one directory would discard each other's results.
        run env "${quick_release[@]}" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
            /usr/bin/cargo build --target-dir target/debian \
            -Z build-std=core -p linkstream --release --no-default-features --features="$chosen" \
            "${absent[@]/#/--target=}"
    done
fi

# Reports are also made in browsers, without threads.
report=(check -p linkstream-report --no-default-features --target wasm32-unknown-unknown)
if has_target wasm32-unknown-unknown; then
    run cargo "${report[@]}"
else
    run env RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 /usr/bin/cargo "${report[@]}" --target-dir target/debian \
        -Z build-std=std,panic_abort
fi
