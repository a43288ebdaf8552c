"""HTML for Jupyter. Every text of a file is escaped. Nothing here reads data: what was not read yet is "not read"."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping

from . import _plot
from ._text import one_line, plural, printable

if TYPE_CHECKING:
    from ._field import Field
    from ._file import File

ROWS = 50
"""Most rows of a table."""
DOCUMENTS = 16
"""Most documents of a file."""
LARGEST = 64 << 10
"""Documents that are larger are not shown."""

CHECKSUMS = {
    "match": "checksum OK",
    "mismatch": "checksum mismatch",
    "absent": "no checksum stored",
    None: "not verified",
}
"""The state of a checksum, from the words of the JSON to those of the program."""
_COLORS = {"ok": "green", "verified": "green", "wrong": "red", "unreadable": "red", "unverified": "darkorange"}


def of_field(field: Field) -> str:
    """Describes a field: its table, without its numbers."""
    rows = [(key, _value(value)) for key, value in _about(field)]
    return f"<div>{_title(f'Field {field.index}', field.verification)}{_pairs(rows)}</div>"


def of_file(file: File) -> str:
    """Describes a file: its fields, warnings and documents, and the last report that :func:`linkstream.check` made."""
    report = file._report
    kind = "file set" if file.is_set else "file"
    parts = [
        _title(one_line(file.name), report["verdict"] if report else None),
        f"<p>{_text(file.format)} {kind}, {file.nbytes:,} bytes, {plural(len(file), 'field')}</p>",
        _table(("", "datatype", "axes", "type", "checksum", "verification"), (_row(field) for field in file.fields)),
        _findings(file.warnings),
    ]
    parts += _slices(report) if report else []
    parts.append(_documents(_texts(file)))
    return f"<div>{''.join(parts)}</div>"


def of_report(report: Mapping[str, Any]) -> str:
    """Describes a report."""
    parts = [_title(one_line(report.get("file", "")), report["verdict"])]
    if report.get("error"):
        parts.append(f"<p>{_text(report['error'])}</p>")
    else:
        parts.append(f"<p>{_text(report.get('format'))}, {report.get('bytes', 0):,} bytes</p>")
    parts += [
        _table(("", "datatype", "axes", "checksum", "plaquette", "link trace", "Polyakov loop"), _field_rows(report)),
        _table(("type", "user", "elements", "bytes"), _section_rows(report)),
        _findings(report.get("findings", [])),
        *_slices(report),
        _documents(_recorded(report)),
    ]
    return f"<div>{''.join(parts)}</div>"


# --- Parts ---


def _about(field: Field) -> Iterator[tuple[str, object]]:
    yield "axes", _axes(field.dims, field.shape)
    yield "type", f"{field.dtype}, {field.nbytes:,} bytes"
    attrs = field._raw.attrs
    yield "stored checksum", _stored(attrs)
    for key, value in attrs.items():
        if key not in _SUMS:
            yield key, value


def _row(field: Field) -> tuple[str, ...]:
    attrs = field._raw.attrs
    return (
        str(field.index),
        _text(attrs.get("datatype", "")),
        _axes(field.dims, field.shape),
        str(field.dtype),
        _stored(attrs),
        _verdict(field.verification),
    )


_SUMS = ("suma", "sumb", "cksum", "word_sum", "sum29", "sum31")


def _stored(attrs: Mapping[str, Any]) -> str:
    """The checksum in the file, which nothing has been compared with."""
    sums = [f"{key} {attrs[key]}" for key in _SUMS if attrs.get(key) is not None]
    return ", ".join(sums) or "none stored"


def _field_rows(report: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for index, field in enumerate(report.get("fields", [])):
        array = field.get("array") or {}
        axes = _axes(array.get("axes", ()), array.get("shape", ()))
        checksum = CHECKSUMS.get(field.get("checksum"), "not verified")
        loop = field.get("polyakov_loop")
        observables = [_number(field.get(key)) for key in ("plaquette", "link_trace")]
        observables.append(f"{complex(*loop):.9f}" if loop else "")
        yield (str(index), _text(field.get("datatype", field.get("gauge_kind", ""))), axes, checksum, *observables)


def _section_rows(report: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for section in report.get("sections", []):
        count = section.get("n")
        yield (
            _text(section["type"]),
            _text(section.get("user", "")),
            "" if count is None else _value(count),
            _value(section.get("bytes", "")),
        )


def _findings(findings: Iterable[Mapping[str, Any]]) -> str:
    rows = (
        (_text(found["severity"]), _text(found["rule"]), _value(found["offset"]), _text(found["message"], 400))
        for found in findings
    )
    return _table(("finding", "rule", "offset", "message"), rows)


def _slices(report: Mapping[str, Any]) -> list[str]:
    """The plot of each field with observables of time slices, or a table without matplotlib."""
    parts = []
    for index, field in enumerate(report.get("fields", [])[:4]):
        if not field.get("slices"):
            continue
        title = f"plaquettes of field {index}"
        image = _plot.svg(field)
        if image is not None:
            parts.append(f'<p><img alt="{title}" src="{image}"></p>')
            continue
        keys = [key for key, _, _ in _plot.CURVES]
        rows = ((str(slice_["time"]), *(_number(slice_[key]) for key in keys)) for slice_ in field["slices"])
        parts.append(f"<p>{title}</p>" + _table(("t", *(label for _, label, _ in _plot.CURVES)), rows))
    return parts


def _texts(file: File) -> Iterator[tuple[str, str]]:
    """The documents of a file, unless they are far away."""
    if file._ranges is not None:
        return
    yield from file.header.items()
    for index, record in enumerate(file.records):
        if record.length <= LARGEST and "binary" not in record.type:
            try:
                yield record.type, file.payload(index).rstrip(b"\0").decode("utf-8", "replace")
            except Exception as error:  # noqa: BLE001 - a file that is gone has a description nevertheless.
                yield record.type, str(error)
                return


def _recorded(report: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from report.get("header", [])
    for record in report.get("records", []):
        if record.get("text") is not None:
            yield record["type"], record["text"]


def _documents(documents: Iterable[tuple[str, str]]) -> str:
    shown = []
    for number, (name, text) in enumerate(documents):
        if number == DOCUMENTS:
            shown.append("<p>…</p>")
            break
        style = "white-space: pre-wrap; text-align: left"
        shown.append(f'<p>{_text(name)}</p><pre style="{style}">{html.escape(printable(text))}</pre>')
    return f"<details><summary>documents</summary>{''.join(shown)}</details>" if shown else ""


# --- Elements ---


def _text(text: object, longest: int = 128) -> str:
    return html.escape(one_line(text, longest))


def _value(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else _text(value)


def _number(value: object) -> str:
    return f"{value:.9f}" if isinstance(value, float) else _text("" if value is None else value)


def _axes(names: Iterable[str], extents: Iterable[int]) -> str:
    return _text(", ".join(f"{name}: {extent}" for name, extent in zip(names, extents)))


def _verdict(verdict: str) -> str:
    color = _COLORS.get(verdict, "inherit")
    return f'<span style="color: {color}">{_text(verdict)}</span>'


def _title(name: str, verdict: str | None) -> str:
    return f"<p><b>{html.escape(name)}</b>{': ' + _verdict(verdict) if verdict else ''}</p>"


def _pairs(rows: Iterable[tuple[str, str]]) -> str:
    return f"<table>{''.join(f'<tr><th>{_text(key)}</th><td>{value}</td></tr>' for key, value in rows)}</table>"


def _table(head: Iterable[str], rows: Iterable[tuple[str, ...]]) -> str:
    """A table of cells that are HTML, or nothing without rows."""
    lines = []
    for number, row in enumerate(rows):
        if number == ROWS:
            lines.append("<tr><td>…</td></tr>")
            break
        lines.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>")
    if not lines:
        return ""
    heads = "".join(f"<th>{_text(name)}</th>" for name in head)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
