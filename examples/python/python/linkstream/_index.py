"""Selections of arrays, as in NumPy: integers, slices, and one ``...``."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np


class Selection(NamedTuple):
    """A selection of an array whose first axes are those of the lattice."""

    block: list[tuple[int, int]]
    """The range of each axis of the lattice that contains the selection."""
    inside: tuple[int | slice, ...]
    """The selection in the array of this block, for each of its axes."""
    shape: tuple[int, ...]
    """The shape of the result."""


def select(key: Any, shape: tuple[int, ...], lattice_axes: int) -> Selection:
    """Returns the selection that a key stands for.

    Raises ``IndexError`` for places outside of the array, ``TypeError`` for keys of other types.
    """
    block: list[tuple[int, int]] = []
    inside: list[int | slice] = []
    result: list[int] = []
    for axis, (item, extent) in enumerate(zip(expanded(key, len(shape)), shape)):
        is_lattice = axis < lattice_axes
        if isinstance(item, slice):
            places = range(*item.indices(extent))
            result.append(len(places))
            if not is_lattice:
                inside.append(item)
                continue
            lowest, highest = (min(places[0], places[-1]), max(places[0], places[-1])) if places else (0, -1)
            block.append((lowest, highest + 1))
            inside.append(_relative(places, lowest))
        else:
            index = _index(item, axis, extent)
            if is_lattice:
                block.append((index, index + 1))
                index = 0
            inside.append(index)
    return Selection(block, tuple(inside), tuple(result))


def expanded(key: Any, axes: int) -> list[Any]:
    """Returns one item for each axis: ``...`` and axes that are not mentioned are whole."""
    items = list(key) if isinstance(key, tuple) else [key]
    dots = [place for place, item in enumerate(items) if item is Ellipsis]
    if len(dots) > 1:
        raise IndexError("an index can have only one ellipsis ('...')")
    if len(items) - len(dots) > axes:
        raise IndexError(f"too many indices: the array has {axes} axes, but {len(items) - len(dots)} were given")
    place = dots[0] if dots else len(items)
    whole = [slice(None)] * (axes - len(items) + len(dots))
    return items[:place] + whole + items[place + len(dots) :]


def _relative(places: range, lowest: int) -> slice:
    """Returns the slice of a block that has these places of the whole axis."""
    if not places:
        return slice(0, 0)
    stop = places[-1] - lowest + places.step
    # A negative end would count from the last place.
    return slice(places[0] - lowest, None if stop < 0 else stop, places.step)


def _index(item: Any, axis: int, extent: int) -> int:
    # NumPy before 2 takes its own booleans for integers.
    if isinstance(item, (bool, np.bool_)):
        raise TypeError("an index must be an integer or a slice, not a boolean")
    try:
        index = operator.index(item)
    except TypeError:
        what = type(item).__name__
        raise TypeError(f"an index must be an integer, a slice or '...', not {what}") from None
    if not -extent <= index < extent:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {extent}")
    return index % extent
