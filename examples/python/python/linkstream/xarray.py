"""Fields in xarray: ``xarray.open_dataset("lat.ildg", engine="linkstream")``."""

from __future__ import annotations

import math
import os
from typing import Any, Iterable, Mapping

import numpy as np
import xarray
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from . import _linkstream
from ._documents import paths_of
from ._far import is_url
from ._field import Field
from ._open import open as open_file
from ._sources import lock_of
from ._variables import attributes_of, coordinates, variables
from ._verification import Verify


class LinkstreamBackend(BackendEntrypoint):
    """The engine ``linkstream`` of xarray.

    A dataset has a variable for each field: ``links``, ``propagator``, ``fermion``, ``data``, … What one file says about
    itself are coordinates, which files of an ensemble keep along its axis: ``lfn``, ``update`` (-1 without one),
    ``record_xml`` and ``file_xml``. Data are read on demand; with ``chunks={}``, a chunk of Dask is a whole field of up
    to ``chunk_bytes``, or so many of its time slices.
    """

    description = "Files of lattice QCD: ILDG, SciDAC, NERSC, MILC"
    open_dataset_parameters = (
        "filename_or_obj",
        "drop_variables",
        "verify",
        "chunk_bytes",
        "xml",
        "storage_options",
    )

    def open_dataset(  # type: ignore[override,unused-ignore]
        self,
        filename_or_obj: Any,
        *,
        drop_variables: str | Iterable[str] | None = None,
        verify: Verify = True,
        chunk_bytes: int = 64 << 20,
        xml: Mapping[str, str] | None = None,
        storage_options: dict[str, Any] | None = None,
    ) -> xarray.Dataset:
        """Opens a file.

        Parameters
        ----------
        filename_or_obj :
            What :func:`linkstream.open` opens: a path, a URL, a file object, …
        drop_variables : optional
            Names of variables to leave out.
        verify : True, "if possible", "once" or False
            As for :func:`linkstream.open`. If data are verified, the first part that is
            read then needs one pass over all data of its field.
        chunk_bytes : int
            Largest size of a chunk of Dask. A time slice is not divided.
        xml : mapping of str to str, optional
            Further coordinates: a path of ElementTree such as ``".//beta"``, or the name of an element, in the texts of
            the file; or a key of the header of an archive.
        storage_options : dict, optional
            Options of fsspec for a URL.
        """
        file = open_file(filename_or_obj, verify=verify, **(storage_options or {}))
        dropped = {drop_variables} if isinstance(drop_variables, str) else set(drop_variables or ())
        found = {}
        of_file = variables(file)
        for variable in of_file:
            if variable.name in dropped:
                continue
            field = variable.field
            chunk = _chunk(field, chunk_bytes)
            encoding = {"preferred_chunks": dict(zip(variable.dims, chunk)), "dtype": field.dtype}
            data = indexing.LazilyIndexedArray(LazyField(field))
            attrs = variable.attrs
            if verify is False:
                attrs["verification"] = "unverified: verify=False"
            found[variable.name] = xarray.Variable(variable.dims, data, attrs, encoding)
        coords = coordinates(file, of_file, paths_of(xml))
        taken = sorted(set(coords) & (set(found) | {dim for variable in of_file for dim in variable.dims}))
        if taken:
            raise ValueError(f"the dataset has a variable or an axis {taken[0]!r}: give another name in xml")
        return xarray.Dataset(found, coords=coords, attrs=attributes_of(file))

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        """Whether the first bytes are those of a file with fields. Far files are not looked at."""
        return _linkstream.format_of(_first(filename_or_obj)) in ("lime", "nersc", "milc")


def _chunk(field: Field, most: int) -> tuple[int, ...]:
    """The shape of a chunk: all data, or as many time slices as have at most so many bytes."""
    if not field.lattice:
        return field.shape
    slice_ = math.prod(field.shape[1:]) * field.dtype.itemsize
    return (min(max(most // max(slice_, 1), 1), field.shape[0]), *field.shape[1:])


def _first(source: Any) -> bytes:
    """The first bytes of a file, or none."""
    count = _linkstream.SNIFFED
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source[:count])
    try:
        if isinstance(source, (str, os.PathLike)):
            # A pipe would wait.
            if is_url(source) or not os.path.isfile(source):
                return b""
            with open(source, "rb") as file:
                return file.read(count)
        if hasattr(source, "read") and hasattr(source, "seek"):
            with lock_of(source).held:
                place = source.tell()
                source.seek(0)
                first = source.read(count)
                source.seek(place)
            return first if isinstance(first, bytes) else b""
    except OSError:
        pass
    return b""


class LazyField(BackendArray):  # type: ignore[misc,unused-ignore]
    """A field that xarray reads parts of."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.shape = field.shape
        self.dtype = field.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER, self._read)

    def _read(self, key: tuple[Any, ...]) -> np.ndarray[Any, Any]:
        """Reads integers, slices, and arrays of places along each axis."""
        places = [item if isinstance(item, np.ndarray) else None for item in key]
        if key and places[0] is not None:
            # The time slices between them are not read.
            slices = [self._read((int(t), *key[1:])) for t in places[0]]
            return np.stack(slices) if slices else self._read((slice(0, 0), *key[1:]))
        bounding = [
            item if of_axis is None else _bounding(of_axis % extent)
            for item, of_axis, extent in zip(key, places, self.shape)
        ]
        part = np.asarray(self.field.read(tuple(bounding)))
        axis = 0
        for item, of_axis, extent, bounds in zip(key, places, self.shape, bounding):
            if of_axis is not None:
                part = part.take(of_axis % extent - bounds.start, axis)
            axis += 0 if isinstance(item, (int, np.integer)) else 1
        return part


def _bounding(places: np.ndarray[Any, Any]) -> slice:
    """The smallest slice with these places."""
    return slice(int(places.min()), int(places.max()) + 1) if places.size else slice(0, 0)
