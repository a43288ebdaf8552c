# shellcheck shell=bash
# Stage: the tests pass in a clone with nothing beside it; the tests with other projects' fixtures pass, if these are present

fixtures=$(realpath -m "${LINKSTREAM_FIXTURES:-../shared/fixtures}")
unset LINKSTREAM_FIXTURES
export CI=true
enter_clone
run cargo test --workspace

if [ -d "$fixtures/wild" ]; then
    # The path of the fixtures is passed only when the tests run, so that nothing is compiled again.
    run cargo test --config "target.'cfg(all())'.runner=['env', 'LINKSTREAM_FIXTURES=$fixtures']" \
        --workspace --tests -- --include-ignored of_other_projects
else
    echo "the fixtures of other projects are not beside the checkout: their tests were ignored"
fi
