"""Signals at every system call."""

import re

from commands import Command
from judge import left, names
from sandbox import calls

# SIGXFSZ does not end the program: the write that exceeds the limit fails instead.
SIGNALS = {"SIGINT": 2, "SIGTERM": 15, "SIGHUP": 1, "SIGXCPU": 24, "SIGKILL": 9, "SIGXFSZ": 25}
# Calls that give a file its name.
NAMING = ("link", "linkat", "rename", "renameat", "renameat2")
PART = re.compile(r"(.*/)?\.[^/]+\.part$")


def tasks(sandbox, command, whole, found):
    """A signal at every call, the signals in turn; then the same on a file system that cannot create unnamed files."""
    for number, call in enumerate(found):
        signal = list(SIGNALS)[number % len(SIGNALS)]
        yield "kill", f"{signal} at {call.name} {call.index}", task(sandbox, command, whole, [], signal, call)
    unnamed = next((call for call in found if call.is_on("O_TMPFILE") and call.is_on("/work")), None)
    after = found[found.index(unnamed) + 1 :] if unnamed else []
    for number, call in enumerate(call for call in after if call.name != unnamed.name):
        signal = list(SIGNALS)[number % len(SIGNALS)]
        other = [f"{unnamed.name}:error=EOPNOTSUPP:when={unnamed.index}"]
        name = f"{signal} at {call.name} {call.index}, named"
        yield "named", name, task(sandbox, command, whole, other, signal, call)


def task(sandbox, command, whole, inject, signal, call):
    def run():
        ran = sandbox.run(command, [*inject, f"{call.name}:signal={signal}:when={call.index}"])
        return judge(sandbox, command, whole, ran, signal)

    return run


def judge(sandbox, command, whole, ran, signal):
    yield from names(ran)
    if ran.tree == whole.tree:
        return
    if ran.status not in (-SIGNALS[signal], 128 + SIGNALS[signal]):
        yield f"ended with {ran.status}: {ran.stderr[-300:]!r}"
    rest = list(left(command, whole, sandbox.before, ran))
    parts = [line for line in rest if PART.match(line.removeprefix("left "))]
    # Only SIGKILL, which cannot be caught, may leave files: one whose name ends in `.part`, and empty directories.
    if signal == "SIGKILL":
        rest = [line for line in rest if not line.startswith("left the empty directory")]
        if len(parts) == 1:
            rest.remove(parts[0])
    yield from rest


def is_permanent(found):
    """True if a directory is synchronised after the last new name in it."""
    named = max(index for index, call in enumerate(found) if call.name in NAMING)
    return any(call.name == "fsync" and call.is_on("/work>") for call in found[named + 1 :])


def listings(sandbox):
    """Prints the new files in a directory after each signal during writing; returns the broken rules."""
    wrong = []
    command = Command("", ("lime", "pack", "list", "out"))
    whole = sandbox.run(command)
    found = calls(whole.log)
    unnamed = next(call for call in found if call.is_on("O_TMPFILE"))
    # After the last byte is written, when everything that could be left exists.
    at = next(call for call in found if call.name == "fsync")
    if not is_permanent(found):
        wrong.append("lime pack: the directory is not synchronised after the file was linked into it")
    no_unnamed = [f"{unnamed.name}:error=EOPNOTSUPP:when={unnamed.index}"]
    for title, inject in (("a file without a name", []), ("on a file system without unnamed files", no_unnamed)):
        print(f"lime pack list out, {title}:")
        for signal in SIGNALS:
            ran = sandbox.run(command, [*inject, f"{at.name}:signal={signal}:when={at.index}"])
            new = sorted(set(ran.tree) - set(sandbox.before))
            print(f"  {signal:<8} status {ran.status:>4}; new in the directory: {' '.join(new) or '(nothing)'}")
            wrong += [f"{signal}: {broken}" for broken in judge(sandbox, command, whole, ran, signal)]
    return wrong
