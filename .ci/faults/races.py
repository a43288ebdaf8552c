"""Runs two processes on the same files at the same time; in most rounds, the first is delayed at one of its calls."""

import random
import shutil
import subprocess
import tempfile
from pathlib import Path

from sandbox import SECONDS, tree

# In microseconds; longer than the other process takes.
DELAY = 300_000
HELD = [f"--inject=write,pwrite64:delay_enter={DELAY}:when=1", f"--inject=fsync:delay_enter={DELAY}:when=1",
        f"--inject=?linkat,?rename,?renameat2:delay_enter={DELAY}:when=1", None]

NAMES = ("lfn://first", "lfn://the.second.name")


def pairs():
    """For each race: its name, the two command lines, and the set of allowed numbers of successes."""
    set_lfn = [("ildg", "set-lfn", "nameless", name) for name in NAMES]
    yield "set-lfn, both", set_lfn, {1}
    yield "set-lfn --force, both", [(*line, "--force") for line in set_lfn], {2}
    yield "set-lfn --force of a named file", [("ildg", "set-lfn", "--force", "named", name) for name in NAMES], {2}
    make = [("scda", "create", "out", f"text:{name}=x") for name in ("one", "two")]
    yield "create, both", make, {1}
    yield "create --force, both", [(*line, "--force") for line in make], {2}


def race(sandbox, lines, held, rng):
    """Runs both command lines; returns their statuses, their messages, and the directory after both have ended."""
    with tempfile.TemporaryDirectory(dir=sandbox.scratch) as top:
        folder = Path(top) / "work"
        shutil.copytree(sandbox.files, folder, symlinks=True)
        started = []
        for number, line in enumerate(lines):
            line = [sandbox.program, *line]
            if held and number == 0:
                line = ["strace", "-f", "-qq", "-o", "/dev/null", held, *line]
            started.append(subprocess.Popen(line, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
            if held and number == 0:
                # The second process starts at a random time around the delay of the first one.
                try:
                    started[0].wait(rng.uniform(0.0, 0.25))
                except subprocess.TimeoutExpired:
                    pass
        said = [process.communicate(timeout=SECONDS)[1].decode(errors="replace") for process in started]
        return [process.returncode for process in started], said, tree(folder)


def alone(sandbox, lines):
    """The directory after either of the commands alone, and after both, one after the other, in both orders."""
    for order in ([0], [1], [0, 1], [1, 0]):
        with tempfile.TemporaryDirectory(dir=sandbox.scratch) as top:
            folder = Path(top) / "work"
            shutil.copytree(sandbox.files, folder, symlinks=True)
            for number in order:
                subprocess.run([sandbox.program, *lines[number]], cwd=folder, capture_output=True, check=False)
            yield tree(folder)


def run(sandbox, rounds):
    """Runs every race `rounds` times with each delay; prints the counts, returns the broken rules."""
    rng, wrong = random.Random(rounds), []
    for name, lines, successes in pairs():
        allowed, count = list(alone(sandbox, lines)), 0
        for held in HELD:
            for _ in range(rounds):
                statuses, said, files = race(sandbox, lines, held, rng)
                count += 1
                if statuses.count(0) not in successes:
                    wrong.append(f"race {name}: statuses {statuses}: {said}")
                if files not in allowed:
                    wrong.append(f"race {name}: the files differ from the result of either command, and of both in turn: {sorted(files)}")
        print(f"race: {name:<36} {count:>5} rounds")
    return wrong
