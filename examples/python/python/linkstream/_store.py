"""Stores of many files: their manifest, what has changed since it was written, and the ensembles in them."""

from __future__ import annotations

import fnmatch
import json
import os
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Literal, Mapping, Sequence, cast, overload

from . import _linkstream
from ._named import named_source
from ._options import flag, integer, texts
from ._paths import absolute, existing_path, new_path
from ._table import Table
from ._text import plural

if TYPE_CHECKING:
    from ._types import Change, Ensemble, ManifestEntry, StoreFinding

Progress = Callable[[int, int], object]


class Manifest(Mapping[str, "ManifestEntry"]):
    """What :func:`manifest` knows about the files of a store: a mapping from their names in the store to entries.

    Examples
    --------
    >>> import linkstream as ls
    >>> store = ls.manifest("store")
    >>> list(store), store["lat.20.lime"]["verdict"], len(store["lat.20.lime"]["sha256"])
    (['lat.10.lime', 'lat.20.lime'], 'ok', 64)
    >>> store.table("file", "update", "plaquette")["update"]
    [10, 20]
    """

    def __init__(self, raw: _linkstream.Entries, skipped: Iterable[tuple[str, str]] = ()) -> None:
        self._raw = raw
        self._known: dict[str, ManifestEntry] | None = None
        self.skipped = dict(skipped)
        """Links to directories, devices and the like in the store, and why each was left out."""

    @property
    def _entries(self) -> dict[str, ManifestEntry]:
        if self._known is None:
            entries = [json.loads(line) for line in self._raw.lines()]
            self._known = {_name(entry): entry for entry in entries}
        return self._known

    def __getitem__(self, name: str) -> ManifestEntry:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        verdicts: dict[str, int] = {}
        for entry in self._entries.values():
            verdicts[entry["verdict"]] = verdicts.get(entry["verdict"], 0) + 1
        counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
        return f"<linkstream.Manifest of {plural(len(self), 'file')}{': ' if counts else ''}{counts}>"

    def write(self, path: str | os.PathLike[str], *, replace: bool = False) -> None:
        """Writes the manifest as ``linkstream manifest`` does: lines of JSON, the last of which shows changes of the others.

        Parameters
        ----------
        path :
            The new file, which appears when it is complete.
        replace : bool
            Whether an existing file may be replaced.
        """
        _write(path, self._raw, flag("replace", replace))

    def table(self, *columns: str) -> Table:
        """Makes a table with these columns of ``linkstream table``, such as ``"plaquette"``, ``"xml:beta"`` or
        ``"header:ENSEMBLE_ID"``.
        """
        rows = [json.loads(line) for line in self._raw.rows(list(columns))]
        return Table({name: [row[place] for row in rows] for place, name in enumerate(columns)})


@named_source
def _write(path: str | os.PathLike[str], raw: _linkstream.Entries, replace: bool) -> None:
    raw.write(new_path(path), replace)


class Changes(dict[str, Any]):
    """The changes of a store since its manifest was written, from :func:`check`: a dictionary with ``changes``, a list with
    ``file``, ``change`` and others; the number of changes of each kind; and ``ok``, which is false if a file is gone,
    damaged or unreadable, or a new one is wrong.

    Examples
    --------
    >>> import linkstream as ls
    >>> before = ls.manifest("store")
    >>> changes = ls.check("store", manifest=before)
    >>> changes["ok"], changes["files"], changes["changes"]
    (True, 2, [])
    >>> changes.manifest.keys() == before.keys()
    True
    """

    manifest: Manifest
    """The manifest of the store as it is now. Its method ``write`` replaces the old one."""

    def __repr__(self) -> str:
        lines = [f"  {one['change']}: {one['file']}" for one in self["changes"][:_SHOWN]]
        if len(self["changes"]) > _SHOWN:
            lines.append(f"  {len(self['changes']) - _SHOWN} more")
        state = "ok" if self["ok"] else "not ok"
        head = f"<linkstream.Changes: {state}, {plural(self['files'], 'file')}, {self['unchanged']} unchanged"
        return "\n".join([head, *lines]) + ">"

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["changes"], /) -> list[Change]: ...
        @overload
        def __getitem__(self, key: Literal["ok"], /) -> bool: ...
        @overload
        def __getitem__(self, key: str, /) -> Any: ...
        def __getitem__(self, key: str, /) -> Any: ...


_SHOWN = 5
"""Most changes in the text of a result."""


class Ensembles(dict[str, Any]):
    """The ensembles of a store, from :func:`ensemble`: a dictionary with ``ensembles``, ``findings`` on the store, and
    ``ok``, which is true if there is no finding.
    """

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["ensembles"], /) -> list[Ensemble]: ...
        @overload
        def __getitem__(self, key: Literal["findings"], /) -> list[StoreFinding]: ...
        @overload
        def __getitem__(self, key: Literal["ok"], /) -> bool: ...
        @overload
        def __getitem__(self, key: str, /) -> Any: ...
        def __getitem__(self, key: str, /) -> Any: ...

    def __repr__(self) -> str:
        lines = []
        for one in self["ensembles"][:_SHOWN]:
            lines.append(f"  {one['ensemble']}: {plural(one['files'], 'file')}, {one['first']} to {one['last']}")
            lines += [f"    {found['kind']}: {found['message']}" for found in one["findings"][:_SHOWN]]
        lines += [f"  {found['kind']}: {found['message']}" for found in self["findings"][:_SHOWN]]
        return "\n".join([f"<linkstream.Ensembles: {plural(len(self['ensembles']), 'ensemble')}", *lines]) + ">"


@named_source
def manifest(
    store: str | os.PathLike[str],
    *,
    hash: str = "sha256",
    xml: str | Sequence[str] = (),
    observables: bool = True,
    exclude: str | Sequence[str] = (),
    progress: Progress | None = None,
) -> Manifest:
    """Reads all files of a directory, once each, for their hash and for the verdict, as ``linkstream manifest`` does; or
    reads a manifest that was written, which must not have been changed.

    Parameters
    ----------
    store :
        A directory, or a manifest.
    hash : str
        ``"sha256"`` or ``"blake3"``.
    xml : str or sequence of str
        Paths of XML values that are kept, such as ``"action/beta"``; by default ``beta``.
    observables : bool
        Whether plaquettes, link traces and Polyakov loops are computed.
    exclude : str or sequence of str
        Patterns of files and directories that are left out, such as ``"*.tmp"`` or ``"logs"``.
    progress : callable, optional
        Called with about the number of bytes read so far and in total. An exception ends the call.

    Raises
    ------
    linkstream.FormatError
        The manifest was changed, or is none.
    OSError
        A directory in the store cannot be listed, for instance.

    Examples
    --------
    >>> import linkstream as ls
    >>> ls.manifest("store").write("store.manifest")
    >>> ls.manifest("store.manifest")
    <linkstream.Manifest of 2 files: 2 ok>
    """
    path = absolute(existing_path(store))
    paths, patterns = texts("xml", xml), texts("exclude", exclude)
    if os.path.isfile(path):
        if paths or patterns or hash != "sha256" or not observables:
            raise ValueError("this is a manifest: hash, xml, observables and exclude are for a directory")
        return Manifest(_linkstream.Entries.of_manifest(path))
    settings = (paths, flag("observables", observables))
    raw, unknown, skipped = _linkstream.read_store(path, hash, settings, _excludes(patterns), [], progress)
    for name, why in unknown:
        raise OSError(f"{os.path.join(path, name)}: {why}")
    return Manifest(raw, skipped)


@named_source
def ensemble(
    store: str | os.PathLike[str] | Manifest,
    *,
    name: str | None = None,
    xml: str | Sequence[str] = (),
    exclude: str | Sequence[str] = (),
    progress: Progress | None = None,
) -> Ensembles:
    """Finds the ensembles in a store, and what does not fit in them: gaps, numbers that are there twice, updates that are
    not those of the names, outliers of the plaquette and others. ``linkstream ensemble --help`` lists the kinds.

    Parameters
    ----------
    store :
        A directory, a manifest, or a :class:`Manifest`.
    name : str, optional
        Only files named like ``"lat.{n}.ildg"`` or ``"cfg_{n}/lat.ildg"``: ``{n}`` is the number, ``*`` any text.
    xml, exclude, progress :
        As for :func:`manifest`.

    Examples
    --------
    >>> import linkstream as ls
    >>> (found,) = ls.ensemble("store")["ensembles"]
    >>> found["ensemble"], found["files"], found["first"], found["last"]
    ('lat.{n}.lime', 2, 10, 20)
    """
    entries = store if isinstance(store, Manifest) else manifest(store, xml=xml, exclude=exclude, progress=progress)
    lines, findings = entries._raw.ensembles(name)
    ensembles = [cast("Ensemble", json.loads(line)) for line in lines]
    of_store = cast("list[StoreFinding]", json.loads(findings))
    ok = not of_store and all(one["ok"] for one in ensembles)
    return Ensembles({"ensembles": ensembles, "findings": of_store, "ok": ok})


@named_source
def changes(
    store: str | os.PathLike[str],
    old: str | os.PathLike[str] | Manifest,
    observables: bool,
    progress: Progress | None,
    *,
    scrub: int | None = None,
    xml: str | Sequence[str] = (),
    exclude: str | Sequence[str] = (),
) -> Changes:
    """Compares a store with its manifest."""
    own = [] if isinstance(old, Manifest) else [absolute(existing_path(old))]
    before = old if isinstance(old, Manifest) else manifest(old)
    path = absolute(existing_path(store))
    parts = None if scrub is None else integer("scrub", scrub)
    if parts is not None and not 1 <= parts <= 3660:
        raise ValueError(f"scrub must be a number of runs from 1 to 3660, not {parts}")
    patterns, settings = _excludes(texts("exclude", exclude)), (texts("xml", xml), observables)
    lines, counts, raw = _linkstream.compare_store(path, before._raw, settings, patterns, own, parts, progress)
    result = Changes(json.loads(counts))
    result["changes"] = [cast("Change", json.loads(line)) for line in lines]
    result.manifest = Manifest(raw)
    return result


def _name(entry: dict[str, Any]) -> str:
    """The name of a file, as Python has it if it is not UTF-8."""
    return os.fsdecode(bytes.fromhex(entry["file_hex"])) if "file_hex" in entry else str(entry["file"])


def _excludes(patterns: Sequence[str]) -> Callable[[bytes], bool] | None:
    """Whether a name, or its last part, has one of the patterns."""
    if not patterns:
        return None

    def excludes(name: bytes) -> bool:
        text = name.decode(errors="replace")
        last = text.rpartition("/")[2]
        return any(fnmatch.fnmatchcase(one, pattern) for pattern in patterns for one in (text, last))

    return excludes
