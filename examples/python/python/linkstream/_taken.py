"""What a call writes: arrays, fields, files and datasets, as new fields, and what their files say about them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple, Sequence

from ._arrays import host
from ._carried import ITEMS, Texts, _padded, is_gauge_field, of_dataset, of_file
from ._documents import Documents
from ._field import Field
from ._file import File
from ._layouts import from_layout, lattice_in
from ._new_field import NewField


class Taken(NamedTuple):
    """The fields of a new file."""

    fields: list[NewField]
    texts: Texts
    lattice: tuple[int, ...] | None
    """The extents of the lattice, if no field is on all of it."""

    @property
    def sources(self) -> list[Field]:
        """Those that are read from files."""
        return [one.array for one in self.fields if isinstance(one.array, Field)]


def taken(
    arrays: Any, like: Any, kind: str | None, dims: Sequence[str] | None, precision: Any = None
) -> Taken:
    """The fields of a new file. ``like`` says what the arrays themselves do not say."""
    given = _listed(arrays)
    models = [] if like is None else _listed(like)
    if models and len(models) != len(given):
        raise ValueError(f"like has {len(models)} fields, but there are {len(given)} arrays")
    fields = [one if isinstance(one, NewField) else NewField(one, kind=kind, dims=dims) for one in given]
    texts = _texts(models if models else given, like if models else arrays)
    fields = [_like(one, model) for one, model in zip(fields, models)] if models else fields
    described = [
        _described(one, documents, precision) for one, documents in zip(fields, _padded(texts.fields, len(fields)))
    ]
    lattices = [one.array.attrs["lattice"] for one in described if isinstance(one.array, Field)]
    is_whole = any(one.lower is None and not one.is_global for one in described)
    return Taken(described, texts, None if is_whole or not lattices else lattices[0])


def _listed(arrays: Any) -> list[Any]:
    if isinstance(arrays, File):
        if not arrays.fields:
            raise TypeError(f"{arrays.name} has no fields: its format is {arrays.format}")
        return list(arrays.fields)
    if _is_dataset(arrays):
        return [_variable(arrays, name) for name in arrays.data_vars]
    if isinstance(arrays, (list, tuple)):
        return list(arrays)
    return [arrays]


def _is_dataset(source: Any) -> bool:
    return hasattr(source, "data_vars") and hasattr(source, "coords")


def _variable(dataset: Any, name: Any) -> NewField:
    """A variable of a dataset. An axis that has the name of the variable in front of its own is the axis."""
    array = dataset[name]
    dims = [str(dim).removeprefix(f"{name}_") for dim in array.dims]
    return NewField(array, kind=_kind(str(name)), dims=dims)


_KINDS = {"propagator", "color_vector", "color_matrix"}


def _kind(name: str) -> str | None:
    stem = name.rstrip("0123456789").removesuffix("_")
    return stem if stem in _KINDS else None


def _texts(sources: list[Any], whole: Any) -> Texts:
    """What the files of the sources say. Several files say nothing about one new file."""
    if isinstance(whole, File):
        return of_file(whole)
    if _is_dataset(whole):
        return of_dataset(whole, [str(name) for name in whole.data_vars])
    parts = [one.array if isinstance(one, NewField) else one for one in sources]
    read = {id(one.file): of_file(one.file) for one in parts if isinstance(one, Field)}
    documents = []
    for one in parts:
        if isinstance(one, Field):
            documents.append(_padded(read[id(one.file)].fields, one.index + 1)[one.index])
        else:
            documents.append(_padded(of_dataset(one, [str(getattr(one, "name", ""))]).fields, 1)[0])
    if len(read) == 1 and len(parts) == sum(isinstance(one, Field) for one in parts):
        (of_all,) = read.values()
        is_all = len(parts) == len(of_all.fields)
        names = [one.lfn for one in documents if one.lfn is not None]
        return replace(of_all, fields=tuple(documents), lfn=next(iter(names), of_all.lfn if is_all else None))
    lfn = documents[0].lfn if len(documents) == 1 else None
    return Texts(lfn=lfn, fields=tuple(documents))


def _like(new: NewField, model: Any) -> NewField:
    """The field with the axes and the region of another one, which has the same lattice."""
    if isinstance(model, NewField):
        model = model.array
    shape, names = tuple(new.array.shape), getattr(model, "dims", None)
    if isinstance(model, Field):
        axes = len(model.lattice)
        if shape[:axes] != model.lattice:
            raise ValueError(f"like has the lattice (t, z, y, x) = {model.lattice}, but the array has {shape[:axes]}")
        new = _in_region(new, model)
    if names is not None and new.dims is None and new.kind is None and len(names) == len(shape):
        own = getattr(new.array, "dims", None)
        new = replace(new, dims=list(own if own is not None else names))
    return new


def _in_region(new: NewField, field: Field) -> NewField:
    region = field.attrs["region"]
    if region == "hypercube" and new.lower is None:
        return replace(new, lower=field.attrs["lower"])
    return replace(new, is_global=True) if region == "global" else new


def _described(new: NewField, documents: Documents, precision: Any) -> NewField:
    """A field of a file with all that the file says about its numbers."""
    field = new.array
    if not isinstance(field, Field):
        return new
    attrs = field.attrs
    new = _in_region(new, field)
    if new.kind is not None and new.kind not in ITEMS and "mu" not in field.dims:
        return replace(new, array=field._as_links(new.kind) or field)
    if "mu" in field.dims:
        kind = documents.kind if documents.kind is not None else new.kind
        return replace(new, kind=kind) if new.kind is None else new
    # The name of a type has the letter of its precision.
    if new.kind is None and new.datatype is None and precision is None and "typesize" in attrs:
        new = replace(new, datatype=attrs.get("datatype"))
    return new


def arranged(
    arrays: Any, layout: str, kind: str | None, like: Any, lattice: Sequence[int] | None
) -> list[NewField]:
    """Arrays in the layout of a program as fields with the axes of files."""
    models = [] if like is None else _listed(like)
    fields = []
    for index, one in enumerate(arrays if isinstance(arrays, (list, tuple)) else [arrays]):
        new = one if isinstance(one, NewField) else NewField(one, kind=kind)
        model = models[index] if index < len(models) else None
        array = host(new.array)
        has_links = "mu" in model.dims if isinstance(model, Field) else new.kind is None or new.kind not in ITEMS
        sites = model.lattice if isinstance(model, Field) else lattice
        sites = sites or lattice_in(array.shape, layout, has_links=has_links)
        if sites is None:
            raise ValueError(f"an array in the layout {layout} does not show its lattice: give lattice=(t, z, y, x)")
        fields.append(replace(new, array=from_layout(array, layout, tuple(sites), has_links=has_links)))
    return fields


def assumption(new: NewField) -> str | None:
    """What was assumed of links whose axes have no names, if other programs could mean the same extents otherwise: mu in
    front, or the lattice in the order x, y, z, t.
    """
    shape = tuple(getattr(new.array, "shape", ()))
    has_names = new.dims is not None or isinstance(getattr(new.array, "dims", None), tuple)
    if has_names or len(shape) != 7 or not is_gauge_field(new):
        return None
    if shape[0] != shape[4] and shape[:4] != shape[3::-1]:
        return None
    axes = "t, z, y, x, mu, row, column"
    return f"the axes are taken for {axes}, but the extents allow another order: dims= names them, plaquette= proves them"
