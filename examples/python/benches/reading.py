"""Compares the time, and the memory, of reading a large file with those of NumPy, h5py, safetensors and lyncs_io, and prints
the table of the README.

    python benches/reading.py FOLDER [--lyncs PYTHON] [--slices 64] [--rounds 3]

needs 4.5 times the size of the file in FOLDER, which should be in memory (a tmpfs), and the package built with
`maturin develop --release`. PYTHON is an interpreter with lyncs_io and a NumPy older than 2.3; h5py and safetensors are
left out if they are not installed. Each time is the median of the rounds, which alternate between the programs, so that
other work on the machine slows all of them; the targets are ratios. Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time
import warnings
from typing import Any, Callable

import numpy as np

import linkstream as ls

NAMES = {
    "numpy": ("`np.fromfile` and byte swap", "no"),
    "single": ("linkstream, one file", "yes"),
    "set": ("linkstream, set of 16 volumes", "yes"),
    "nersc": ("linkstream, NERSC archive", "yes"),
    "safetensors": ("safetensors", "no"),
    "h5py": ("h5py, `fletcher32`", "yes"),
    "lyncs_io": ("lyncs_io 0.2.3", "no"),
}
SPACE = (32, 32, 32)
"""z, y, x: a time slice has 19 MB."""


def links(slices: int) -> np.ndarray:
    """Links of SU(3)."""
    random = np.random.default_rng(1)
    one = random.normal(size=(*SPACE, 4, 3, 3)) + 1j * random.normal(size=(*SPACE, 4, 3, 3))
    one, upper = np.linalg.qr(one)
    diagonal = np.einsum("...ii->...i", upper)
    one *= (diagonal / abs(diagonal))[..., None, :]
    one /= np.linalg.det(one)[..., None, None] ** (1 / 3)
    return np.broadcast_to(one, (slices, *one.shape))


def median(rounds: int, reads: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The median time of each, in seconds."""
    times: dict[str, list[float]] = {name: [] for name in reads}
    for _ in range(rounds):
        for name, read in reads.items():
            begin = time.perf_counter()
            result = read()
            times[name].append(time.perf_counter() - begin)
            del result
    return {name: statistics.median(of) for name, of in times.items()}


def by_numpy(path: pathlib.Path) -> np.ndarray:
    """Unverified, in native byte order."""
    offset, length, _ = ls.open(path)[0]._raw.contiguous() or (0, 0, "")
    array = np.fromfile(path, ">c16", length // 16, offset=offset)
    return array.byteswap(inplace=True).view("c16")


def others(folder: pathlib.Path) -> dict[str, Callable[[], Any]]:
    """How other formats are read whose files lie beside the field."""
    found: dict[str, Callable[[], Any]] = {}
    if (folder / "h5").exists():
        import h5py

        found["h5py"] = lambda: h5py.File(folder / "h5")["links"][()]
    if (folder / "safetensors").exists():
        from safetensors.numpy import load_file

        found["safetensors"] = lambda: load_file(folder / "safetensors")["links"]
    return found


def write_others(folder: pathlib.Path, array: np.ndarray) -> None:
    """Files of HDF5, with a checksum of each time slice, and of safetensors, which has neither checksums nor complex numbers
    in double precision.
    """
    try:
        import h5py

        with h5py.File(folder / "h5", "w") as file:
            file.create_dataset("links", data=array, chunks=(1, *array.shape[1:]), fletcher32=True)
    except ImportError:
        print("h5py is not installed")
    try:
        from safetensors.numpy import save_file

        save_file({"links": np.ascontiguousarray(array).view("f8")}, folder / "safetensors")
    except ImportError:
        print("safetensors is not installed")


def resident(which: str) -> int:
    status = pathlib.Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(which)) << 10


def peak(path: pathlib.Path) -> int:
    """The bytes of memory beyond the array, at the most."""
    field = ls.open(path)[0]
    before = resident("VmRSS:")
    array = field.numpy()
    return resident("VmHWM:") - before - array.nbytes


def measured(folder: pathlib.Path, rounds: int) -> dict[str, float]:
    """What a process with a number of threads measures."""
    single, nersc, volumes = folder / "single", folder / "nersc", folder / "set"
    field = ls.open(single)[0]
    out = np.empty(field.shape, field.dtype)
    found = median(
        rounds,
        {
            "numpy": lambda: by_numpy(single),
            "single": lambda: ls.open(single)[0].numpy(),
            "set": lambda: ls.open(volumes)[0].numpy(),
            "nersc": lambda: ls.open(nersc)[0].numpy(),
            "into memory": lambda: ls.open(single)[0].read_into(out),
            "verify": lambda: ls.open(single)[0].verify(),
            **others(folder),
        },
    )
    assert ls.open(single)[0].numpy().tobytes() == by_numpy(single).tobytes()
    field.verify()
    short: dict[str, Callable[[], Any]] = {
        "open": lambda: ls.open(single),
        "slice": lambda: field[3],
        "unverified slice": lambda: field.read(3, verify=False),
    }
    return found | median(50 * rounds, short)


OF_LYNCS = """
import sys, time
import lyncs_io

times = []
for _ in range(int(sys.argv[2])):
    begin = time.perf_counter()
    array = lyncs_io.load(sys.argv[1], format="lime").astype("c16")
    times.append(time.perf_counter() - begin)
    del array
print(sorted(times)[len(times) // 2])
"""


def process(threads: int, what: str, *arguments: object) -> Any:
    """What this script prints in a process of its own."""
    cores = ",".join(map(str, sorted(os.sched_getaffinity(0))[:threads]))
    command = ["taskset", "-c", cores, sys.executable, __file__, f"--{what}", *map(str, arguments)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--lyncs")
    parser.add_argument("--slices", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--peak", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure or options.peak:
        warnings.simplefilter("ignore")
        print(json.dumps(measured(options.folder, options.rounds) if options.measure else peak(options.folder)))
        return

    folder = options.folder / f"reading-{os.getpid()}"
    folder.mkdir()
    try:
        report(folder, options)
    finally:
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()


def report(folder: pathlib.Path, options: argparse.Namespace) -> None:
    array = links(options.slices)
    single = folder / "single"
    # In the form that lyncs_io reads.
    ls.write(single, array, for_="lyncs", lfn="lfn://example/reading")
    lines: list[tuple[str, float, float]] = []
    rows: dict[str, list[str]] = {name: [] for name in NAMES}
    write_others(folder, array)
    ls.write(folder / "set", array, set=(2, 2, 2, 2))
    ls.write(folder / "nersc", array, form="nersc")
    for threads in (2, 1):
        times = process(threads, "measure", folder, "--rounds", options.rounds)
        print(f"{threads} threads: " + ", ".join(f"{name} {1000 * value:.3g} ms" for name, value in times.items()))
        most, of_numpy = {2: 0.8, 1: 1.2}[threads], times["single"] / times["numpy"]
        for name, cells in rows.items():
            cells.append(f"{times[name] / times['numpy']:.1f}" if name in times else "")
        lines.append((f"{threads} threads: verified / (fromfile + byteswap)", of_numpy, most))
        lines.append((f"{threads} threads: set / single file", times["set"] / times["single"], 1.5))
        lines.append((f"{threads} threads: NERSC / single file", times["nersc"] / times["single"], 3.5))
        lines.append((f"{threads} threads: opening, in ms", 1000 * times["open"], 1))
        if threads == 2:
            fastest, of_numpy_2 = times["single"], times["numpy"]
    for name in ("single", "set", "nersc"):
        lines.append((f"memory beyond the array, {name}, in MiB", process(2, "peak", folder / name) / 2**20, 32))
    if options.lyncs:
        command = [options.lyncs, "-c", OF_LYNCS, str(single), "3"]
        of_lyncs = float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        print(f"lyncs_io: {1000 * of_lyncs:.0f} ms")
        lines.append(("verified / lyncs_io", fastest / of_lyncs, 0.2))
        rows["lyncs_io"] = [f"{of_lyncs / of_numpy_2:.1f}", ""]
    print("\n| read as native numbers | verified | 2 threads | 1 thread |\n|---|---|---|---|")
    for name, cells in rows.items():
        print(f"| {NAMES[name][0]} | {NAMES[name][1]} | {cells[0]} | {cells[1]} |")
    print()
    for name, value, most in lines:
        print(f"{'' if value <= most else 'MISSED '}{name}: {value:.2f} (at most {most})")


if __name__ == "__main__":
    main()
