# shellcheck shell=bash
# Stage: hard turns of phrase in comments and documents do not exceed the ceilings in .ci/language.py

run .ci/language.py
