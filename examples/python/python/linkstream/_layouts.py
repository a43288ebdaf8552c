"""Arrays as other programs have them in memory: the order of axes, sites and directions, as data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

DIRECTIONS = ("x", "y", "z", "t")
"""The directions of the axis ``mu`` in files, and in all arrays of this package."""
_LATTICE = ("t", "z", "y", "x")


LayoutName = Union[Literal["pyquda", "quda-eo", "gpt", "lyncs"], Literal["milc", "openqcd"]]


class Layout(NamedTuple):
    """How a program has a field in memory.

    Examples
    --------
    >>> import linkstream as ls
    >>> ls.layouts["pyquda"].axes
    ('mu', 'parity', 't', 'z', 'y', 'x/2')
    >>> ls.layouts["openqcd"].directions
    ('t', 'x', 'y', 'z')
    """

    axes: tuple[str, ...]
    """The axes in front of those of the numbers (``row``, ``column``, ``spin``, …). ``mu`` is absent from fields that are
    no links, ``parity`` is 0 for sites whose coordinates have an even sum, and ``site`` are all sites, or those of a
    parity."""
    sites: tuple[str, ...]
    """The coordinates of the lattice in the order of the sites, the slowest first."""
    directions: tuple[str, ...]
    """The direction of each link."""
    is_even_odd: bool
    """Sites with an even sum of coordinates, then those with an odd one. Two neighbours in the last coordinate share a
    place, one of each parity."""
    spin_basis: str
    """The basis of the gamma matrices that the program uses. Numbers are not rotated: a file does not say which it has."""
    about: str
    """What in the program is so."""


layouts: dict[str, Layout] = {
    "pyquda": Layout(
        ("mu", "parity", "t", "z", "y", "x/2"), _LATTICE, DIRECTIONS, True, "DeGrand-Rossi",
        "LatticeGauge.data, LatticePropagator.data and LatticeFermion.data of PyQUDA",
    ),
    "quda-eo": Layout(
        ("mu", "parity", "site"), _LATTICE, DIRECTIONS, True, "DeGrand-Rossi",
        "QUDA_QDP_GAUGE_ORDER: a pointer for each direction to even, then odd sites",
    ),
    "gpt": Layout(
        ("mu", "site"), _LATTICE, DIRECTIONS, False, "Grid",
        "U[mu][:] of GPT on one process: sites in lexicographic order, x fastest",
    ),
    "lyncs": Layout(
        ("t", "z", "y", "x", "mu"), _LATTICE, DIRECTIONS, False, "DeGrand-Rossi",
        "arrays of lyncs_io",
    ),
    "milc": Layout(
        ("site", "mu"), _LATTICE, DIRECTIONS, True, "MILC (Weyl)",
        "links of MILC as fields on one node: even sites, then odd ones",
    ),
    "openqcd": Layout(
        ("site", "mu"), ("t", "x", "y", "z"), ("t", "x", "y", "z"), False, "openQCD",
        "files of openQCD: for each odd point, the link that leaves it and the one that enters it in each direction",
    ),
}  # fmt: skip
"""The layouts of :meth:`Field.numpy` and :func:`write`."""


def direction_axis(direction: str) -> int:
    """The place of a direction in the axis ``mu``: 0 for x, 3 for t.

    Examples
    --------
    >>> import linkstream as ls
    >>> ls.direction_axis("t")
    3
    """
    if direction not in DIRECTIONS:
        raise ValueError(f"a direction is one of {', '.join(DIRECTIONS)}, not {direction!r}")
    return DIRECTIONS.index(direction)


def named(layout: str) -> Layout:
    """The layout of this name."""
    if layout not in layouts:
        raise ValueError(f"layout is one of {', '.join(layouts)}, not {layout!r}")
    return layouts[layout]


def check_layout(name: str, lattice: tuple[int, ...], *, has_links: bool) -> None:
    """Refuses a field that has no such layout."""
    named(name)
    _check(name, dict(zip(_LATTICE, lattice)), has_links)


def to_layout(array: NDArray[Any], name: str, *, has_links: bool) -> NDArray[Any]:
    """An array with the axes t, z, y, x (and mu), and those of the numbers, in another layout."""
    layout = named(name)
    extents = dict(zip(_LATTICE, array.shape))
    if has_links and array.shape[4] != 4:
        raise ValueError(f"a layout has four links at a site, not {array.shape[4]}")
    _check(name, extents, has_links)
    if name == "openqcd":
        return _to_open_qcd(array)
    if layout.is_even_odd:
        inside = array.shape[4:]
        array = _split(array.reshape(*array.shape[:4], -1)).reshape(2, *_halved(array.shape[:4]), *inside)
    front = 5 if layout.is_even_odd else 4
    if has_links and layout.axes[0] == "mu":
        array = np.moveaxis(array, front, 0)
    return np.ascontiguousarray(array).reshape(_shape(layout, extents, array.shape, front, has_links))


def from_layout(array: NDArray[Any], name: str, lattice: tuple[int, ...], *, has_links: bool) -> NDArray[Any]:
    """An array in another layout with the axes t, z, y, x (and mu), and those of the numbers."""
    layout = named(name)
    if len(lattice) != 4:
        raise ValueError(f"lattice has four extents (t, z, y, x), not {lattice}")
    extents = dict(zip(_LATTICE, lattice))
    _check(name, extents, has_links)
    axes = [axis for axis in layout.axes if has_links or axis != "mu"]
    expected = _front(layout, extents, axes)
    if array.shape[: len(expected)] != expected:
        found = array.shape[: len(expected)]
        raise ValueError(f"the layout {name} of the lattice {lattice} has the axes {expected}, not {found}")
    inside = array.shape[len(expected) :]
    if name == "openqcd":
        return _from_open_qcd(array, lattice)
    sites = (2, *_halved(lattice)) if layout.is_even_odd else lattice
    if has_links and axes[0] == "mu":
        array = np.moveaxis(array.reshape(4, *sites, *inside), 0, len(sites))
    else:
        array = array.reshape(*sites, *([4] if has_links else []), *inside)
    if not layout.is_even_odd:
        return np.ascontiguousarray(array)
    whole = _joined(np.ascontiguousarray(array).reshape(*sites, -1))
    return whole.reshape(*lattice, *([4] if has_links else []), *inside)


def lattice_in(shape: tuple[int, ...], name: str, *, has_links: bool) -> tuple[int, ...] | None:
    """The lattice that the shape of an array in this layout shows."""
    if name == "pyquda" and len(shape) >= 5 + has_links:
        t, z, y, half = shape[1 + has_links : 5 + has_links]
        return (t, z, y, 2 * half)
    return shape[:4] if name == "lyncs" else None


def _check(name: str, extents: dict[str, int], has_links: bool) -> None:
    layout = layouts[name]
    if name == "openqcd" and not has_links:
        raise ValueError("the layout openqcd is for links")
    last = layout.sites[-1]
    if layout.is_even_odd and extents[last] % 2:
        raise ValueError(f"the layout {name} has two parities: {last} must be even, not {extents[last]}")
    if name == "openqcd" and any(extent % 2 for extent in extents.values()):
        raise ValueError(f"the layout openqcd needs even extents, not {tuple(extents.values())}")


def _front(layout: Layout, extents: dict[str, int], axes: list[str]) -> tuple[int, ...]:
    sites = math.prod(extents.values())
    if layout is layouts["openqcd"]:
        return (sites // 2, 8)
    of = {**extents, "mu": 4, "parity": 2, "x/2": extents["x"] // 2, "site": sites}
    if "parity" in axes:
        of["site"] = sites // 2
    return tuple(of[axis] for axis in axes)


def _shape(
    layout: Layout, extents: dict[str, int], shape: tuple[int, ...], front: int, has_links: bool
) -> tuple[int, ...]:
    axes = [axis for axis in layout.axes if has_links or axis != "mu"]
    return (*_front(layout, extents, axes), *shape[front + has_links :])


def _halved(lattice: tuple[int, ...]) -> tuple[int, ...]:
    return (*lattice[:3], lattice[3] // 2)


def _parity(lattice: tuple[int, ...]) -> NDArray[np.bool_]:
    """Whether the first site of each row has an odd sum of coordinates."""
    odd: NDArray[np.bool_] = np.indices(lattice[:3]).sum(axis=0) % 2 == 1
    return odd


def _split(array: NDArray[Any]) -> NDArray[Any]:
    """Even sites, then odd ones: x, x+1 become one place of each parity."""
    pairs = array.reshape(*array.shape[:3], array.shape[3] // 2, 2, array.shape[4])
    out = np.empty((2, *_halved(array.shape[:4]), array.shape[4]), array.dtype)
    odd = _parity(array.shape[:4])
    for parity in (0, 1):
        out[parity][~odd] = pairs[~odd][:, :, parity]
        out[parity][odd] = pairs[odd][:, :, 1 - parity]
    return out


def _joined(array: NDArray[Any]) -> NDArray[Any]:
    lattice = (*array.shape[1:4], 2 * array.shape[4])
    out = np.empty((*lattice, array.shape[5]), array.dtype)
    pairs = out.reshape(*lattice[:3], array.shape[4], 2, array.shape[5])
    odd = _parity(lattice)
    for parity in (0, 1):
        rows = np.where(odd, 1 - parity, parity)
        for which in (0, 1):
            chosen = rows == which
            pairs[..., which, :][chosen] = array[parity][chosen]
    return out


# --- openQCD ---


def _odd_points(lattice: tuple[int, ...]) -> tuple[NDArray[Any], ...]:
    """The indices t, x, y, z of the odd points, t slowest and z fastest."""
    t, z, y, x = lattice
    indices = np.indices((t, x, y, z)).reshape(4, -1)
    return tuple(indices[:, indices.sum(axis=0) % 2 == 1])


def _entering(points: tuple[NDArray[Any], ...], axis: int, extent: int) -> tuple[NDArray[Any], ...]:
    moved = list(points)
    moved[axis] = (moved[axis] - 1) % extent
    return tuple(moved)


def _to_open_qcd(array: NDArray[Any]) -> NDArray[Any]:
    lattice = array.shape[:4]
    points = _odd_points(lattice)
    extents = (lattice[0], lattice[3], lattice[2], lattice[1])
    out = np.empty((len(points[0]), 8, *array.shape[5:]), array.dtype)
    for place, direction in enumerate(layouts["openqcd"].directions):
        mu = direction_axis(direction)
        for which, (t, x, y, z) in enumerate((points, _entering(points, place, extents[place]))):
            out[:, 2 * place + which] = array[t, z, y, x, mu]
    return out


def _from_open_qcd(array: NDArray[Any], lattice: tuple[int, ...]) -> NDArray[Any]:
    points = _odd_points(lattice)
    extents = (lattice[0], lattice[3], lattice[2], lattice[1])
    out = np.empty((*lattice, 4, *array.shape[2:]), array.dtype)
    for place, direction in enumerate(layouts["openqcd"].directions):
        mu = direction_axis(direction)
        for which, (t, x, y, z) in enumerate((points, _entering(points, place, extents[place]))):
            out[t, z, y, x, mu] = array[:, 2 * place + which]
    return out
