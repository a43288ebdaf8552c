#!/usr/bin/env bash
# Prints the public items of the codec with all features; .ci/public_api.py says how. To update the committed list:
#
#   .ci/public-api.sh > codec/public-api.txt
#
# It needs a nightly compiler, called `nightly` or as the variable LINKSTREAM_NIGHTLY says. cargo-public-api supports
# the nightlies of some months; the committed list was made with the nightly of 20 May 2026 (nightly-2026-05-20).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=0.52.0
nightly=${LINKSTREAM_NIGHTLY:-nightly}
if [ "$(cargo public-api --version 2>/dev/null)" != "cargo-public-api $version" ]; then
    # Without optimisation: compiling takes longer than it then runs.
    cargo install --quiet --debug cargo-public-api --version "$version" --locked >&2
fi

# -sss leaves out derived traits, and traits that the compiler implements for all types or for every type with the same
# fields (Send, Unpin).
env --unset=RUSTFLAGS --unset=RUSTDOCFLAGS cargo "+$nightly" public-api -sss --package linkstream --all-features |
    python3 .ci/public_api.py
