"""A parser for VirtualiZarr, which makes one virtual dataset of many files without copying them."""

from __future__ import annotations

from typing import Any, Mapping

from virtualizarr.manifests import ChunkManifest, ManifestArray, ManifestGroup, ManifestStore
from virtualizarr.manifests.utils import create_v3_array_metadata

from . import _linkstream
from ._file import File
from ._sources import Ranges
from ._variables import variables
from ._reference import attributes, layout, refuse_unknown_axes


class Parser:
    """Reads the documents of a file, and refers to its data.

    ``virtualizarr.open_virtual_mfdataset(urls, registry=…, parser=Parser(), combine="nested", concat_dim="cfg")`` makes
    one dataset of many configurations. As for :func:`linkstream.reference`, **nothing verifies the data** that are read
    through it, and data that are not in one place are refused.

    Parameters
    ----------
    chunks : mapping of str to int, optional
        Extents of chunks, as for :func:`linkstream.reference`: by default, a chunk is a time slice.
    """

    def __init__(self, chunks: Mapping[str, int] | None = None) -> None:
        self.chunks = None if chunks is None else dict(chunks)

    def __call__(self, url: str, registry: Any) -> ManifestStore:
        source = Ranges(_Stored(url, *registry.resolve(url)))
        file = File(_linkstream.File.open_source(source), url, None, (), False)
        found = variables(file)
        refuse_unknown_axes(found, self.chunks)
        arrays = {}
        for variable in found:
            of = layout(variable, self.chunks)
            metadata = create_v3_array_metadata(
                shape=variable.field.shape,
                data_type=of.dtype,
                chunk_shape=of.chunk,
                fill_value=of.fill_value,
                dimension_names=variable.dims,
                attributes=attributes(variable, file.nbytes),
            )
            places = {
                ".".join(map(str, place)) or "0": {"path": url, "offset": offset, "length": of.chunk_bytes}
                for place, offset in of.chunks()
            }
            arrays[variable.name] = ManifestArray(metadata=metadata, chunkmanifest=ChunkManifest(places))
        group = ManifestGroup(arrays=arrays, attributes={"format": file.format})
        return ManifestStore(group=group, registry=registry)


class _Stored:
    """A file in a store of obstore."""

    begin = b""
    identity: tuple[object, ...] = ()

    def __init__(self, url: str, store: Any, path: str) -> None:
        self._store, self._path = store, path
        self.name = url
        self.length = int(store.head(path)["size"])

    def request(self, start: int, stop: int) -> bytes:
        return bytes(self._store.get_range(self._path, start=start, end=stop))

    def is_changed(self) -> bool:
        return False
