# shellcheck shell=bash
# Stage: failing system calls, signals and races lose no data and leave no temporary files, a sample of a minute

if [ "$(uname -s)" != Linux ]; then
    echo "!!! FAULTS WERE LEFT OUT: strace is for Linux !!!"
    exit 0
fi
need_command strace strace
need_command cc gcc
need_command python3 python3-minimal
if ! strace -o /dev/null true; then
    echo "!!! FAULTS WERE LEFT OUT: this machine does not let strace trace programs !!!"
    exit 0
fi
build_tested
run python3 .ci/faults/run.py target/debug/linkstream
