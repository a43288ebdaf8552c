# shellcheck shell=bash
# Stage: the public items of the codec are those of codec/public-api.txt

# A change of the list is a change of the interface, to be reviewed with the code: see .ci/public-api.sh.
printf '$ .ci/public-api.sh\n'
.ci/public-api.sh >"$CI_SCRATCH/public-api.txt"
[ -s "$CI_SCRATCH/public-api.txt" ] || fail "the list of public items is empty"
if ! diff --unified=0 codec/public-api.txt "$CI_SCRATCH/public-api.txt"; then
    fail "the public items have changed; if that is intended: .ci/public-api.sh > codec/public-api.txt"
fi
