# shellcheck shell=bash
# Stage: no clippy finding in any workspace

need_command g++ g++ # libfuzzer-sys builds libFuzzer even for a check
run cargo clippy --workspace --all-targets -- -D warnings
# Alone, so that the features which the other members switch on do not hide anything.
run cargo clippy -p linkstream --all-targets --no-default-features -- -D warnings
run cargo clippy -p linkstream --all-targets --all-features -- -D warnings
for manifest in $(side_manifests); do
    # That is for boards, and so is clippy: stage boards.
    [ "$manifest" != examples/firmware/Cargo.toml ] || continue
    # Without --all-targets: a binary that brings its own panic handler has no test build.
    run cargo clippy --manifest-path "$manifest" -- -D warnings
done
