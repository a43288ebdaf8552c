"""Without enough memory there is a `MemoryError`, and the process goes on."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from conftest import LONG

import linkstream as ls

# Each kind of work, in a process of its own: its first try has the least memory. A try ends with a result or with a
# `MemoryError`; then the limit is lifted, and the work must succeed. The memory of the caller is requested before.
SHRINKING = """
import gc, pathlib, resource, sys
import numpy as np
import linkstream as ls

kind, field, sections, new, stride = sys.argv[1:]
links = ls.open(field)[0].numpy()
out = np.empty(links.shape, "c8")
work = {
    "read": lambda: ls.open(field)[0].read_into(out),
    "verify": lambda: ls.open(field)[0].verify(),
    "check": lambda: ls.check(field),
    "write": lambda: ls.write(new, links),
    "nersc": lambda: ls.write(new, links, form="nersc"),
    "compressed": lambda: ls.write_scda(new, [("array", "a", links)], compress=True),
    "elements": lambda: sum(map(len, ls.open(sections).sections[0])),
}[kind]


def limit(bytes):
    resource.setrlimit(resource.RLIMIT_AS, (bytes, resource.RLIM_INFINITY))


def used():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def attempt():
    try:
        report = work()
    except MemoryError:
        return "short"
    if kind == "check" and report["verdict"] == "unreadable":
        assert "memory" in report["error"], report
        return "short"
    return "done"


seen = {"short": 0, "done": 0}
for step in range(0, 14, int(stride)):
    more = 0 if step == 0 else int((64 << 10) * 1.9**step)
    gc.collect()
    limit(used() + more)
    try:
        seen[attempt()] += 1
    finally:
        limit(resource.RLIM_INFINITY)
    pathlib.Path(new).unlink(missing_ok=True)
assert attempt() == "done"
print(*(word for word, times in seen.items() if times))
"""

# The kinds of work that write a file.
NEW = {"write", "nersc", "compressed"}
LINKS = np.zeros((16, 16, 16, 8, 4, 3, 3), "c16") + np.eye(3)


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of address space")
@pytest.mark.parametrize("kind", ["read", "verify", "check", "write", "nersc", "compressed", "elements"])
def test_work_without_memory_is_an_exception(tmp_path: pathlib.Path, kind: str) -> None:
    field, sections, new = (str(tmp_path / name) for name in ("field", "sections", "new"))
    ls.write(field, LINKS)
    ls.write_scda(sections, [("array", "a", LINKS.reshape(-1, 9))], compress=True)
    command = [sys.executable, "-c", SHRINKING, kind, field, sections, new, "1" if LONG else "3"]
    # Otherwise the C library has 64 MiB for each thread, which the limit does not take away.
    environment = os.environ | {"MALLOC_ARENA_MAX": "1"}
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (run.returncode, run.stdout.split()) == (0, ["short", "done"]), run.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"field", "sections"} | ({"new"} if kind in NEW else set())
