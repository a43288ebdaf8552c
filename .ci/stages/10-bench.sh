# shellcheck shell=bash disable=SC2154 # tested_features is set in lib.sh
# Full: the benchmarks run, briefly; their results are not checked

# In the profile of the tests, whose packages are compiled already.
run cargo bench --workspace --features "$tested_features" --profile dev --bench ratios --bench speed -- --quick
