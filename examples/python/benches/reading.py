"""Compares the time, and the memory, of reading a large file with those of NumPy and of lyncs_io.

    python benches/reading.py FOLDER [--lyncs PYTHON] [--slices 64] [--rounds 7]

needs 2.5 times the size of the file in FOLDER, which should be in memory (a tmpfs), and the package built with
`maturin develop --release`. PYTHON is an interpreter with lyncs_io and a NumPy older than 2.3. Each time is the minimum
of the rounds, which alternate between the programs; the targets are ratios. Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time
import warnings
from typing import Any, Callable

import numpy as np

import linkstream as ls

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


def best(rounds: int, reads: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The shortest time of each, in seconds."""
    times: dict[str, list[float]] = {name: [] for name in reads}
    for _ in range(rounds):
        for name, read in reads.items():
            begin = time.perf_counter()
            result = read()
            times[name].append(time.perf_counter() - begin)
            del result
    return {name: min(of) for name, of in times.items()}


def by_numpy(path: pathlib.Path) -> np.ndarray:
    """Unverified, in native byte order."""
    offset, length, _ = ls.open(path)[0]._raw.contiguous() or (0, 0, "")
    array = np.fromfile(path, ">c16", length // 16, offset=offset)
    return array.byteswap(inplace=True).view("c16")


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
    found = best(
        rounds,
        {
            "numpy": lambda: by_numpy(single),
            "single": lambda: ls.open(single)[0].numpy(),
            "set": lambda: ls.open(volumes)[0].numpy(),
            "nersc": lambda: ls.open(nersc)[0].numpy(),
            "into memory": lambda: ls.open(single)[0].read_into(out),
            "verify": lambda: ls.open(single)[0].verify(),
        },
    )
    assert ls.open(single)[0].numpy().tobytes() == by_numpy(single).tobytes()
    field.verify()
    short: dict[str, Callable[[], Any]] = {
        "open": lambda: ls.open(single),
        "slice": lambda: field[3],
        "unverified slice": lambda: field.read(3, verify=False),
    }
    return found | best(50 * rounds, short)


OF_LYNCS = """
import sys, time
import lyncs_io

times = []
for _ in range(int(sys.argv[2])):
    begin = time.perf_counter()
    array = lyncs_io.load(sys.argv[1], format="lime").astype("c16")
    times.append(time.perf_counter() - begin)
    del array
print(min(times))
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
    parser.add_argument("--rounds", type=int, default=7)
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
    # The three take turns: not all of them fit into memory.
    lines: list[tuple[str, float, float]] = []
    ls.write(folder / "set", array, set=(2, 2, 2, 2))
    ls.write(folder / "nersc", array, form="nersc")
    for threads in (2, 1):
        times = process(threads, "measure", folder, "--rounds", options.rounds)
        print(f"{threads} threads: " + ", ".join(f"{name} {1000 * value:.3g} ms" for name, value in times.items()))
        most, of_numpy = {2: 0.8, 1: 1.2}[threads], times["single"] / times["numpy"]
        lines.append((f"{threads} threads: verified / (fromfile + byteswap)", of_numpy, most))
        lines.append((f"{threads} threads: set / single file", times["set"] / times["single"], 1.5))
        lines.append((f"{threads} threads: NERSC / single file", times["nersc"] / times["single"], 1.5))
        lines.append((f"{threads} threads: opening, in ms", 1000 * times["open"], 1))
        if threads == 2:
            fastest = times["single"]
    for name in ("single", "set", "nersc"):
        lines.append((f"memory beyond the array, {name}, in MiB", process(2, "peak", folder / name) / 2**20, 32))
    if options.lyncs:
        command = [options.lyncs, "-c", OF_LYNCS, str(single), "3"]
        of_lyncs = float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        print(f"lyncs_io: {1000 * of_lyncs:.0f} ms")
        lines.append(("verified / lyncs_io", fastest / of_lyncs, 0.2))
    for name, value, most in lines:
        print(f"{'' if value <= most else 'MISSED '}{name}: {value:.2f} (at most {most})")


if __name__ == "__main__":
    main()
