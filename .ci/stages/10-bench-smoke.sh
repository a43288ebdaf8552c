# shellcheck shell=bash disable=SC2154 # quick_release is set in lib.sh
# Stage: the benchmarks run, briefly; their results are not checked

run env "${quick_release[@]}" cargo bench -p host-tests -- --quick
run env "${quick_release[@]}" cargo bench -p linkstream-cli --bench speed -- --quick
