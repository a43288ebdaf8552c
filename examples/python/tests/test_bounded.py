"""Memory beyond the array: a constant, also for archives whose links are compared with their header."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import numpy as np
import pytest
from fields import unitary

import linkstream as ls

SCRIPT = """
import pathlib, sys
import numpy as np
import linkstream as ls

def peak():
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM"))

# Threads and modules.
ls.open(sys.argv[2])[0].numpy()
field = ls.open(sys.argv[1])[0]
out = np.empty(field.shape, field.dtype)
out[...] = 0
before = peak()
if sys.argv[3] == "array":
    field.read_into(out)
elif sys.argv[3] == "verify":
    field.verify()
else:
    field[0]
assert field.verification == "verified"
print(peak() - before)
"""


@pytest.mark.parametrize("lattice", [(2, 32, 32, 32), (2, 16, 48, 48)])
def test_archives(tmp_path: pathlib.Path, sample: pathlib.Path, lattice: tuple[int, ...]) -> None:
    links = np.zeros((*lattice, 4, 3, 3), "c16")
    # Some links differ, such that exchanged ones have another plaquette.
    links[...] = np.eye(3)
    links[0, :4, :4, :4] = unitary(3, (4, 4, 4, 4))
    ls.write(tmp_path / "archive", links, form="nersc")
    assert ls.open(tmp_path / "archive")[0].verified_by == ()
    of_slice = links[0].nbytes
    for how in ("array", "verify", "part"):
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT, tmp_path / "archive", sample, how],
            capture_output=True, text=True, check=True,
        )
        used = int(run.stdout)
        print(how, used / 1e6)
        # Three time slices were in memory before. A part is a time slice itself.
        assert used < (of_slice if how == "part" else 0) + (16 << 20), (how, used / 1e6)
    # The comparison still takes place: the sum does not depend on the order of the links.
    content = bytearray((tmp_path / "archive").read_bytes())
    start = content.index(b"END_HEADER\n") + 11
    data = np.frombuffer(content, ">c16", offset=start).reshape(links.shape)
    data[0, 1, 2, 3, [1, 3]] = data[0, 1, 2, 3, [3, 1]]
    with pytest.raises(ls.Error, match="plaquette"):
        ls.open(content)[0].numpy()
    with pytest.raises(ls.Error):
        ls.open(content)[0].verify()
