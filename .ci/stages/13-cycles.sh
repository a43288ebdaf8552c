# shellcheck shell=bash
# Stage: no source files of the codec or of the program import each other

need_command python3 python3-minimal
run python3 .ci/import_cycles.py --self-test
run python3 .ci/import_cycles.py codec/src/lib.rs examples/cli/src/main.rs examples/report/src/lib.rs examples/arithmetic/src/lib.rs
