"""Open files."""

from __future__ import annotations

import html
import math
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Callable, Iterator, NamedTuple

import numpy as np

from . import _html, _linkstream
from ._documents import UPDATE, Documents, of_fields, update_of
from ._errors import UnverifiedError
from ._field import Field
from ._named import named
from ._sections import Section, Sections
from ._sources import ranges_of_block
from ._text import one_line, plural
from ._verification import HINT, Judgement, Verify, demanded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._report import Report
    from ._sources import Ranges


class Record(NamedTuple):
    """A LIME record.

    Examples
    --------
    >>> import linkstream as ls
    >>> file = ls.open("lat.ildg")
    >>> [(record.type, record.length) for record in file.records][-2:]
    [('ildg-binary-data', 147456), ('scidac-checksum', 136)]
    >>> file.payload(5)
    b'lfn://linkstream/sample/su3-4x4x4x8'
    """

    type: str
    """The type, such as ``"ildg-format"``."""
    offset: int
    """Offset of the payload in the file, in bytes."""
    length: int
    """Length of the payload in bytes."""
    begins_message: bool
    """Whether a LIME message begins with this record."""
    ends_message: bool
    """Whether a LIME message ends with this record."""


@named(lambda file: (file.name, None, None))
class File:
    """An open file, or file set: see :func:`linkstream.open`.

    A file is a sequence of its fields: ``file[0]``, ``len(file)``, ``for field in file``.

    Examples
    --------
    >>> import linkstream as ls
    >>> with ls.open("lat.ildg") as file:
    ...     print(file)
    ...     print([field.shape for field in file])
    ...     print(file.attrs["lfn"])
    <linkstream.File 'lat.ildg': lime file, 1 field>
    [(8, 4, 4, 4, 4, 3, 3)]
    lfn://linkstream/sample/su3-4x4x4x8
    >>> file
    <closed linkstream.File 'lat.ildg'>
    """

    def __init__(self, raw: _linkstream.File, name: str, path: str | None, again: tuple[Any, ...], verify: Verify) -> None:
        self._raw = raw
        self._path = path
        self._again = again
        self._verify = verify
        self._ranges: Ranges | None = None
        self._report: Report | None = None
        self._found: list[Documents] | None = None
        self._kind: str | None = None
        self.name = name
        """The name of the file, for messages."""
        self._of_matrix = Judgement(f"{name}: the matrix")
        self.is_closed = False
        """Whether the file was closed, after which nothing can be read from it."""
        self.fields: tuple[Field, ...] = tuple(
            Field(self, index, field, verify) for index, field in enumerate(raw.fields)
        )
        """The fields: data records that documents describe, or the gauge field of an archive."""
        self.sections = Sections([Section(self, index, section) for index, section in enumerate(raw.sections)])
        """The sections of an scda file."""

    # --- The sequence of fields ---

    def __len__(self) -> int:
        return len(self.fields)

    def __getitem__(self, index: int) -> Field:
        try:
            return self.fields[index]
        except IndexError:
            has = {"inebin": ": its matrix is read by matrix()", "scda": ": its data are in sections, such as sections[1]"}
            hint = has.get(self.format, f" has {len(self.fields)}")
            raise IndexError(f"there is no field {index}: {self.name}{hint}") from None

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def __repr__(self) -> str:
        if self.is_closed:
            return f"<closed linkstream.File '{one_line(self.name)}'>"
        kind = "file set" if self.is_set else "file"
        return f"<linkstream.File '{one_line(self.name)}': {self.format} {kind}, {plural(len(self.fields), 'field')}>"

    def _repr_html_(self) -> str:
        return html.escape(repr(self)) if self.is_closed else _html.of_file(self)

    # --- Description ---

    @property
    def format(self) -> str:
        """The format: ``"lime"``, ``"nersc"``, ``"milc"``, ``"openqcd"``, ``"scda"`` or ``"inebin"``."""
        return self._raw.format

    @property
    def is_set(self) -> bool:
        """True for a file set of QIO."""
        return self._raw.is_set

    @property
    def nbytes(self) -> int:
        """Length in bytes; of a file set, the length of the single file with the same fields."""
        return self._raw.nbytes

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """Broken rules that lose no data, with the keys of the report: ``severity``, ``class``, ``rule``, ``clause``,
        ``offset``, ``message``."""
        return self._raw.warnings

    @property
    def header(self) -> dict[str, str]:
        """Keys and values of the header of a NERSC archive."""
        return dict(self._raw.header)

    # --- Records ---

    @property
    def records(self) -> list[Record]:
        """All LIME records, also data and documents. A file set has the records of the single file with the same fields.
        """
        return [
            Record(name.decode("utf-8", "replace"), offset, length, begins, ends)
            for name, offset, length, begins, ends in self._raw.records
        ]

    def payload(self, index: int) -> bytes:
        """The payload of the record with this index."""
        return self._raw.payload(index)

    def texts(self, record_type: str) -> list[str]:
        """Texts and documents of all records of a type, such as ``"scidac-record-xml"``."""
        of_type = (index for index, record in enumerate(self.records) if record.type == record_type)
        return [self._text(index) for index in of_type]

    def _text(self, index: int) -> str:
        return self._raw.payload(index).rstrip(b"\0").decode("utf-8", "replace")

    @property
    def _documents(self) -> list[Documents]:
        """What the file says about each field. It is the same as long as the file is open."""
        if self._found is None:
            self._found = of_fields(self)
        return self._found

    @property
    def attrs(self) -> dict[str, Any]:
        """What the file says about itself: format, logical file name, update number, texts of the user, header of an
        archive. Several records of a type are a list.
        """
        attrs: dict[str, Any] = {"format": self.format, "is_set": self.is_set}
        if self.format == "lime":
            for key, record_type in _TEXTS.items():
                texts = self.texts(record_type)
                if texts:
                    values = [update_of(text) for text in texts] if record_type == UPDATE else texts
                    attrs[key] = values[0] if len(values) == 1 else values
        attrs.update(self.header)
        return attrs

    # --- Matrix ---

    def matrix(
        self, *, verify: Verify | None = None, progress: Callable[[int, int], object] | None = None
    ) -> NDArray[Any]:
        """Reads the matrix of an INEBIN file, with one row for each of its rows: booleans, ``int64``, ``float64`` or
        ``complex128``.

        INEBIN has no checksum: unless the file was opened with ``verify="if possible"`` or ``False``, or this call has
        one of them, it raises :class:`linkstream.UnverifiedError`.
        """
        if self._raw.matrix is None:
            raise TypeError(f"{self.name} has no matrix: its format is {self.format}")
        verify = demanded(verify, self._verify)
        if verify in (True, "once"):
            message = f"the matrix: INEBIN has no checksum; {HINT}"
            raise UnverifiedError(message, class_="unverified", file=self.name)
        rows, columns, dtype = self._raw.matrix
        out = np.zeros(rows * columns, dtype)
        with self._of_matrix.reading():
            self._raw.read_matrix(out, progress)
        self._of_matrix.unverified("INEBIN has no checksum", is_chosen=verify is False)
        return out.reshape(rows, columns)

    # --- Life ---

    def close(self) -> None:
        """Closes the file: its fields and sections cannot be used afterwards. Arrays that have been read, and what
        :meth:`Field.memmap` returned, stay. A file object of the caller is not closed.

        A file that is not closed is closed when nothing refers to it any more.
        """
        self.is_closed = True
        closed: Any = _Closed(self.name)
        self._raw, self._ranges = closed, None
        for part in (*self.fields, *self.sections):
            part._raw = closed

    def __enter__(self) -> File:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return self._again if self._kind is None else (_again_as, (self._again, self._kind))

    def _as(self, kind: str | None) -> File:
        """The same file, with links of this kind of ILDG in place of fields that can be links and are not described as
        such.
        """
        if kind is None or kind == self._kind:
            return self
        links = {field.index: field._raw.as_links(kind) for field in self.fields}
        if not any(links.values()):
            raise ValueError(f"{self.name} has no field whose sites have the size of links of {kind}, and no description of links")
        for field in self.fields:
            field._raw = links[field.index] or field._raw
        self._kind = kind
        return self

    def _check_unchanged(self, judgement: Judgement) -> None:
        with judgement.reading():
            self._raw.check_unchanged()

    def _planned(self, field: Field, block: list[tuple[int, int]] | None) -> AbstractContextManager[None]:
        """While a block of a far file is read, or all data, each part of it is requested with one request."""
        place = None if self._ranges is None else field._raw.contiguous()
        if self._ranges is None or place is None:
            return nullcontext()
        offset, length, _ = place
        if block is None or not field.lattice:
            return self._ranges.planned([(offset, offset + length)])
        site = length // math.prod(field.lattice)
        return self._ranges.planned(ranges_of_block(offset, site, field.lattice, block))


def _again_as(again: tuple[Any, ...], kind: str) -> File:
    make, arguments = again
    file: File = make(*arguments)
    return file._as(kind)


class _Closed:
    """Takes the place of what a closed file has had."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, _: str) -> Any:
        raise ValueError(f"{self._name} is closed")


_TEXTS = {
    "lfn": "ildg-data-lfn",
    "update": "ildg-update",
    "ildg_format": "ildg-format",
    "file_xml": "scidac-file-xml",
    "record_xml": "scidac-record-xml",
}
