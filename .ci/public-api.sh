#!/usr/bin/env bash
# Prints the public items of the codec with all features, one per line. To update the committed list:
#
#   .ci/public-api.sh > codec/public-api.txt
#
# The form of the list depends on the version of cargo-public-api, and little on that of the nightly compiler; the
# committed list was made with the nightly of 20 May 2026. If a newer nightly is not supported, install that one and set
# LINKSTREAM_NIGHTLY=nightly-2026-05-20.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=0.52.0
nightly=${LINKSTREAM_NIGHTLY:-nightly}
if [ "$(cargo public-api --version 2>/dev/null)" != "cargo-public-api $version" ]; then
    cargo install cargo-public-api --version "$version" --locked >&2
fi
if ! cargo "+$nightly" --version >/dev/null 2>&1; then
    rustup toolchain install "$nightly" --profile minimal >&2
fi

# The methods of derived traits follow from the lines with their implementations, which are listed. Those that the
# compiler implements for every type with the same fields (Send, Unpin), or for all types, are left out.
derived='clone|cmp|eq|fmt|hash|partial_cmp'
env --unset=RUSTFLAGS --unset=RUSTDOCFLAGS cargo "+$nightly" public-api -ss --package linkstream --all-features |
    grep -vE "^pub fn [^(]*::($derived)\(|^impl.* core::marker::StructuralPartialEq for "
