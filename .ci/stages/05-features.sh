# shellcheck shell=bash
# Stage: the codec passes its tests with no features and with all
# Full: with documentation tests; it also builds with each feature alone
# Share: 150
# Packages: python3/python3-minimal

if [ "$form" = full ]; then
    features=$(codec_features)
    [ -n "$features" ] || fail "cargo metadata names no feature of the codec"
    for feature in $features; do
        run cargo check --quiet -p linkstream --no-default-features --features "$feature"
    done
fi
# Optimising the codec takes longer than it then saves: the stage `test` has the long tests.
kinds=(--lib --tests)
[ "$form" != full ] || kinds=()
for chosen in --no-default-features --all-features; do
    run env CI=true cargo test --config profile.dev.package.linkstream.opt-level=0 -p linkstream "$chosen" "${kinds[@]}"
done
