# shellcheck shell=bash
# Stage: no source files import each other; the modules of the codec import only from the layers below them

need_command python3 python3-minimal
run python3 .ci/import_cycles.py --self-test
run python3 .ci/import_cycles.py codec/src/lib.rs examples/cli/src/main.rs examples/access/src/lib.rs examples/report/src/lib.rs examples/arithmetic/src/lib.rs examples/parallel/src/lib.rs
