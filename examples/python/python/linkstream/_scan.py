"""What many files say about themselves, as a table."""

from __future__ import annotations

import concurrent.futures
import glob
import os
from typing import Any, Iterable, Iterator, Mapping

import numpy as np

from ._documents import chosen
from ._errors import Error
from ._file import File
from ._open import check as _check
from ._open import open as _open
from ._table import Table

COLUMNS = ("file", "bytes", "format", "error", "fields", "datatype", "precision", "extents", "t", "z", "y", "x", "lfn", "update")
"""The columns of each table; further ones are the paths in ``xml``."""
OBSERVABLES = ("plaquette", "spatial_plaquette", "temporal_plaquette", "link_trace")
LOOP = ("polyakov_loop_re", "polyakov_loop_im")
CHECKED = ("verdict", "rules", "checksum", "suma", "sumb", *OBSERVABLES, *LOOP)
"""The columns of files that are checked."""
_LETTERS = {"b": "B", "i": "Z", "f": "R", "c": "C"}
"""The types of INEBIN."""


def scan(
    files: str | os.PathLike[str] | Iterable[Any],
    *,
    xml: Mapping[str, str] | None = None,
    check: bool = False,
    workers: int | None = None,
    **storage_options: Any,
) -> Table:
    """Reads what many files say about themselves, in parallel. Data are read only with ``check=True``.

    A file that cannot be opened has its reason in the column ``error``: no file is left out. Columns with the names of those
    of ``linkstream table`` have the same values; of ``extents``, x is the first, or the rows
    of a matrix.

    Parameters
    ----------
    files :
        A pattern such as ``"ens/*.lime"`` (``**`` are folders of any depth); or any sources of :func:`open`. The
        volumes of a file set are one row.
    xml : mapping of str to str, optional
        Further columns: a path of ElementTree such as ``".//beta"``, or the name of an element, in the texts of a
        file; or a key of the header of an archive.
    check : bool
        Whether each file is read to its end and checked, which adds the columns ``verdict`` and ``rules``, and the checksum
        and the observables of its first field, such as ``plaquette`` and ``polyakov_loop_re``.
    workers : int, optional
        Number of files that are read at a time.
    storage_options :
        Options of fsspec for URLs, as for :func:`open`.

    Examples
    --------
    >>> import linkstream as ls
    >>> table = ls.scan("*.ildg", check=True)
    >>> sorted(zip(table["file"], table["verdict"]))
    [('damaged.ildg', 'wrong'), ('lat.ildg', 'ok')]
    """
    paths = dict(xml or {})
    columns = [*COLUMNS, *(CHECKED if check else ()), *paths]
    taken = sorted(set(paths) & set(columns[: len(columns) - len(paths)]))
    if taken:
        raise ValueError(f"the table has a column {taken[0]!r}: give another name in xml")
    sources = list(_sources(files))

    def row(source: Any) -> dict[str, Any]:
        return _row(source, paths, check, storage_options)

    if workers == 1 or len(sources) < 2:
        rows = [row(source) for source in sources]
    else:
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            rows = list(pool.map(row, sources))
    return Table({name: [one.get(name) for one in rows] for name in columns})


def _sources(files: Any) -> Iterator[Any]:
    if not isinstance(files, (str, os.PathLike)):
        yield from files
        return
    pattern = os.fspath(files)
    if "://" in pattern:
        raise ValueError(f"{pattern} is a URL: list the files, such as fsspec.open_files(pattern)")
    found = sorted(glob.glob(pattern, recursive=True))
    if not found and not glob.has_magic(pattern):
        found = [pattern]
    yield from _without_volumes(path for path in found if not os.path.isdir(path))


def _without_volumes(paths: Iterable[str]) -> Iterator[str]:
    """Paths, with the name of a file set in place of those of its volumes."""
    seen = set()
    for path in paths:
        stem, volume, number = path.rpartition(".vol")
        name = stem if volume and number.isdigit() else path
        if name not in seen:
            seen.add(name)
            yield name


def _row(source: Any, paths: Mapping[str, str], check: bool, options: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"file": source if isinstance(source, str) else str(getattr(source, "name", source))}
    try:
        with _open(source, verify="if possible", **options) as file:
            found["file"] = file.name
            found |= _about(file) | chosen(file, paths)
            if check:
                found |= _checked(file)
    except (Error, OSError, ValueError) as error:
        found["error"] = str(error)
        if check:
            found["verdict"] = "unreadable"
    return found


def _about(file: File) -> dict[str, Any]:
    about: dict[str, Any] = {"bytes": file.nbytes, "format": file.format, "fields": len(file)}
    if file._raw.matrix is not None:
        rows, columns, dtype = file._raw.matrix
        return about | {"fields": 1, "datatype": _LETTERS[np.dtype(dtype).kind], "extents": f"{rows}x{columns}"}
    if not file.fields:
        return about
    attrs = file[0].attrs
    # As in a table: an archive names its type in the header, or nowhere.
    about["datatype"] = attrs.get("datatype") if file.format == "lime" else file.header.get("DATATYPE")
    about["precision"] = 8 * file[0].dtype.itemsize // (1 + (file[0].dtype.kind == "c"))
    lattice = attrs["lattice"]
    about["extents"] = "x".join(map(str, reversed(lattice)))
    if len(lattice) == 4:
        about |= dict(zip("tzyx", lattice))
    lfn = file.attrs.get("lfn")
    about["lfn"] = lfn[0] if isinstance(lfn, list) else lfn
    about["update"] = attrs.get("update")
    return about


def _checked(file: File) -> dict[str, Any]:
    report = _check(file)
    rules = dict.fromkeys(one["rule"] for one in report["findings"] if one["severity"] == "error")
    first: Mapping[str, Any] = next(iter(report["fields"]), {})
    found = {"verdict": report["verdict"], "rules": " ".join(rules) or None}
    found |= {name: first.get(name) for name in ("checksum", *OBSERVABLES)}
    found |= {one["name"]: one["computed"] for one in first.get("checksums", ()) if one["name"] in ("suma", "sumb")}
    return found | dict(zip(LOOP, first.get("polyakov_loop") or ()))
