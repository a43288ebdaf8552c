# shellcheck shell=bash
# Stage: packages of others are named by their hashes, have licences that fit, and no known fault
# Share: 30
# Packages: python3

mapfile -t manifests < <(echo Cargo.toml; side_manifests)
run python3 .ci/supply.py "${manifests[@]}"
