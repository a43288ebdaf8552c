"""Fields as variables of a dataset: their names, and the names of their axes."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, Mapping, NamedTuple

from ._carried import COMPUTED
from ._documents import chosen
from ._errors import Error
from ._field import Field
from ._file import File

_LINKS = ("mu", "row", "column")
_KINDS = {
    ("row", "column"): "color_matrix",
    ("spin", "spin_source", "color", "color_source"): "propagator",
    ("spin", "color"): "fermion",
    ("color",): "color_vector",
}
TRAJECTORY = ("trajectory nr", "trajectory")
"""Keys of the texts of tmLQCD and CL2QCD."""
SUMS = ("suma", "sumb", "cksum", "word_sum", "sum29", "sum31")
# Entries about one file would be wrong for the variable that several files make.
_OF_FILE = (*SUMS, "lfn", "update", "record_xml")
_DATES = {"CREATION_DATE", "ARCHIVE_DATE", "SEQUENCE_NUMBER"}


class Variable(NamedTuple):
    """A field as a variable of a dataset."""

    name: str
    field: Field
    dims: tuple[str, ...]

    @property
    def attrs(self) -> dict[str, Any]:
        """The attributes of the field that other files of an ensemble have as well, of types that netCDF has."""
        return {key: _plain(value) for key, value in self.field.attrs.items() if key not in _OF_FILE}


def _plain(value: Any) -> Any:
    """A value that files of netCDF can have as an attribute."""
    if isinstance(value, tuple):
        return list(value)
    return int(value) if isinstance(value, bool) else value


def attributes_of(file: File) -> dict[str, Any]:
    """What a file says about itself that other files of an ensemble say as well."""
    attrs = {"format": file.format, "is_set": int(file.is_set)}
    return attrs | {key: value for key, value in file.header.items() if key not in COMPUTED | _DATES}


def coordinates(file: File, found: list[Variable], paths: Mapping[str, str]) -> dict[str, Any]:
    """What a file says that is about this one alone: ``lfn``, ``update`` (-1 without one), ``file_xml``, ``record_xml``, and
    values at chosen places of its texts. Each file has them, so that xarray can join files.
    """
    documents = file._documents
    names = [one.lfn for one in documents if one.lfn] or (file.texts("ildg-data-lfn") if file.format == "lime" else [])
    updates = [one.update for one in documents] + [*chosen(file, {key: key for key in TRAJECTORY}).values()]
    updates = [number for number in updates if isinstance(number, int)]
    texts = file.texts("scidac-file-xml") if file.format == "lime" else []
    values: dict[str, Any] = {
        "lfn": names[0] if names else "",
        "update": updates[0] if updates else -1,
        "file_xml": texts[-1] if texts else "",
    }
    for variable in found:
        name = "record_xml" if len(found) == 1 else f"{variable.name}_record_xml"
        values[name] = documents[variable.field.index].record_xml or ""
    for name, value in chosen(file, paths).items():
        values[name] = math.nan if value is None else value
    return values


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
        # An ILDG file has no links in directions with a single site.
        return "links"
    return _KINDS.get(inside, "data")
