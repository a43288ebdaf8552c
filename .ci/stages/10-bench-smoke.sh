# shellcheck shell=bash
# Stage: the benchmarks run, briefly; their results are not checked

run cargo bench -p host-tests -- --quick
run cargo bench -p linkstream-cli --bench speed -- --quick
