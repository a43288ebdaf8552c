# shellcheck shell=bash
# Stage: hard turns of phrase in comments and documents do not exceed the ceilings in .ci/language.py
# Share: 10

run .ci/language.py
