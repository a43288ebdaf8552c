"""Samples of gauge fields."""

from __future__ import annotations

import os
from typing import Sequence

import numpy as np

from . import _linkstream
from ._options import flag, integer, integers
from ._paths import new_path
from ._write import write

SEED = 20_261_120
"""The seed of the sample in the repository."""


def sample(
    path: str | os.PathLike[str],
    *,
    seed: int = SEED,
    extents: Sequence[int] = (8, 4, 4, 4),
    beta: float = 6.0,
    configurations: int | None = None,
    thermal: int = 200,
    separation: int = 10,
    replace: bool = False,
) -> list[str]:
    """Generates SU(3) gauge fields with the Wilson action, and writes them in single precision: each update is a heat
    bath sweep and four of over-relaxation. The same arguments give the same links on every machine, those of the program
    ``linkstream sample``.

    Parameters
    ----------
    path :
        The new file; with ``configurations``, the folder of ``sample.0200.lime``, ``sample.0210.lime``, …, whose numbers
        are the updates since a cold start.
    seed, beta :
        Seed of the random numbers, and coupling.
    extents : sequence of int
        The lattice ``(t, z, y, x)``: at least two sites in each direction.
    configurations : int, optional
        Number of configurations.
    thermal, separation : int
        Updates before the first configuration, from links of 1, and between configurations.
    replace : bool
        Whether existing files may be replaced.

    Returns
    -------
    list of str
        The paths of the new files.

    Examples
    --------
    >>> import linkstream as ls
    >>> paths = ls.sample("ensemble", extents=(4, 2, 2, 2), beta=5.7, configurations=3)
    >>> ls.scan("ensemble/*.lime")["update"]
    [200, 210, 220]
    """
    sites = integers("extents", extents)
    if sites is None or len(sites) != 4 or min(sites) < 2:
        raise ValueError(f"extents are four numbers (t, z, y, x) of at least 2, not {extents!r}")
    count = 1 if configurations is None else integer("configurations", configurations)
    if count < 1 or not 0 <= integer("seed", seed) < 1 << 64:
        raise ValueError("there is at least one configuration, and a seed is from 0 to 2^64 - 1")
    if integer("thermal", thermal) < 0 or integer("separation", separation) < 0:
        raise ValueError("numbers of updates are not negative")
    path = new_path(path)
    chain = _linkstream.Chain(sites[::-1], float(beta), seed)
    if configurations is not None:
        os.makedirs(path, exist_ok=True)
    paths = []
    for number in range(count):
        chain.update(thermal if number == 0 else separation)
        updates = thermal + number * separation
        paths.append(path if configurations is None else os.path.join(path, f"sample.{updates:04}.lime"))
        _write(paths[-1], chain, sites, (beta, seed, updates), flag("replace", replace))
    return paths


def _write(
    path: str, chain: _linkstream.Chain, sites: list[int], about: tuple[float, int, int], replace: bool
) -> None:
    beta, seed, updates = about
    links = chain.links().astype("f4").view("c8").reshape(*sites, 4, 3, 3)
    t, z, y, x = sites
    text = (
        f"<info>SU(3) Wilson action, beta {beta}, {x}x{y}x{z}x{t} periodic, {updates} updates of 1 heat bath and"
        f" 4 over-relaxation sweeps from a cold start, seed {seed}</info>"
    )
    figures = f"<beta>{beta}</beta><seed>{seed}</seed>"
    write(
        path,
        np.ascontiguousarray(links),
        dims=("t", "z", "y", "x", "mu", "row", "column"),
        lfn=f"lfn://linkstream/sample/su3-{x}x{y}x{z}x{t}-b{beta}-s{seed}/{updates}",
        update=updates,
        file_xml="<title>linkstream sample configuration</title>",
        record_xml=f"<sample>{figures}{text}</sample>",
        replace=replace,
    )
