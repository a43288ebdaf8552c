# shellcheck shell=bash
# Stage: the tests pass in a clone with nothing beside it; the tests with other projects' fixtures pass, if these are present

export CI=true
run cargo test --workspace --features "$tested_features"

if [ -d "$other_fixtures/wild" ]; then
    run cargo test --config "target.'cfg(all())'.runner=['env', 'LINKSTREAM_FIXTURES=$other_fixtures']" \
        --workspace --features "$tested_features" --tests -- --include-ignored of_other_projects
else
    echo "the fixtures of other projects are not beside the checkout: their tests were ignored"
fi
