# shellcheck shell=bash
# Full: lyncs_io and NumPy read files of the program, and the program reads theirs; `check --for lyncs`; the JSON schema; Python of the guide
# Full-packages: ssh-keygen/openssh-client

# lyncs_io 0.2.3 does not work with numpy 1.26 or newer, and older versions of numpy do not work with Python 3.12 or
# newer. From version 4.18 on, jsonschema needs compiled packages.
packages=("lyncs_io==0.2.3" "numpy<1.26" "jsonschema<4.18")

python_with_venv() {
    local candidate
    for candidate in python3.11 python3.10 python3.9 python3; do
        if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info >= (3, 12))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

# The environment is kept for the next run. It is created again if it is incomplete or has other packages.
environment=$PWD/target/interop-python
if [ "$(cat "$environment/complete" 2>/dev/null)" != "${packages[*]}" ]; then
    python=$(python_with_venv) || {
        need_packages python3 python3-venv
        python=$(python_with_venv) || fail "no Python from 3.9 to 3.11, which lyncs_io needs"
    }
    rm -rf "$environment"
    run "$python" -m venv "$environment"
    if ! run timeout 300 "$environment/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"; then
        [ "${CI:-}" != true ] || fail "lyncs_io cannot be installed, but CI must have it"
        echo "!!! INTEROPERABILITY WAS NOT TESTED: lyncs_io cannot be installed !!!"
        exit 0
    fi
    echo "${packages[*]}" >"$environment/complete"
fi

build_tested
program=$PWD/target/debug/linkstream
run "$environment/bin/python" .ci/interop.py "$program" "$CI_SCRATCH"
run "$environment/bin/python" .ci/guide.py "$program" "$CI_SCRATCH/guide" codec/src/guide/nightly.md codec/src/guide/numpy.md
fixtures=(host-tests/fixtures)
[ ! -d "$other_fixtures/wild" ] || fixtures+=("$other_fixtures/wild" "$other_fixtures/qio/wild")
run "$environment/bin/python" .ci/lyncs_answers.py "$program" "${fixtures[@]}"
run "$environment/bin/python" .ci/schema.py "$program" "$CI_SCRATCH" "${fixtures[@]}"
run env LINKSTREAM_PYTHON="$environment/bin/python" \
    cargo test --workspace --features "$tested_features" --test suite export::numpy -- --include-ignored
