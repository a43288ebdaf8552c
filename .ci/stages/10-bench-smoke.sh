# shellcheck shell=bash
# Stage: the benchmarks run, shortly; how fast they are is for a reader to judge

run cargo bench -p host-tests -- --quick
run cargo bench -p linkstream-cli --bench speed -- --quick
