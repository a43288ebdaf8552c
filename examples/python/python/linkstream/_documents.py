"""What a file says about its fields beside their layout: logical file name, update number, and texts of the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, NamedTuple
from xml.etree import ElementTree

if TYPE_CHECKING:
    from ._file import File

LFN = "ildg-data-lfn"
UPDATE = "ildg-update"
FORMAT = "ildg-format"
FILE_XML = "scidac-file-xml"
RECORD_XML = "scidac-record-xml"
_PRIVATE = "scidac-private-record-xml"

_LONGEST = 1 << 20
"""A longer text is not searched."""


class Documents(NamedTuple):
    """The documents of a field. What the file does not have is None."""

    lfn: str | None = None
    update: int | str | None = None
    record_xml: str | None = None
    date: str | None = None
    kind: str | None = None
    """The kind of gauge field in the ``ildg-format``."""

    def entries(self) -> dict[str, Any]:
        """Those that there are, for ``attrs``."""
        about = {"lfn": self.lfn, "update": self.update, "record_xml": self.record_xml}
        return {key: value for key, value in about.items() if value is not None}


def update_of(text: str) -> int | str:
    """An update number, which is an integer unless the file breaks the rule (ILDG 1.2, section 2.4)."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() else text


def of_fields(file: File) -> list[Documents]:
    """The documents of each field: those of its message. The logical file name can follow the data, also in a message of
    its own (ILDG 1.2, note 4); the only field of a file has the documents of all its messages.
    """
    if file.format != "lime":
        return [Documents(update=_sequence_number(file)) for _ in file.fields]
    wanted = {field._raw.record_offset: field.index for field in file.fields}
    found: list[dict[str, str]] = [{} for _ in file.fields]
    before: dict[str, str] = {}
    everywhere: dict[str, str] = {}
    field: dict[str, str] | None = None
    for index, record in enumerate(file.records):
        if record.begins_message:
            before, field = {}, None
        if record.offset in wanted:
            field = found[wanted[record.offset]]
            field |= before
        elif record.type in (LFN, UPDATE, RECORD_XML, FORMAT, _PRIVATE):
            text = file._text(index)
            (before if field is None else field).setdefault(record.type, text)
            everywhere.setdefault(record.type, text)
    if len(found) == 1:
        found = [{**everywhere, **found[0]}]
    return [_documents(one) for one in found]


def _documents(texts: Mapping[str, str]) -> Documents:
    update = texts.get(UPDATE, "")
    return Documents(
        lfn=texts.get(LFN, "").strip() or None,
        update=update_of(update) if update.strip() else None,
        record_xml=texts.get(RECORD_XML),
        date=value_in(texts.get(_PRIVATE, ""), "date"),
        kind=value_in(texts.get(FORMAT, ""), "field"),
    )


def _sequence_number(file: File) -> int | None:
    text = file.header.get("SEQUENCE_NUMBER", "").strip()
    return int(text) if text.isascii() and text.isdigit() else None


def value_in(text: str, path: str) -> str | None:
    """The text of the first element at a path of ElementTree such as ``".//beta"``, in a document of XML. A path without
    ``/`` is also the name of an element anywhere, and the key of a line ``key = value``.
    """
    if not text or len(text) > _LONGEST:
        return None
    try:
        root = ElementTree.fromstring(text.strip().encode())
    except (ElementTree.ParseError, ValueError):
        return None if "/" in path else _of_line(text, path)
    if " " in path and "/" not in path:
        # No name of an element.
        return _of_line("".join(root.itertext()), path)
    names = path if "/" in path else f".//{{*}}{path}"
    try:
        found = root if root.tag == path else root.find(names)
    except (SyntaxError, KeyError, TypeError, StopIteration) as error:
        raise ValueError(f"{path!r} is not a path such as './/beta': {error}") from None
    if found is not None:
        return "".join(found.itertext()).strip()
    return None if "/" in path else _of_line("".join(root.itertext()), path)


def _of_line(text: str, key: str) -> str | None:
    for part in text.replace(",", "\n").splitlines():
        name, sign, value = part.partition("=")
        if sign and name.strip() == key:
            return value.strip().strip('"')
    return None


def number_or_text(text: str | None) -> int | float | str | None:
    """An integer or a number, if the text is one."""
    if text is None:
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def paths_of(xml: Mapping[str, str] | None) -> dict[str, str]:
    """The paths that the user wants the values of, by the names of the values."""
    if not isinstance(xml, (Mapping, type(None))):
        raise TypeError(f"xml has a path for each name, such as {{'beta': './/beta'}}, not {xml!r}")
    paths = dict(xml or {})
    for path in paths.values():
        # A wrong path is an error here, not one of each file.
        value_in("<text/>", path)
    return paths


def chosen(file: File, paths: Mapping[str, str]) -> dict[str, int | float | str | None]:
    """Values in the texts of a file: of the user's texts about its records and about itself, of ``xlf-info``, and of the
    header of an archive, whose keys are paths. The first of them that has a value decides.
    """
    texts = [one.record_xml for one in file._documents if one.record_xml]
    if file.format == "lime":
        texts += [text for kind in (FILE_XML, "xlf-info", FORMAT) for text in file.texts(kind)]

    def value(path: str) -> int | float | str | None:
        if path in file.header:
            return number_or_text(file.header[path].strip())
        found = (value_in(text, path) for text in texts)
        return number_or_text(next((text for text in found if text is not None), None))

    return {name: value(path) for name, path in paths.items()}
