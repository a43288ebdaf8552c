"""What a source of a new file says beyond its numbers: nothing of it is lost in silence."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any, Mapping, Sequence
from xml.sax.saxutils import escape, unescape

from . import _linkstream
from ._documents import Documents
from ._field import Field
from ._file import File
from ._new_field import NewField

COMPUTED = frozenset(_linkstream.DERIVED)
"""Header lines of a NERSC archive that are about the numbers as they are stored."""


@dataclass(frozen=True)
class Texts:
    """What a file says about itself, and about its fields."""

    lfn: str | None = None
    file_xml: str | None = None
    date: str | None = None
    header: tuple[tuple[str, str], ...] = ()
    fields: tuple[Documents, ...] = ()
    others: tuple[str, ...] = ()
    """Types of records that no new file has."""


@dataclass
class Carried:
    """The part of it that a new file has."""

    options: dict[str, Any] = field(default_factory=dict)
    """Options of the call that the caller has not given."""
    fields: list[NewField] = field(default_factory=list)
    notes: list[list[str]] = field(default_factory=list)
    """For each field, notes that its numbers were not verified, which stay with them."""
    lost: list[str] = field(default_factory=list)
    """Messages about what the form cannot hold."""
    texts: list[str] = field(default_factory=list)
    """Names of the texts that were carried over and not given by the caller."""


_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S*[^\s/]\S*$")
_KNOWN = {
    "ildg-format",
    "ildg-data-lfn",
    "ildg-update",
    "ildg-binary-data",
    "scidac-binary-data",
    "scidac-checksum",
    "scidac-file-xml",
    "scidac-record-xml",
    "scidac-private-file-xml",
    "scidac-private-record-xml",
}


def of_file(file: File) -> Texts:
    """What a file says."""
    if file.format == "lime":
        documents = file._documents
        names = [one.lfn for one in documents if one.lfn] or file.texts("ildg-data-lfn")
        texts = file.texts("scidac-file-xml")
        others = {record.type for record in file.records} - _KNOWN
        dates = {one.date for one in documents if one.date}
        return Texts(
            lfn=next(iter(names), None),
            file_xml=texts[-1] if texts else None,
            date=dates.pop() if len(dates) == 1 else None,
            fields=tuple(documents),
            others=tuple(sorted(others)),
        )
    header = tuple((key, value) for key, value in file.header.items() if key not in COMPUTED)
    return Texts(header=header, fields=tuple(replace_record(one, file) for one in file._documents))


def replace_record(documents: Documents, file: File) -> Documents:
    """The documents of an archive's field in a SciDAC record: its header lines, as QIO's converter writes them. Its document
    must have plaquette and link trace, which only a NERSC archive has.
    """
    lines = "".join(f"{escape(key)} = {escape(value)}\n" for key, value in file.header.items() if key not in COMPUTED)
    if not lines:
        return documents
    known = {"plaq": "PLAQUETTE", "linktr": "LINK_TRACE"}
    content = f"<header>{lines}</header>"
    if all(key in file.header for key in known.values()):
        figures = "".join(f"<{name}>{escape(file.header[key])}</{name}>" for name, key in known.items())
        content = f"<usqcdInfo><version>1.0</version>{figures}<info>{lines}</info></usqcdInfo>"
    text = f'<?xml version="1.0" encoding="UTF-8"?>{content}'
    return documents._replace(record_xml=text)


def of_dataset(dataset: Any, names: Sequence[str]) -> Texts:
    """What a dataset of the engine ``linkstream`` says in its coordinates. A coordinate of several files says it about
    none of them.
    """

    def scalar(name: str) -> Any:
        coordinate = dataset.coords.get(name) if hasattr(dataset, "coords") else None
        if coordinate is None or coordinate.shape != ():
            return None
        value = coordinate.values.item()
        return value if value not in ("", -1, None) else None

    update = scalar("update")
    documents = [
        Documents(
            lfn=scalar("lfn"),
            update=None if update is None else int(update),
            record_xml=scalar("record_xml") or scalar(f"{name}_record_xml"),
        )
        for name in names
    ]
    return Texts(lfn=scalar("lfn"), file_xml=scalar("file_xml"), fields=tuple(documents))


ITEMS = {"real", "complex", "color_vector", "color_matrix", "half_fermion", "dirac_fermion", "propagator"}
"""Kinds that are no links."""


def is_gauge_field(new: NewField) -> bool:
    """True if the array has links: only a gauge field has a logical file name, and an update number."""
    if new.is_global or new.lower is not None:
        return False
    if new.kind is not None:
        return new.kind not in ITEMS
    names = new.dims if new.dims is not None else getattr(new.array, "dims", None)
    if names is not None:
        return "mu" in names
    return len(getattr(new.array, "shape", ())) == 7


def _info(text: str | None) -> list[tuple[str, str]]:
    """The header lines in a record XML, where QIO's converter stores those of a NERSC archive."""
    _, begin, rest = (text or "").partition("<info>")
    lines = unescape(rest.partition("</info>")[0]).splitlines() if begin else []
    pairs = (line.partition("=") for line in lines)
    return [(key.strip(), value.strip()) for key, sign, value in pairs if sign and key.strip() and " " not in key.strip()]


def is_of_user(text: str | None) -> bool:
    """False for texts that programs write if the user has given none."""
    return text is not None and _linkstream.is_of_user(text.encode())


_SUMS = ("suma", "sumb", "word_sum", "cksum", "sum29")
"""Attributes of fields whose file has a checksum of them."""
_NOTE = "LINKSTREAM_NOTE"
"""The header line of a NERSC archive with a note about its links."""


def _notes(documents: Documents, new: NewField, *, adds: bool) -> list[str]:
    """The notes about the numbers of a field; also a new one if nothing verifies them, with ``adds``: their file has no
    checksum, or it is read with ``verify=False``.
    """
    source, text = new.array, documents.record_xml or ""
    is_verified = True
    if isinstance(source, Field):
        is_verified = source._verify is not False and any(source.attrs.get(name) is not None for name in _SUMS)
        # An archive has the note in its header.
        text = f"{_NOTE} = {source.file.header[_NOTE]}" if _NOTE in source.file.header else text
    return _linkstream.notes(text.encode(), (is_verified and not _says_unverified(source)) or not adds)


def _says_unverified(source: Any) -> bool:
    """True for a variable of a dataset that is read without verification, and is otherwise as it was in its file."""
    return str(getattr(source, "attrs", {}).get("verification", "")).startswith("unverified")


def _padded(documents: Sequence[Documents], count: int) -> list[Documents]:
    return [*documents, *[Documents()] * (count - len(documents))]


def carry(texts: Texts, fields: Sequence[NewField], given: Mapping[str, Any], form: str) -> Carried:
    """Adds to the fields, and to the options that the caller has not given, what the form can hold of the texts.
    ``form`` is one of ``"both"``, ``"ildg"``, ``"scidac"`` and ``"nersc"``.
    """
    carried = Carried(fields=list(fields))
    documents = _padded(texts.fields, len(fields))
    carried.notes = [_notes(one, new, adds=True) for one, new in zip(documents, fields)]
    carried.lost += [
        f"the variable {new.array.name} is unverified: the checksum of the new file is that of what was read"
        for new in fields
        if _says_unverified(new.array)
    ]
    has_names = form in ("both", "ildg") and any(map(is_gauge_field, fields))
    has_texts = form in ("both", "scidac")

    def option(name: str, value: Any, is_possible: bool, what: str) -> None:
        if value is None or given.get(name) is not None:
            return
        if is_possible:
            carried.options[name] = value
        else:
            carried.lost.append(f"{what} is left out: the new file has no place for it")

    is_name = texts.lfn is None or _URI.match(texts.lfn) is not None
    option("lfn", texts.lfn, has_names and is_name, f"the logical file name {texts.lfn}")
    file_xml = texts.file_xml if is_of_user(texts.file_xml) else None
    option("file_xml", file_xml, has_texts, "the user's text about the file (file_xml)")
    if has_texts:
        option("date", texts.date, True, "the date")
    if "file_xml" in carried.options:
        carried.texts.append("file_xml")
    updates = [one.update for one in documents if one.update is not None]
    if form == "nersc":
        header = dict(texts.header)
        for one in documents:
            header |= {key: value for key, value in _info(one.record_xml) if key not in COMPUTED}
        if updates and "SEQUENCE_NUMBER" not in header:
            header["SEQUENCE_NUMBER"] = str(updates[0])
        header |= dict(given.get("header") or {})
        if header:
            carried.options["header"] = header
    elif texts.header and not has_texts:
        lines = [key for key, _ in texts.header if key != "SEQUENCE_NUMBER"]
        if lines:
            carried.lost.append(f"the header lines {', '.join(lines)} are left out: the new file has no place for them")
    elif updates and not has_names:
        carried.lost.append("the update number is left out: only ILDG files have it")
    if form == "ildg":
        notes = dict.fromkeys(note for one, new in zip(documents, fields) for note in _notes(one, new, adds=False))
        carried.lost += [f"a note about the data is left out: {note}" for note in notes]
    _carry_documents(carried, documents, given, has_names, has_texts, bool(texts.header), form == "nersc")
    if texts.others:
        carried.lost.append(f"records of other types are left out: {', '.join(texts.others)}")
    return carried


def _carry_documents(
    carried: Carried,
    documents: Sequence[Documents],
    given: Mapping[str, Any],
    has_names: bool,
    has_texts: bool,
    is_archive: bool,
    form_is_archive: bool,
) -> None:
    for index, (one, new) in enumerate(zip(documents, carried.fields)):
        if one.update is not None and has_names and is_gauge_field(new) and new.update is None and given.get("update") is None:
            new = replace(new, update=one.update)
        text = one.record_xml if is_of_user(one.record_xml) else None
        if text is not None and new.record_xml is None and given.get("record_xml") is None:
            if has_texts:
                new = replace(new, record_xml=text)
                carried.texts.append(f"record_xml of field {index}")
            elif not is_archive and not (form_is_archive and _info(text)):
                what = f"the user's text about field {index} (record_xml)"
                carried.lost.append(f"{what} is left out: the new file has no place for it")
        carried.fields[index] = new


def without_texts(carried: Carried, original: Sequence[NewField]) -> Carried:
    """The same without the texts that were carried over."""
    options = {key: value for key, value in carried.options.items() if key != "file_xml"}
    fields = [replace(new, record_xml=old.record_xml) for new, old in zip(carried.fields, original)]
    return Carried(options, fields, carried.notes, list(carried.lost))
