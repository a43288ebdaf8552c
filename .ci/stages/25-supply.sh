# shellcheck shell=bash
# Stage: packages of others are named by their hashes, have licences that fit and can be copied, and no known fault
# Share: 30
# Packages: python3

mapfile -t manifests < <(echo Cargo.toml; side_manifests)
run python3 .ci/supply.py "${manifests[@]}"

# A release copies the licences of all packages in each artefact.
# shellcheck source=.ci/release.d/lib.sh
source .ci/release.d/lib.sh
licences() { python3 .ci/release.d/licences.py "$@" >"$CI_SCRATCH/licences"; }
licences Cargo.toml linkstream-cli "${linux_targets[@]}" "$windows_target"
licences "$python_manifest" linkstream-python "${linux_targets[@]}" "$windows_target"
licences "$c_manifest" "$c_roots" "${c_targets[@]}"
licences "$web_manifest" "$web_modules" wasm32-unknown-unknown
