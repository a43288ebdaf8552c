# shellcheck shell=bash
# Stage: no source files import each other; the modules of the codec import only from the layers below them
# Share: 20
# Packages: python3/python3-minimal

run python3 .ci/import_cycles.py --self-test
roots=(codec/src/lib.rs examples/cli/src/main.rs)
for package in access report arithmetic parallel parallel-check heatbath memory pack mpi; do
    roots+=("examples/$package/src/lib.rs")
done
roots+=(examples/c/*/src/lib.rs examples/python/src/lib.rs)
run python3 .ci/import_cycles.py "${roots[@]}"
