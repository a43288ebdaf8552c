# shellcheck shell=bash
# Stage: the codec builds with each feature alone, and passes its tests with none and with all

features=$(codec_features)
[ -n "$features" ] || fail "cargo metadata names no feature of the codec"

for feature in $features; do
    run cargo check -p linkstream --no-default-features --features "$feature"
done
run env CI=true cargo test -p linkstream --no-default-features
run env CI=true cargo test -p linkstream --all-features
