"""Opening files."""

from __future__ import annotations

import functools
import json
import os
from typing import Any, Callable, Sequence, TypeVar, overload

from . import _linkstream
from ._errors import ChangedError
from ._explain import in_python
from ._far import Far, is_url, located, ranges, volume_name
from ._file import File
from ._named import named_source
from ._paths import absolute, existing_path
from ._report import Report
from ._sources import Failing, Ranges, Source, of_object
from ._store import Changes, Manifest, changes
from ._types import Kind
from ._verification import Verify, demanded

_Raw = TypeVar("_Raw")
_Stamp = TypeVar("_Stamp")


@named_source
def open(  # noqa: A001
    source: Any, *, verify: Verify = True, kind: Kind | None = None, **storage_options: Any
) -> File:
    """Opens a file: a LIME file with ILDG or SciDAC documents, a file set of QIO, a NERSC archive, a MILC file of version
    5, an scda file or an INEBIN matrix.

    Its contents are listed strictly: what is certainly not what was written raises :class:`linkstream.Error`. Data are
    read on demand.

    Parameters
    ----------
    source :
        A path; the path of a volume, or the name, of a file set; a list of its volumes; the bytes of a file; a binary
        file object that can seek; a URL that fsspec knows, such as ``"https://…"`` or ``"s3://…"``; or a file of
        fsspec. Of far files, only the parts that are needed are requested.
    verify :
        ``True``: data are compared with their checksum, and data without one are an error. ``"once"``: the same, but what
        one pass over all data has verified stays verified as long as the length of the file and the time of its last
        modification stay the same: later parts read only their own bytes. ``"if possible"``: data are
        compared with their checksum if there is one, and it must be right; others are read with an
        :class:`linkstream.UnverifiedWarning`. ``False``: nothing is compared, and parts are read without a pass over all
        data.
    kind :
        A kind of links of ILDG, such as ``"su3gauge"``: fields that no document describes as links or items, and whose
        sites have the size of such links, are links, as with the option ``--kind`` of the program.
    storage_options :
        Options of fsspec for a URL. If users name the URL, ``allowed=["https://example.org"]`` refuses all other servers,
        other protocols, chains of protocols, and redirections.

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
    linkstream.FormatError: ...
    """
    if verify is None:
        raise ValueError("verify must be True, 'if possible', 'once' or False, not None")
    return _opened(source, demanded(verify), storage_options)._as(kind)


def _opened(source: Any, verify: Verify, storage_options: dict[str, Any]) -> File:
    if storage_options and not _has_url(source):
        raise TypeError(f"these options are for URLs: {', '.join(storage_options)}")
    if isinstance(source, (bytes, bytearray, memoryview)):
        source = bytes(source)
        return File(_linkstream.File.open_source(source), "bytes", None, (_again, (source, verify)), verify)
    if isinstance(source, (list, tuple)):
        return _open_volumes(source, storage_options, verify)
    place = located(source, storage_options)
    if isinstance(place, Far):
        return _open_far(place, verify)
    if place is None and hasattr(source, "read") and hasattr(source, "seek"):
        raw = _linkstream.File.open_source(of_object(source))
        return File(raw, str(getattr(source, "name", "file object")), None, (_again, (source, verify)), verify)
    if place is None and hasattr(source, "fs") and hasattr(source, "open"):
        # A compressed file of fsspec.
        raw = _linkstream.File.open_source(of_object(source.open(), is_owned=True))
        return File(raw, str(source.path), None, (_again, (source, verify)), verify)
    name = existing_path(source if place is None else place)
    path = absolute(name)
    raw, stamp = _stamped(path, lambda: _stamp(path), lambda: _linkstream.File.open_path(path))
    return File(raw, name, None if raw.is_set else path, (_again_at, (path, verify, stamp)), verify)


def _has_url(source: Any) -> bool:
    return any(map(is_url, source)) if isinstance(source, (list, tuple)) else is_url(source)


def _stamped(name: str, stamp: Callable[[], _Stamp], open_raw: Callable[[], _Raw]) -> tuple[_Raw, _Stamp]:
    """Opens files that have the same stamp before and afterwards: what is opened is what the stamp stands for."""
    before = stamp()
    raw = open_raw()
    if stamp() != before:
        raise ChangedError(f"{name} has changed while it was opened")
    return raw, before


def _open_far(place: Far, verify: Verify, expected: tuple[object, ...] | None = None) -> File:
    source = ranges(place)
    if expected not in (None, source.identity):
        raise ChangedError(f"{place.name} has changed since it was opened")
    again = (_again_far, (place, verify, source.identity))
    file = File(_linkstream.File.open_source(source), place.name, None, again, verify)
    file._ranges = source
    return file


_once_far = functools.lru_cache(maxsize=32)(_open_far)

if hasattr(os, "register_at_fork"):
    # fsspec has threads, which do not exist in a forked process.
    os.register_at_fork(after_in_child=_once_far.cache_clear)


def _open_volumes(sources: Sequence[Any], options: dict[str, Any], verify: Verify) -> File:
    """Opens the volumes of a set: local files, far ones, or file objects."""
    places = _places(sources, options)
    name = f"{len(sources)} volumes"
    is_object = [place is None and hasattr(source, "read") for source, place in zip(sources, places)]
    if not any(is_object) and not any(isinstance(place, Far) for place in places):
        paths = [absolute(existing_path(source if place is None else place)) for source, place in zip(sources, places)]
        numbered = [(_linkstream.volume_number(path), path) for path in paths]
        raw, stamps = _stamped(
            name, lambda: [_stamp_of(path) for path in paths], lambda: _linkstream.File.open_volumes(numbered)
        )
        again = (_again_volumes, (paths, verify, stamps))
        return File(raw, name, None, again, verify)
    volumes = [_volume(source, place) for source, place in zip(sources, places)]
    raw = _linkstream.File.open_set(_numbered(volumes))
    # Relative paths would be others in another process.
    kept = [
        volume if isinstance(volume, str) else place or source
        for source, place, (_, volume) in zip(sources, places, volumes)
    ]
    return File(raw, name, None, (_again_volumes, (kept, verify, [_identity(volume) for _, volume in volumes])), verify)


def _places(sources: Sequence[Any], options: dict[str, Any]) -> list[Far | str | None]:
    if not sources:
        raise ValueError("the list has no volumes")
    return [located(source, options) for source in sources]


def _numbered(volumes: list[tuple[str, Source | str]]) -> list[tuple[str, int | None, Source | str]]:
    """The volumes with the numbers in their names."""
    return [(called, _linkstream.volume_number(volume_name(called)), volume) for called, volume in volumes]


def _volume(source: Any, place: Far | str | None) -> tuple[str, Source | str]:
    """The name and the source of a volume that is not in the same place as all others."""
    if isinstance(place, Far):
        return place.name, ranges(place)
    if place is None and hasattr(source, "read") and hasattr(source, "seek"):
        return str(getattr(source, "name", "file object")), of_object(source)
    path = absolute(existing_path(source if place is None else place))
    return path, path


def _identity(volume: Source | str) -> object:
    if isinstance(volume, str):
        return _stamp_of(volume)
    return volume.identity if isinstance(volume, Ranges) else volume.length


def _stamp(path: str) -> tuple[Any, ...]:
    """What shows that another file, or another set, has replaced the one at this path: of each of its files, the name,
    the length, and the time of the last modification.
    """
    return tuple((name, _stamp_of(name)) for name in _linkstream.files_at(path))


def _stamp_of(path: str) -> tuple[int, int] | None:
    """Length and time of the last modification of a file."""
    try:
        about = os.stat(path)
    except OSError:
        return None
    return about.st_size, about.st_mtime_ns


# --- Pickles ---
# A worker of Dask gets a pickle for each of its tasks. It opens the file once.


def _again(source: Any, verify: Verify) -> File:
    return open(source, verify=verify)


def _again_at(path: str, verify: Verify, stamp: tuple[Any, ...]) -> File:
    """Opens a pickled file, which must be the same one."""
    file = _once_at(path, verify, stamp) if stamp == _stamp(path) else None
    if file is not None and file.is_closed:
        # Whoever had this one does not need it any more.
        file = _open_at(path, verify, stamp)
    if file is None or stamp != _stamp(path):
        raise ChangedError(f"{path} has changed since it was opened")
    file._raw.check_unchanged()
    return file


def _open_at(path: str, verify: Verify, stamp: tuple[Any, ...]) -> File:
    return open(path, verify=verify)


_once_at = functools.lru_cache(maxsize=32)(_open_at)


def _again_far(place: Far, verify: Verify, identity: tuple[object, ...]) -> File:
    file = _once_far(place, verify, identity)
    return _open_far(place, verify, identity) if file.is_closed else file


def _again_volumes(sources: list[Any], verify: Verify, identities: list[Any]) -> File:
    file = _open_volumes(sources, {}, verify)
    if file._again[1][2] != identities:
        raise ChangedError("a volume has changed since the set was opened")
    return file


def _or_failing(place: Far) -> Source:
    """A far file, or a source that fails as it does: the report says so."""
    try:
        return ranges(place)
    except OSError as error:
        return Failing(error)


@overload
def check(
    source: Any,
    *,
    lenient: bool = False,
    require_checksum: bool = False,
    observables: bool = True,
    slices: bool = False,
    progress: Callable[[int, int], object] | None = None,
    manifest: None = None,
    **storage_options: Any,
) -> Report: ...
@overload
def check(
    source: str | os.PathLike[str],
    *,
    manifest: str | os.PathLike[str] | Manifest,
    observables: bool = True,
    progress: Callable[[int, int], object] | None = None,
    **store_options: Any,
) -> Changes: ...
@named_source
def check(
    source: Any,
    *,
    lenient: bool = False,
    require_checksum: bool = False,
    observables: bool = True,
    slices: bool = False,
    progress: Callable[[int, int], object] | None = None,
    manifest: str | os.PathLike[str] | Manifest | None = None,
    **storage_options: Any,
) -> Report | Changes:
    """Reads a file, or a file set, to its end, verifies it, and returns the report of ``linkstream check --json``.

    A file that cannot be opened has a report as well. All reports have these entries:

    - ``verdict``: ``"ok"``, there are no errors, and checksums in the file verify all data; ``"unverified"``, there are
      no errors, but data have no checksum; ``"wrong"``, there are errors; ``"unreadable"``, the file could not be read.
    - ``unverified``: why data are not verified, a list with ``reason`` (a word such as ``"no-checksum"``), ``message``,
      ``parts`` and ``first`` (number of fields, index of the first one).
    - ``findings``: broken rules, with ``severity``, ``rule``, ``message``, ``offset``; :func:`explain` explains a rule.
    - ``error``: why the file could not be read, or ``None``.
    - ``ok``: whether the file passes. With ``require_checksum``, this is ``verdict == "ok"``; without it, unverified
      files pass as well.
    - ``file``, ``format``, ``bytes``, ``fields``, ``schema``.

    A file whose data have their checksum can be wrong: ``check`` also asks whether the numbers of gauge fields can
    have been meant, and compares plaquettes in texts of the file with the links. Reading a field compares
    only the links of a NERSC archive, with its header: its checksum proves little. For MILC files, use ``check``.

    Parameters
    ----------
    source :
        A path, a list of the volumes of a set, the bytes of a file, a binary file object that can seek, a URL that fsspec
        knows, or an open :class:`File`, which Jupyter then shows with the verdict and the plot.
    lenient :
        Broken rules that leave the data certain are warnings, not errors.
    require_checksum :
        A file with data that no checksum verifies is not ok.
    observables :
        Compute plaquette, link trace, Polyakov loop and unitarity of gauge fields.
    slices :
        Compute them for each time slice as well.
    progress : callable, optional
        Called with the number of bytes read so far and their total number. An exception ends the call.
    manifest :
        With it, ``source`` is a directory, which is compared with its manifest: a path, or the result of
        :func:`manifest`. Files whose length and times agree with it are not read.
    storage_options :
        Options of fsspec for a URL, and ``allowed``, as for :func:`open`. With ``manifest``: ``xml`` and ``exclude``, as for
        :func:`manifest`, and ``scrub``: with 7, a seventh of the store is read in any case, the files first that were
        not read for the longest time.

    Returns
    -------
    Report
        A ``dict`` with the keys of ``examples/report/schema.json``.
    Changes
        With ``manifest``: what is new, gone, modified, moved, copied, damaged or repaired.

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
    >>> ls.check("missing.ildg")["error"]
    'No such file or directory'
    """
    if manifest is not None:
        if lenient or require_checksum or slices:
            raise TypeError("with a manifest, lenient, require_checksum and slices have no meaning")
        return changes(source, manifest, observables, progress, **storage_options)
    options = (lenient, require_checksum, observables, slices)
    if isinstance(source, File):
        if storage_options:
            raise TypeError("an open file has its own options")
        return _check_open(source, options, progress)
    if storage_options and not _has_url(source):
        raise TypeError(f"these options are for URLs: {', '.join(storage_options)}")
    return _check(source, options, progress, storage_options)


def _check(
    source: Any,
    options: tuple[bool, bool, bool, bool],
    progress: Callable[[int, int], object] | None,
    storage_options: dict[str, Any],
) -> Report:
    report = Report(json.loads(line_of(source, options, progress, storage_options)))
    for finding in report["findings"]:
        finding["message"] = in_python(finding["message"])
    return report


def line_of(
    source: Any,
    options: tuple[bool, bool, bool, bool],
    progress: Callable[[int, int], object] | None,
    storage_options: dict[str, Any],
    columns: tuple[list[str], bool] | None = None,
) -> str:
    """The report on any source, or its values in the columns of a table, as JSON."""
    rest = (options, progress, columns)
    if isinstance(source, (list, tuple)):
        places = _places(source, storage_options)
        volumes = [_volume(part, place) for part, place in zip(source, places)]
        return _linkstream.check_set(_numbered(volumes), f"{len(source)} volumes", *rest)
    place = located(source, storage_options)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _linkstream.check_source(bytes(source), "bytes", *rest)
    if isinstance(place, Far):
        return _linkstream.check_source(_or_failing(place), place.name, *rest)
    if place is None and hasattr(source, "read") and hasattr(source, "seek"):
        return _linkstream.check_source(of_object(source), str(getattr(source, "name", "file object")), *rest)
    if place is None and hasattr(source, "fs") and hasattr(source, "open"):
        return _linkstream.check_source(of_object(source.open(), is_owned=True), str(source.path), *rest)
    return _linkstream.check_path(os.fsdecode(source if place is None else place), *rest)


def _check_open(
    file: File, options: tuple[bool, bool, bool, bool], progress: Callable[[int, int], object] | None
) -> Report:
    """Checks an open file, which must be the same one afterwards, and keeps the report with it."""
    file._raw.check_unchanged()
    make, (source, *rest) = file._again
    report = _check(source, options, progress, {})
    if make is not _again:
        make(source, *rest)
    file._report = report
    return report
