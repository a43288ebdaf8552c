"""References: where the data of a file are, for programs that do not know its format."""

from __future__ import annotations

import itertools
import json
import math
from typing import Any, Iterator, Mapping, NamedTuple

import numpy as np

from ._errors import Error
from ._field import Field
from ._file import File
from ._variables import SUMS, Variable, variable_of, variables

_NOTE = "read through a reference: nothing compares the data with their checksum"


def reference(
    source: File | Field, url: str, chunks: Mapping[str, int] | None = None, *, zarr_format: int = 2
) -> dict[str, Any]:
    """Returns a reference to the data in a file, for kerchunk and the ``reference`` filesystem of fsspec.

    zarr, xarray and Dask open it as a group of zarr with a variable for each field, and request the chunks from ``url``.
    **They verify nothing**: the attributes of each variable say so in ``verification``. If all data of the
    field have been verified, the attributes also say when (``verified_at``), in which file, and with which checksum.

    Parameters
    ----------
    source : File or Field
        The fields to refer to.
    url : str
        Where the same file will be found by whoever opens the reference.
    chunks : mapping of str to int, optional
        Extents of chunks for each axis, such as ``{"t": 1, "z": 4}``; by default, a chunk is a time slice. Axes that
        are not mentioned are whole. Each chunk must be in one place of the file, and chunks must divide their axes.
    zarr_format : int
        2 or 3.

    Returns
    -------
    dict
        For ``json.dump``; ``xarray.open_dataset(…, engine="kerchunk", chunks={})`` opens format 2. zarr opens both, with
        ``storage_options={"fo": …, "remote_protocol": "https", "remote_options": {"asynchronous": True}}`` for
        ``"reference://"``.

    Raises
    ------
    linkstream.Error
        The data are not in one place as an array: those of file sets, of archives with two rows of each link, and of
        archives with a list of sites. Or the byte order of a NERSC archive is not known before it has been verified.
    ValueError
        The chunks are not possible.
    """
    if zarr_format not in (2, 3):
        raise ValueError(f"zarr has the formats 2 and 3, not {zarr_format}")
    for field in [source] if isinstance(source, Field) else source.fields:
        field.file._check_unchanged(field._judgement)
    found = [variable_of(source)] if isinstance(source, Field) else variables(source)
    refuse_unknown_axes(found, chunks)
    write = _format_2 if zarr_format == 2 else _format_3
    attrs = {"format": found[0].field.file.format}
    group: dict[str, Any] = {"zarr_format": zarr_format}
    if zarr_format == 2:
        refs: dict[str, Any] = {".zgroup": json.dumps(group), ".zattrs": json.dumps(attrs)}
    else:
        refs = {"zarr.json": json.dumps({**group, "node_type": "group", "attributes": attrs})}
    for variable in found:
        write(refs, variable, layout(variable, chunks), url)
    return {"version": 1, "refs": refs}


class Layout(NamedTuple):
    """Where the chunks of a field are."""

    offset: int
    dtype: np.dtype[Any]
    """The type of the numbers in the byte order of the file."""
    chunk: tuple[int, ...]
    """The shape of a chunk."""
    grid: tuple[int, ...]
    """Number of chunks along each axis."""

    @property
    def chunk_bytes(self) -> int:
        """Size of a chunk in bytes."""
        return math.prod(self.chunk) * self.dtype.itemsize

    def chunks(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yields the place of each chunk in the grid, and its offset in the file."""
        for number, place in enumerate(itertools.product(*map(range, self.grid))):
            yield place, self.offset + number * self.chunk_bytes

    @property
    def fill_value(self) -> complex | float | int:
        """What readers take for a chunk that is missing in the reference: no number, if possible."""
        return {"c": complex(math.nan, math.nan), "f": math.nan}.get(self.dtype.kind, 0)

    @property
    def fill_json(self) -> Any:
        """The same in JSON."""
        return {"c": ["NaN", "NaN"], "f": "NaN"}.get(self.dtype.kind, 0)


def layout(variable: Variable, chunks: Mapping[str, int] | None) -> Layout:
    """Where the chunks of a variable are. Raises what :func:`reference` raises."""
    field = variable.field
    place = field._raw.contiguous()
    if place is None:
        raise Error(f"field {field.index} cannot be referred to: {_reason(field)}", file=field.file.name)
    if not field._raw.is_order_known:
        message = "the archive does not state its byte order: verify() shows it"
        raise Error(f"field {field.index} cannot be referred to: {message}", file=field.file.name)
    offset, _, order = place
    shape, dims = field.shape, field.dims
    wanted = dict(chunks) if chunks is not None else {dims[0]: 1} if field.lattice else {}
    chunk = tuple(_extent(dim, wanted.get(dim, -1), extent) for dim, extent in zip(dims, shape))
    # In front of an axis that is divided, each chunk has one place.
    is_divided = False
    for dim, extent, of_chunk in reversed(list(zip(dims, shape, chunk))):
        if is_divided and of_chunk != 1:
            raise ValueError(f"these chunks are not in one place of the file: the one of {dim!r} must be 1")
        is_divided = is_divided or of_chunk != extent
    grid = tuple(extent // of_chunk for extent, of_chunk in zip(shape, chunk))
    return Layout(offset, field.dtype.newbyteorder(order), chunk, grid)


def _extent(dim: str, wanted: int, extent: int) -> int:
    if wanted == -1:
        return extent
    if wanted < 1 or extent % wanted:
        raise ValueError(f"chunks of {wanted} do not divide the axis {dim!r} with {extent}")
    return wanted


def refuse_unknown_axes(found: list[Variable], chunks: Mapping[str, int] | None) -> None:
    """Refuses axes that no variable has."""
    known = {dim for variable in found for dim in variable.field.dims}
    unknown = [dim for dim in chunks or () if dim not in known]
    if unknown:
        raise ValueError(f"there is no axis {unknown[0]!r}: the axes are {', '.join(sorted(known))}")


def _reason(field: Field) -> str:
    if field.file.is_set:
        return "a file set has its data in several files"
    if field.file.format == "nersc":
        return "the archive has two rows of each link"
    return "the archive has its sites in the order of a list"


def attributes(variable: Variable, length: int) -> dict[str, Any]:
    """The attributes of a variable that is read without verification."""
    field = variable.field
    attrs = {**variable.attrs, "verification": f"unverified: {_NOTE}", "file_bytes": length}
    verified_at = field._judgement.verified_at
    if verified_at is not None:
        attrs["verified_at"] = verified_at.isoformat(timespec="seconds")
        attrs["verified_file"] = field.file.name
        attrs |= {key: value for key, value in field.attrs.items() if key in SUMS}
    return attrs


def _format_2(refs: dict[str, Any], variable: Variable, of: Layout, url: str) -> None:
    array = {
        "zarr_format": 2,
        "shape": variable.field.shape,
        "chunks": of.chunk,
        "dtype": of.dtype.str,
        "compressor": None,
        "filters": None,
        "order": "C",
        # xarray takes a number for missing data.
        "fill_value": of.fill_json or None,
    }
    attrs = {**attributes(variable, variable.field.file.nbytes), "_ARRAY_DIMENSIONS": variable.dims}
    refs[f"{variable.name}/.zarray"] = json.dumps(array)
    refs[f"{variable.name}/.zattrs"] = json.dumps(attrs)
    for place, offset in of.chunks():
        refs[f"{variable.name}/{'.'.join(map(str, place)) or '0'}"] = [url, offset, of.chunk_bytes]


def _format_3(refs: dict[str, Any], variable: Variable, of: Layout, url: str) -> None:
    endian = "little" if of.dtype.newbyteorder("<") == of.dtype else "big"
    array = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": variable.field.shape,
        "data_type": of.dtype.name,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": of.chunk}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": of.fill_json,
        "codecs": [{"name": "bytes", "configuration": {"endian": endian}}],
        "attributes": attributes(variable, variable.field.file.nbytes),
        "dimension_names": variable.dims,
    }
    refs[f"{variable.name}/zarr.json"] = json.dumps(array)
    for place, offset in of.chunks():
        refs["/".join([variable.name, "c", *map(str, place)])] = [url, offset, of.chunk_bytes]
