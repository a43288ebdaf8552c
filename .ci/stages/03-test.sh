# shellcheck shell=bash
# Stage: the tests, by the README's own command

run env CI=true cargo test --workspace
