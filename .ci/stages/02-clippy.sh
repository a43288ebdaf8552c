# shellcheck shell=bash
# Stage: no clippy finding in any workspace

need_command g++ g++ # libfuzzer-sys builds libFuzzer even for a check
run cargo clippy --workspace --all-targets -- -D warnings
# Alone, so that the features which the other members switch on do not hide anything.
run cargo clippy -p linkstream --all-targets --no-default-features -- -D warnings
run cargo clippy -p linkstream --all-targets --all-features -- -D warnings
for manifest in $(side_manifests); do
    # Those are for boards and for browsers, and so is clippy: stages boards and web.
    case $manifest in examples/firmware/* | examples/web/*) continue ;; esac
    # Without --all-targets: a binary that brings its own panic handler has no test build.
    run cargo clippy --manifest-path "$manifest" -- -D warnings
done
