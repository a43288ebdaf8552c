# shellcheck shell=bash
# Full: 20,000 cases of random damage to good files of every format: no verdict `ok` for data that differ

cases=${LINKSTREAM_DAMAGE_CASES:-20000}
run env "LINKSTREAM_DAMAGE_CASES=$cases" cargo test -p linkstream-cli --test suite damage:: -- --nocapture
