"""Opening files."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Sequence

from . import _linkstream
from ._errors import ChangedError
from ._file import File
from ._report import Report
from ._sources import FileObject, Ranges


def open(source: Any, *, verify: bool = True, **storage_options: Any) -> File:  # noqa: A001
    """Opens a file: a LIME file with ILDG or SciDAC documents, a file set of QIO, a NERSC archive, a MILC file of version
    5, an scda file or an INEBIN matrix.

    Its contents are listed strictly: what is certainly not what was written raises :class:`linkstream.Error`. Data are
    read on demand.

    Parameters
    ----------
    source :
        A path; the path of a volume, or the name, of a file set; a list of the paths of its volumes; the bytes of a
        file; a binary file object that can seek; or a URL that fsspec knows, such as ``"https://…"`` or ``"s3://…"``.
    verify :
        Whether data that no checksum verifies are an error. ``False`` reads them with an
        :class:`linkstream.UnverifiedWarning`, and reads parts of data without a pass over all of them.
    storage_options :
        Options of fsspec for a URL.

    Raises
    ------
    OSError
        The file cannot be read, ``FileNotFoundError`` for instance.
    linkstream.FormatError
        The file has no format that can be read.
    linkstream.Error
        The file breaks a rule of its format, so that its contents are not certain.

    Examples
    --------
    >>> import linkstream as ls
    >>> ls.open("lat.ildg")
    <linkstream.File 'lat.ildg': lime file, 1 field>
    >>> ls.open(b"These bytes are no file.")
    Traceback (most recent call last):
        ...
    linkstream._errors.FormatError: ...
    """
    again = (_again, (source, verify, storage_options))
    if storage_options and not _is_url(source):
        raise TypeError(f"these options are for URLs: {', '.join(storage_options)}")
    if isinstance(source, (bytes, bytearray, memoryview)):
        source = bytes(source)
        again = (_again, (source, verify, {}))
        return File(_linkstream.File.open_source(source), "bytes", None, again, verify)
    if _is_url(source):
        return _open_url(source, storage_options, again, verify)
    if hasattr(source, "read") and hasattr(source, "seek"):
        raw = _linkstream.File.open_source(FileObject(source))
        return File(raw, str(getattr(source, "name", "file object")), None, again, verify)
    if isinstance(source, (list, tuple)):
        return _open_volumes(source, again, verify)
    try:
        path = os.fsdecode(source)
    except TypeError:
        raise TypeError(f"a file cannot be opened from an object of type {type(source).__name__}") from None
    path = os.path.abspath(path)
    raw = _linkstream.File.open_path(path)
    stamp = _stamp(path)
    return File(raw, os.fsdecode(source), None if raw.is_set else path, (_again_at, (path, verify, stamp)), verify)


def _is_url(source: Any) -> bool:
    return isinstance(source, str) and "://" in source


def _open_url(url: str, options: dict[str, Any], again: tuple[Any, ...], verify: bool) -> File:
    ranges = _ranges(url, options)
    file = File(_linkstream.File.open_source(ranges), url, None, again, verify)
    file._ranges = ranges
    return file


def _ranges(url: str, options: dict[str, Any]) -> Ranges:
    """A far file, through fsspec."""
    try:
        import fsspec  # type: ignore[import-untyped,unused-ignore]
    except ImportError as error:
        raise ImportError(f"opening {url} needs the package fsspec") from error
    filesystem, path = fsspec.core.url_to_fs(url, **options)
    size = filesystem.info(path)["size"]
    if size is None:
        raise OSError(f"{url}: the server does not state the length of the file")
    return Ranges(lambda start, stop: filesystem.cat_file(path, start=start, end=stop), size)


def _open_volumes(sources: Sequence[Any], again: tuple[Any, ...], verify: bool) -> File:
    """Opens the volumes of a set."""
    paths = [os.path.abspath(os.fsdecode(path)) for path in sources]
    raw = _linkstream.File.open_volumes([(_number(path), path) for path in paths])
    return File(raw, f"{len(paths)} volumes", None, again, verify)


def _number(path: str) -> int | None:
    """The number in the name of a volume: ``NAME.volNNNN`` or ``volNNNN/NAME``."""
    for name in (os.path.splitext(path)[1].lstrip("."), os.path.basename(os.path.dirname(path))):
        if name.startswith("vol") and name[3:].isdecimal() and len(name) >= 7:
            return int(name[3:])
    return None


def _stamp(path: str) -> tuple[int, int] | None:
    """Length and time of the last modification."""
    try:
        about = os.stat(path)
    except OSError:
        # The name of a set.
        return None
    return about.st_size, about.st_mtime_ns


def _again(source: Any, verify: bool, options: dict[str, Any]) -> File:
    return open(source, verify=verify, **options)


def _again_at(path: str, verify: bool, stamp: tuple[int, int] | None) -> File:
    """Opens a pickled file, which must be the same one."""
    file = open(path, verify=verify)
    if stamp != _stamp(path):
        raise ChangedError(f"{path} has changed since it was opened")
    return file


def check(
    source: Any,
    *,
    lenient: bool = False,
    require_checksum: bool = False,
    observables: bool = True,
    slices: bool = False,
    progress: Callable[[int, int], object] | None = None,
    **storage_options: Any,
) -> Report:
    """Reads a file, or a file set, to its end, verifies it, and returns the report of ``linkstream check --json``.

    ``report["verdict"]`` is ``"ok"``, ``"unverified"``, ``"wrong"`` or ``"unreadable"``; a file that cannot be opened
    has a report as well.

    Parameters
    ----------
    source :
        A path, the bytes of a file, a binary file object that can seek, a URL that fsspec knows, or an open
        :class:`File`, which Jupyter then shows with the verdict and the plot.
    lenient :
        Broken rules that leave the data certain are warnings, not errors.
    require_checksum :
        A file with data that no checksum verifies is not ok.
    observables :
        Compute plaquette, link trace and unitarity of gauge fields.
    slices :
        Compute them for each time slice as well.
    progress : callable, optional
        Called with the number of bytes read so far and their total number. An exception ends the call.
    storage_options :
        Options of fsspec for a URL.

    Returns
    -------
    Report
        A ``dict`` with the keys of ``examples/report/schema.json``.

    Raises
    ------
    linkstream.ChangedError
        An open :class:`File` has changed since it was opened.

    Examples
    --------
    >>> import linkstream as ls
    >>> ls.check("lat.ildg")["verdict"]
    'ok'
    >>> report = ls.check("damaged.ildg")
    >>> report["verdict"], report["findings"][0]["rule"]
    ('wrong', 'checksum-mismatch')
    """
    options = (lenient, require_checksum, observables, slices)
    if isinstance(source, File):
        if storage_options:
            raise TypeError("an open file has its own options")
        return _check_open(source, options, progress)
    if storage_options and not _is_url(source):
        raise TypeError(f"these options are for URLs: {', '.join(storage_options)}")
    return _check(source, options, progress, storage_options)


def _check(
    source: Any,
    options: tuple[bool, bool, bool, bool],
    progress: Callable[[int, int], object] | None,
    storage_options: dict[str, Any],
) -> Report:
    if isinstance(source, (bytes, bytearray, memoryview)):
        line = _linkstream.check_source(bytes(source), "bytes", options, progress)
    elif _is_url(source):
        line = _linkstream.check_source(_ranges(source, storage_options), source, options, progress)
    elif hasattr(source, "read") and hasattr(source, "seek"):
        name = str(getattr(source, "name", "file object"))
        line = _linkstream.check_source(FileObject(source), name, options, progress)
    else:
        line = _linkstream.check_path(os.fsdecode(source), options, progress)
    return Report(json.loads(line))


def _check_open(
    file: File, options: tuple[bool, bool, bool, bool], progress: Callable[[int, int], object] | None
) -> Report:
    """Checks an open file, which must be the same one afterwards, and keeps the report with it."""
    source, _, rest = file._again[1]
    if isinstance(source, (list, tuple)):
        raise TypeError("a list of volumes cannot be checked: pass the path of one volume of the set")
    is_local = file._path is not None
    report = _check(source, options, progress, {} if is_local or not isinstance(rest, dict) else rest)
    if is_local and rest != _stamp(source):
        raise ChangedError(f"{source} has changed since it was opened")
    file._report = report
    return report
