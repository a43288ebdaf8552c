# shellcheck shell=bash
# Stage: the benchmarks run, briefly; their results are not checked

# In the profile of the tests, whose packages are compiled already.
run cargo bench --workspace --features "$tested_features" --profile dev --bench ratios --bench speed -- --quick
