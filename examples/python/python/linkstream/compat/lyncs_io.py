"""``load``, ``save`` and ``head`` as lyncs_io 0.2 has them, for files of lattice QCD.

>>> from linkstream.compat import lyncs_io as io        # instead of: import lyncs_io as io

What differs:

- Arrays are in native byte order, and verified: damaged files raise :class:`linkstream.Error`, and files without a
  checksum :class:`linkstream.UnverifiedError` unless ``verify=False``. lyncs_io returns their contents.
- All formats of :func:`linkstream.open` are read, and all fields; no pickle is executed.
- ``save`` writes SciDAC and ILDG documents with a checksum, which other programs read, instead of a pickle. The axes of
  the array decide what its numbers are, or ``kind``. Other arrays raise ``ValueError``: :func:`numpy.save` writes them.
- ``chunks`` works. ``comm`` raises ``NotImplementedError``.
- Files of other formats (pickle, JSON, HDF5, tar, npy) are left to the packages that read them.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, unescape

import numpy as np

from .._errors import Error
from .._open import open as _open
from .._write import write as _write

if TYPE_CHECKING:
    from .._field import Field
    from .._file import File

__all__ = ["Header", "dump", "head", "load", "save"]

_OWN_DATA = "lyncs-io-data"
"""The type of the record with the data that lyncs_io writes."""


class Header(dict[str, Any]):
    """What a file says about its field: a dictionary, as that of lyncs_io."""

    def is_proper(self) -> bool:
        """Whether lyncs_io has written the file, which is never the case here."""
        return False


def load(
    filename: Any,
    format: str | None = None,  # noqa: A002
    *,
    chunks: Any = None,
    comm: Any = None,
    verify: bool = True,
) -> Any:
    """Loads the only field of a file.

    Parameters
    ----------
    filename :
        A path, also without its suffix if only one file has that name; or what else :func:`linkstream.open` opens.
    format :
        ``"lime"``, or nothing: the contents of the file decide.
    chunks :
        Returns an array of Dask with these chunks, which is read on demand.
    comm :
        Not supported: each process can read a part of ``linkstream.open(filename)[0]``.
    verify :
        False for files without a checksum.
    """
    _check_format(format)
    if comm is not None:
        if chunks is not None:
            raise ValueError("chunks and comm parameters cannot be both set")
        raise NotImplementedError("comm: let each process read its part of linkstream.open(filename)[0]")
    field = _only(_open(_found(filename), verify=verify))
    if chunks is None:
        return field.numpy()
    import dask.array

    meta = np.empty((0,) * field.ndim, field.dtype)
    return dask.array.from_array(field, chunks=chunks, meta=meta)  # type: ignore[no-untyped-call]


def head(filename: Any, format: str | None = None) -> Header:  # noqa: A002
    """Returns what a file says about its only field, without reading the data: ``shape``, ``dtype`` (of the data in the
    file), ``nbytes``, ``_offset``; the elements of the ildg-format; and the keys of xlf-info, or those that ``save`` has
    written.
    """
    _check_format(format)
    file = _open(_found(filename))
    field = _only(file)
    header = Header()
    for text in file.texts("ildg-format") if file.format == "lime" else []:
        elements = re.findall(r"<(\w+)>([^<]*)</\1>", text)
        header.update((key, _number(unescape(value.strip()))) for key, value in elements)
    if file.format == "lime":
        infos = file.texts("xlf-info")
        infos += [
            unescape(info)
            for text in file.texts("scidac-record-xml")
            for info in re.findall("<info>(.*?)</info>", text, re.DOTALL)
        ]
        for info in infos:
            lines = (line.split("=", 1) for line in re.split("[\n,]", info) if "=" in line)
            header.update((key.strip(), _number(value.strip())) for key, value in lines)
    header.update(file.header)
    header.update(shape=field.shape, nbytes=field.nbytes, dtype=field.dtype.str, fortran_order=False)
    place = field._raw.contiguous()
    if place is not None:
        header.update(_offset=place[0], dtype=field.dtype.newbyteorder(place[2]).str)
    return header


def save(
    array: Any,
    filename: Any,
    format: str | None = None,  # noqa: A002
    *,
    comm: Any = None,
    metadata: dict[str, Any] | None = None,
    kind: str | None = None,
) -> None:
    """Saves an array as a LIME file. An existing file is replaced, as lyncs_io does it, once the new one is complete.

    Parameters
    ----------
    array :
        What :func:`linkstream.write` writes.
    filename :
        The new file.
    format :
        ``"lime"``, or nothing.
    comm :
        Not supported.
    metadata :
        Keys and values, which become lines of the text about the record, and which ``head`` returns.
    kind :
        What the numbers are, if the axes do not say it.
    """
    _check_format(format)
    if comm is not None:
        raise NotImplementedError("comm: gather the array, or write with the library linkstream_mpi")
    _write(filename, array, kind=kind, record_xml=_record_xml(metadata), replace=True)


dump = save


def _record_xml(metadata: dict[str, Any] | None) -> str | None:
    if not metadata:
        return None
    lines = {str(key): str(value) for key, value in metadata.items()}
    for key, value in lines.items():
        if re.search(r"[=\n,]", key) or re.search(r"[\n,]", value) or not key.strip():
            raise ValueError(f"metadata: {key!r}: a line is 'key = value' without commas and line feeds")
    text = "\n".join(f"{key} = {value}" for key, value in lines.items())
    return f'<?xml version="1.0" encoding="UTF-8"?><info>{escape(text)}</info>'


def _check_format(format: str | None) -> None:  # noqa: A002
    if format is not None and str(format).lower() != "lime":
        raise ValueError(f"format {format!r}: only files of lattice QCD are read and written here")


def _found(filename: Any) -> Any:
    """The file of this name, or the only one with this name and a suffix."""
    if not isinstance(filename, (str, os.PathLike)) or "://" in str(filename):
        return filename
    path = Path(filename)
    if path.exists() or not path.parent.is_dir():
        return filename
    # A set is called by its name without the numbers of its volumes.
    names = sorted(other for other in path.parent.iterdir() if other.name.startswith(f"{path.name}."))
    if len(names) > 1 and not all(re.fullmatch(r"\.vol\d{4,}", name.suffix) for name in names):
        raise ValueError(f"More than one {filename}.* exist")
    return names[0] if len(names) == 1 else filename


def _only(file: File) -> Field:
    if len(file) == 1:
        return file[0]
    if file.format == "lime" and any(record.type == _OWN_DATA for record in file.records):
        raise Error(
            f"{file.name} was written by lyncs_io, which describes the data in a pickle: load it with lyncs_io and save "
            "it again"
        )
    what = "no data record" if not len(file) else "more than one data record"
    raise ValueError(f"{file.name}: {what}; linkstream.open reads files with any number of fields")


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
