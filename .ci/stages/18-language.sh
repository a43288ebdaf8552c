# shellcheck shell=bash
# Stage: comments and documents have no more of the turns of phrase that .ci/language.py counts than its ceilings allow

run .ci/language.py
