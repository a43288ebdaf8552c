# shellcheck shell=bash
# Stage: the codec builds with each feature alone, and passes its tests with none and with all
# Beside: each command compiles a single crate.

features=$(codec_features)
[ -n "$features" ] || fail "cargo metadata names no feature of the codec"

for feature in $features; do
    run cargo check -p linkstream --no-default-features --features "$feature"
done
# Optimising the codec takes longer than it then saves: the stage `test` has the long tests.
for chosen in --no-default-features --all-features; do
    run env CI=true cargo test --config profile.dev.package.linkstream.opt-level=0 -p linkstream "$chosen"
done
