# shellcheck shell=bash
# Stage: failing system calls, signals and races lose no data and leave no temporary files, a sample of a minute
# Full: every fault at every system call of every command
# Share: 120
# Packages: strace/strace gcc/gcc python3/python3-minimal

if [ "$(uname -s)" != Linux ]; then
    echo "!!! FAULTS WERE LEFT OUT: strace is for Linux !!!"
    exit 0
fi
if ! strace -o /dev/null true; then
    echo "!!! FAULTS WERE LEFT OUT: this machine does not let strace trace programs !!!"
    exit 0
fi
build_tested
if [ "$form" = full ]; then
    run python3 .ci/faults/run.py --full target/debug/linkstream
else
    run python3 .ci/faults/run.py target/debug/linkstream
fi
