# shellcheck shell=bash
# Stage: the tests pass in a clone with nothing beside it; where they are, also those of other projects' fixtures

# As somebody has it who has just cloned the repository: what git ignores, or has not been told of, is missing there.
# Changes of the checkout that are not committed yet are included. The clone is kept with a target folder of its own, so
# that the next run compiles only what has changed. In a shared one Cargo would take programs of the checkout for those
# of the clone: what distinguishes them is the time of their files, not the path.
root=$PWD
clone=$root/target/clone
commit=$(git stash create)
commit=${commit:-$(git rev-parse HEAD)}
git ls-files --others --exclude-standard | sed 's/^/unknown to git, so not tested: /'
if [ ! -d "$clone/.git" ]; then
    rm -rf "$clone"
    run git clone --quiet --shared --no-checkout "$root" "$clone"
fi
run git -C "$clone" checkout --quiet --force --detach "$commit"
run git -C "$clone" clean -ffdxq --exclude=/target

fixtures=${LINKSTREAM_FIXTURES:-$root/../shared/fixtures}
unset LINKSTREAM_FIXTURES
export CARGO_TARGET_DIR=$clone/target CI=true
cd "$clone" || exit
run cargo test --workspace

if [ -d "$fixtures/wild" ]; then
    # The same programs, which are told where the files are only when they run: nothing is compiled again.
    run cargo test --config "target.'cfg(all())'.runner=['env', 'LINKSTREAM_FIXTURES=$(realpath "$fixtures")']" \
        --workspace --tests -- --include-ignored of_other_projects
else
    echo "the fixtures of other projects are not beside the checkout: their tests were ignored"
fi
