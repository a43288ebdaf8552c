# shellcheck shell=bash disable=SC2154 # other_fixtures and tested_features are set in run and lib.sh
# Stage: the tests pass in a clone with nothing beside it; the tests with other projects' fixtures pass, if these are present
# Full: all cases of the tests that test a sample otherwise
# Share: 600

[ "$form" != full ] || export LINKSTREAM_LONG_TESTS=1 LINKSTREAM_KILL_CASES=1000
run env CI=true cargo test --workspace --features "$tested_features"

if [ -d "$other_fixtures/wild" ]; then
    run env CI=true cargo test --config "target.'cfg(all())'.runner=['env', 'LINKSTREAM_FIXTURES=$other_fixtures']" \
        --workspace --features "$tested_features" --tests -- --include-ignored of_other_projects
else
    echo "the fixtures of other projects are not beside the checkout: their tests were ignored"
fi
