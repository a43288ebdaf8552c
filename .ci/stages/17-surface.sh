# shellcheck shell=bash
# Stage: the public items of the codec equal codec/public-api.txt
# Share: 120

nightly=${LINKSTREAM_NIGHTLY:-nightly}
if ! cargo "+$nightly" --version >/dev/null 2>&1 &&
    ! run timeout 300 rustup toolchain install "$nightly" --profile minimal; then
    [ "${CI:-}" != true ] || fail "the list of public items needs a nightly compiler"
    echo "!!! THE PUBLIC ITEMS WERE NOT COMPARED: no nightly compiler can be installed !!!"
    exit 0
fi

# A change of the list is a change of the interface, to be reviewed with the code.
printf '$ .ci/public-api.sh\n'
.ci/public-api.sh >"$CI_SCRATCH/public-api.txt"
if ! diff --unified=0 codec/public-api.txt "$CI_SCRATCH/public-api.txt"; then
    fail "the public items have changed; if that is intended: .ci/public-api.sh > codec/public-api.txt"
fi
