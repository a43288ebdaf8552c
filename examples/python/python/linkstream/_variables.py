"""Fields as variables of a dataset: their names, and the names of their axes."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from ._errors import Error
from ._field import Field
from ._file import File
from ._text import labelled

_LINKS = ("mu", "row", "column")
_KINDS = {
    ("row", "column"): "color_matrix",
    ("spin", "spin_source", "color", "color_source"): "propagator",
    ("spin", "color"): "fermion",
    ("color",): "color_vector",
}
# Checksums of one file would be wrong for the variable that several files make.
_OF_FILE = ("suma", "sumb", "checksum", "sum29", "sum31")


class Variable(NamedTuple):
    """A field as a variable of a dataset."""

    name: str
    field: Field
    dims: tuple[str, ...]

    @property
    def attrs(self) -> dict[str, Any]:
        """The attributes of the field without checksums. Files of netCDF cannot have dictionaries as attributes."""
        attrs = self.field.attrs
        return {
            key: labelled(value) if isinstance(value, dict) else value
            for key, value in attrs.items()
            if key not in _OF_FILE
        }


def variables(file: File) -> list[Variable]:
    """The fields of a file as variables.

    They are called ``links``, ``propagator``, ``fermion``, ``color_vector``, ``color_matrix``, or ``data``, with a number
    if there are several of a kind: ``fermion_0``, ``fermion_1``, … An axis is called ``NAME_AXIS`` if another variable
    has an axis of that name and of another extent.
    """
    if not file.fields:
        raise Error(f"{file.name} has no fields", file=file.name)
    kinds = [_kind(field) for field in file.fields]
    all_of, so_far = Counter(kinds), Counter[str]()
    extents: dict[str, int] = {}
    found = []
    for kind, field in zip(kinds, file.fields):
        name = kind if all_of[kind] == 1 else f"{kind}_{so_far[kind]}"
        so_far[kind] += 1
        dims = []
        for dim, extent in zip(field.dims, field.shape):
            dims.append(dim if extents.setdefault(dim, extent) == extent else f"{name}_{dim}")
        found.append(Variable(name, field, tuple(dims)))
    return found


def variable_of(field: Field) -> Variable:
    """The variable of a field."""
    return variables(field.file)[field.index]


def _kind(field: Field) -> str:
    axes = len(field.lattice)
    inside = tuple(dim for dim in field.dims[axes:] if dim != "item")
    if inside == _LINKS:
        # Color matrices that are no links, one for each direction, have the same axes.
        return "links" if field.shape[axes] == axes else "color_matrix"
    return _KINDS.get(inside, "data")
