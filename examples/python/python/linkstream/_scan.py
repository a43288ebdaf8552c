"""What many files say about themselves, as a table."""

from __future__ import annotations

import concurrent.futures
import glob
import json
import os
from typing import Any, Iterable, Iterator, Mapping

from . import _linkstream
from ._documents import chosen, paths_of
from ._errors import Error
from ._open import line_of
from ._open import open as _open
from ._sources import Ranges
from ._table import Table

_OF_TABLE = (
    "bytes",
    "format",
    "error",
    "fields",
    "region",
    "extents",
    "precision",
    "datatype",
    "lfn",
    "update",
    "data_offset",
    "data_bytes",
)
"""Columns with the names and values of ``linkstream table``."""
_CHECKED = (
    "verdict",
    "rules",
    "group",
    "boundary",
    "checksum",
    "suma",
    "sumb",
    "plaquette",
    "spatial_plaquette",
    "temporal_plaquette",
    "link_trace",
    "polyakov_loop_re",
    "polyakov_loop_im",
)
"""The same, of files that are checked."""
_OPTIONS = (False, False, True, False)
"""Options of a report: with observables."""


def scan(
    files: str | os.PathLike[str] | Iterable[Any],
    *,
    xml: Mapping[str, str] | None = None,
    check: bool = False,
    workers: int | None = None,
    **storage_options: Any,
) -> Table:
    """Reads what many files say about themselves, in parallel. Data are read only with ``check=True``.

    A file that cannot be opened has its reason in the column ``error``: no file is left out. All other columns have the names
    and the values of ``linkstream table``, except for ``t``, ``z``, ``y`` and ``x``, the extents one by one, and those of
    ``xml``. Hashes and times of a store are in :meth:`Manifest.table`.

    Parameters
    ----------
    files :
        A directory, all files of which are read; a pattern such as ``"ens/*.lime"`` (``**`` are directories of any depth);
        or any sources of :func:`open`. The
        volumes of a file set are one row, the one of the first volume in ``linkstream table``; ``bytes`` is their sum.
    xml : mapping of str to str, optional
        Further columns: a path of ElementTree such as ``".//beta"``, or the name of an element, in the texts of a
        file; or a key of the header of an archive.
    check : bool
        Whether each file is read to its end and checked, which adds the columns ``verdict`` (``"other"`` for files of no known
        format) and ``rules``, and of the first field ``group``, ``boundary``, checksums and observables, such as
        ``plaquette`` and ``polyakov_loop_re``.
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
    paths = paths_of(xml)
    of_table = [*_OF_TABLE, *(_CHECKED if check else ())]
    place = of_table.index("extents") + 1
    columns = ["file", *of_table[:place], *"tzyx", *of_table[place:]]
    taken = sorted(set(paths) & set(columns))
    if taken:
        raise ValueError(f"the table has a column {taken[0]!r}: give another name in xml")
    sources = list(_sources(files))

    def row(source: Any) -> dict[str, Any]:
        return _row(source, paths, (of_table, check), storage_options)

    if workers == 1 or len(sources) < 2:
        rows = [row(source) for source in sources]
    else:
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            rows = list(pool.map(row, sources))
    return Table({name: [one.get(name) for one in rows] for name in [*columns, *paths]})


def _sources(files: Any) -> Iterator[Any]:
    if not isinstance(files, (str, os.PathLike)):
        yield from files
        return
    pattern = os.fspath(files)
    if "://" in pattern:
        raise ValueError(f"{pattern} is a URL: list the files, such as fsspec.open_files(pattern)")
    if os.path.isdir(pattern):
        below = (os.path.join(folder, name) for folder, _, names in os.walk(pattern) for name in names)
        yield from _without_volumes(sorted(below))
        return
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


def _row(
    source: Any, paths: Mapping[str, str], columns: tuple[list[str], bool], options: dict[str, Any]
) -> dict[str, Any]:
    found: dict[str, Any] = {"file": _name(source)}
    fault = None
    try:
        try:
            with _open(source, verify="if possible", **options) as file:
                found |= {"file": file.name} | chosen(file, paths)
                # No part of a far file is requested twice.
                known = source if file._ranges is None else file._ranges
                values = _values(known, file.name, columns, options)
        except (Error, OSError, ValueError) as error:
            # A report on it may be possible.
            fault = str(error)
            values = _values(source, found["file"], columns, options)
        found |= values
    except (Error, OSError, ValueError) as error:
        fault = fault or str(error)
        found["verdict"] = "unreadable"
    found["error"] = found.get("error") or fault
    extents = (found.get("extents") or "").split("x")
    if len(extents) == 4:
        found |= dict(zip("xyzt", map(int, extents)))
    return found


def _name(source: Any) -> str:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return "bytes"
    return source if isinstance(source, str) else str(getattr(source, "name", source))


def _values(source: Any, name: str, columns: tuple[list[str], bool], options: dict[str, Any]) -> dict[str, Any]:
    if isinstance(source, Ranges):
        line = _linkstream.check_source(source, name, _OPTIONS, None, columns)
    else:
        line = line_of(source, _OPTIONS, None, options, columns)
    return dict(zip(columns[0], json.loads(line)))
