#!/usr/bin/env python3
"""Injects faults into every command of the program and checks that no data are lost and no temporary files are left.

    run.py PROGRAM                 a sample, the same in every run
    run.py --full PROGRAM          every fault at every system call, and many races: 20 to 30 minutes on two cores
    run.py --only WORDS PROGRAM    all faults of the commands whose names contain these words

Requires Linux, strace and a C compiler. After every fault, the program must either report it and exit with a nonzero
status, or have completed its work. Inputs and existing outputs must be unchanged, no other file may be left, and the
program must not panic. Prints counts for each command, and the new files in a directory after each signal.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True  # the directory is part of the repository

import kills
import races
from commands import commands, make_files
from judge import judge_fault, judge_short
from sandbox import THREAD, Sandbox, calls

ERRORS = ("EIO", "ENOSPC", "EINTR", "EMFILE")
# The error of a thread that cannot be created.
NO_THREAD = "EAGAIN"
# Maximum numbers of bytes per call for short transfers.
SHORT = (1, 7, 4096)
KINDS = (*ERRORS, NO_THREAD, "sticky", "short", "kill", "named")
SAMPLE_SEED = 20261122
SAMPLE_SECONDS = 45


def faults(found):
    """Every error for a command: its kind, the call, and the argument for strace's `--inject`."""
    for call in found:
        if call.name == THREAD:
            yield NO_THREAD, call, f"{call.name}:error={NO_THREAD}:when={call.index}"
            yield NO_THREAD, call, f"{call.name}:error={NO_THREAD}:when={call.index}+"
            continue
        for error in ERRORS:
            yield error, call, f"{call.name}:error={error}:when={call.index}"
        yield "sticky", call, f"{call.name}:error=EIO:when={call.index}+"


def tasks_of(sandbox, command, whole, found):
    """Every test of a command: its kind, its name, and a function that returns the broken rules."""

    def fault(kind, call, inject):
        def run():
            ran = sandbox.run(command, [inject])
            return judge_fault(command, whole, sandbox.before, ran, call, kind)

        return kind, f"{kind} at {call.name} {call.index}", run

    def short(most):
        def run():
            return judge_short(whole, sandbox.run(command, short=most, strace=False))

        return "short", f"transfers of {most} bytes", run

    yield from (fault(*which) for which in faults(found))
    yield from (short(most) for most in SHORT)
    yield from kills.tasks(sandbox, command, whole, found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--kinds", default=",".join(KINDS), help="kinds of faults, separated by commas; by default all columns of the table")
    parser.add_argument("--jobs", type=int, default=4, help="runs at a time")
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    is_sample = not arguments.full and not arguments.only
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        files, preload = scratch / "files", scratch / "short.so"
        files.mkdir()
        make_files(program, files)
        source = Path(__file__).with_name("short.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", preload, source, "-ldl"], check=True)
        sandbox = Sandbox(program, files, scratch, preload)
        with ThreadPoolExecutor(arguments.jobs) as pool:
            return go(sandbox, pool, arguments, is_sample)


def go(sandbox, pool, arguments, is_sample):
    wanted = [command for command in commands() if arguments.only in command.name]
    whole = dict(zip(wanted, pool.map(sandbox.run, wanted)))
    tasks, found = [], {}
    for command in wanted:
        found[command] = calls(whole[command].log)
        if not found[command]:
            sys.exit(f"{command.name}: strace shows nothing of the program")
        mine = tasks_of(sandbox, command, whole[command], found[command])
        tasks += [(command, *task) for task in mine if task[0] in arguments.kinds.split(",")]
    all_tasks = len(tasks)
    if is_sample:
        random.Random(SAMPLE_SEED).shuffle(tasks)
    deadline = time.monotonic() + (SAMPLE_SECONDS if is_sample else 10**9)
    counts, wrong = defaultdict(Counter), []

    def do(task):
        command, kind, name, run = task
        if time.monotonic() > deadline:
            return
        try:
            broken = list(run())
        except subprocess.TimeoutExpired:
            broken = ["hangs"]
        counts[command][kind] += 1
        wrong.extend(f"{command.name}: {name}: {rule}" for rule in broken)

    for _ in pool.map(do, tasks):
        pass
    print(f"{'command':<28} {'calls':>6} " + " ".join(f"{kind:>7}" for kind in KINDS) + "   wrong")
    for command in wanted:
        row = " ".join(f"{counts[command][kind]:>7}" for kind in KINDS)
        bad = sum(line.startswith(f"{command.name}: ") for line in wrong)
        print(f"{command.name:<28} {len(found[command]):>6} {row} {bad:>7}")
    done = sum(sum(count.values()) for count in counts.values())
    print(f"{done} of {all_tasks} faults and kills, {len(wrong)} wrong")
    sys.stdout.flush()
    if not arguments.only:
        wrong += races.run(sandbox, rounds=1 if is_sample else 100)
        wrong += kills.listings(sandbox)
    for line in wrong[:60]:
        print("WRONG", line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
