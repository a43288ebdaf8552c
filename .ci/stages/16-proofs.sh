# shellcheck shell=bash
# Stage: no public function of the codec can panic or allocate, proven by linking with overflow checks and at opt-level z
# Full: with all four profiles
# Share: 120

if [ "$form" = full ]; then
    chosen=()
else
    chosen=(-- links_with_overflow_checks links_at_opt_level_z every_public_function_is_called)
fi
run env CI=true cargo test --manifest-path host-tests/proofs/Cargo.toml --package links --target-dir target/proofs "${chosen[@]}"
