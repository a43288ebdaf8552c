"""A store that is much larger than the memory: 100 configurations of 10 GB, which occupy no space."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest
from lattices import write

pytest.importorskip("distributed")
pytest.importorskip("xarray")

LATTICE = (40, 40, 40, 272)
SLICE = 40**3 * 576
COUNT = 100

SCRIPT = """
import pathlib
import sys
import warnings

import distributed
import xarray as xr

import linkstream as ls
import linkstream.xarray

def peak():
    # Not getrusage: its figure begins with the peak of the parent process.
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM"))

warnings.simplefilter("ignore", ls.UnverifiedWarning)
before = peak()
dataset = xr.open_mfdataset(
    sys.argv[1] + "/lat.*.lime", engine="linkstream", concat_dim="cfg", combine="nested", chunks={}, verify=False, chunk_bytes=1
)
opened = peak()
assert dataset.links[:, 7].sum().compute(num_workers=2) == 0
print(dataset.sizes["cfg"], dataset.links.nbytes, opened - before, peak() - before)
"""


def test_one_slice_of_each_configuration_in_constant_memory(tmp_path: pathlib.Path) -> None:
    try:
        for number in range(COUNT):
            write(tmp_path / f"lat.{number:03}.lime", LATTICE, has_checksum=False)
    except OSError as error:
        pytest.fail(f"the folder for tests has no files with holes: {error}")
    assert sum(path.stat().st_blocks for path in tmp_path.iterdir()) * 512 < 10 << 20
    run = subprocess.run([sys.executable, "-c", SCRIPT, str(tmp_path)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    count, nbytes, opened, read = map(int, run.stdout.split())
    print(f"{opened / 1e6:.0f} MB to open, {read / 1e6:.0f} MB to read")
    assert (count, nbytes) == (COUNT, COUNT * SLICE * LATTICE[3])
    assert nbytes > 1_000_000_000_000
    assert opened < 100_000_000
    # Two threads of Dask have a slice each.
    assert read < 300_000_000
