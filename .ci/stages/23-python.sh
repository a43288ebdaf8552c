# shellcheck shell=bash disable=SC2154 # other_fixtures is set in run
# Stage: the Python package: built from its source distribution without optimisation, tested on the newest version, with mypy
# Full: clippy; optimised, on two versions, with stubtest, with all files, notebook and README; it compiles for free-threaded Python
# Share: 420
# Packages: rsync/rsync python3/python3 python3-venv

manifest=examples/python/Cargo.toml
python_target=$PWD/target/python

# The program: arrays must equal its exports.
build_tested
export CARGO_TARGET_DIR=$python_target LINKSTREAM=$PWD/target/debug/linkstream LINKSTREAM_FIXTURES=$other_fixtures
if [ "$form" != full ]; then
    run examples/python/run-tests --newest
    exit 0
fi

run cargo clippy --quiet --manifest-path "$manifest" --locked --target-dir "$python_target/cargo" --all-targets -- -D warnings

# All files.
export LINKSTREAM_LONG_TESTS=1

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

run examples/python/run-tests
