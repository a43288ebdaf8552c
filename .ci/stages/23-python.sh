# shellcheck shell=bash
# Stage: the Python package: built from its source distribution, tested on two versions, with types, notebook and README

need_packages rsync
need_command python3 python3
need_packages python3-venv

manifest=examples/python/Cargo.toml
python_target=$PWD/target/python
run cargo clippy --manifest-path "$manifest" --locked --target-dir "$python_target/cargo" --all-targets -- -D warnings

# No free-threaded Python is installed here: the package must compile for 3.14.
free_threaded=$python_target/free-threaded.txt
cat >"$free_threaded.new" <<'CONFIGURATION'
implementation=CPython
version=3.14
shared=true
target_abi=CPython-free_threaded-3.14
pointer_width=64
build_flags=Py_GIL_DISABLED
CONFIGURATION
# A file that is written again would be compiled for again.
cmp -s "$free_threaded.new" "$free_threaded" || mv "$free_threaded.new" "$free_threaded"
run env PYO3_CONFIG_FILE="$free_threaded" \
    cargo check --manifest-path "$manifest" --locked --target-dir "$python_target/free-threaded"

# The program: arrays must equal its exports. The ensemble of the notebook.
build_tested
run cargo build --locked -p linkstream-heatbath --features job --example ensemble
program=$PWD/target/debug/linkstream
run env CARGO_TARGET_DIR="$python_target" LINKSTREAM="$program" LINKSTREAM_FIXTURES="$other_fixtures" \
    examples/python/run-tests
