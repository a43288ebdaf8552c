# shellcheck shell=bash
# Stage: no public function of the codec can panic or allocate, proven by linking with four profiles

run env CI=true cargo test --manifest-path host-tests/proofs/Cargo.toml --package links --target-dir target/proofs
