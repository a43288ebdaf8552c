"""Sections of scda files."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Callable, Iterator, overload

import numpy as np

from ._errors import Error, UnverifiedError
from ._named import named
from ._text import one_line, plural
from ._verification import HINT, Judgement, Verify, demanded

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from . import _linkstream
    from ._file import File

Progress = Callable[[int, int], object]

_NO_CHECKSUM = "elements that are not compressed have no checksum"
_TYPES = {"F": "header", "I": "inline", "B": "block", "A": "array", "V": "varray"}


@named(lambda section: (section._file.name, None, section.index))
class Section:
    """A section of an scda file, as a sequence of elements: ``section[3]`` is the bytes of one, ``len(section)`` their
    number. A block, and inline data, are one element.

    Compressed elements are decompressed, and verified by their checksums. Other elements have no checksum: they raise
    :class:`linkstream.UnverifiedError` unless the file was opened with ``verify="if possible"`` or ``False``, or the call
    has one of them.
    """

    def __init__(self, file: File, index: int, raw: _linkstream.Section) -> None:
        self._file = file
        self._raw = raw
        self._is_checked = False
        self._judgement = Judgement(f"{file.name}: section {index}")
        self.index = index
        """Index of the section in its file, counted from 0. The header of the file is section 0."""

    @property
    def type(self) -> str:
        """``"header"``, ``"inline"``, ``"block"``, ``"array"`` or ``"varray"`` (elements of various sizes)."""
        return _TYPES[self._raw.letter]

    @property
    def user(self) -> str:
        """The text of the user about the section."""
        return self._raw.user.decode("utf-8", "replace")

    @property
    def offset(self) -> int:
        """Offset of the section in the file, in bytes."""
        return self._raw.offset

    @property
    def is_compressed(self) -> bool:
        """True if the file has the elements compressed, with a checksum."""
        return self._raw.is_compressed

    @property
    def verification(self) -> str:
        """What is known about the elements that were read: ``"verified"``, ``"unverified"`` if nothing verifies them,
        ``"wrong"`` if they contradict a checksum, or ``"not read"``.
        """
        return self._judgement.verification

    @property
    def count(self) -> int:
        """Number of elements, also if it is too large for ``len``."""
        return 0 if self.type == "header" else self._raw.elements

    @property
    def nbytes(self) -> int:
        """Size of all elements in bytes, after decompression."""
        return self._raw.bytes()

    @property
    def sizes(self) -> NDArray[np.uint64]:
        """The size of each element in bytes."""
        if self.type != "varray":
            self._refuse_claim(self.count)
            return np.full(self.count, self._raw.element_size, np.uint64)
        self._refuse_claim(self.count)
        sizes = np.zeros(self.count, np.uint64)
        self._raw.read_sizes(sizes)
        return sizes

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        if self._file.is_closed:
            return f"<closed linkstream.Section {self.index}>"
        compressed = ", compressed" if self.is_compressed else ""
        elements = plural(self.count, "element")
        return f"<linkstream.Section {self.index}: {self.type} '{one_line(self.user)}', {elements}{compressed}>"

    def read(self, *, verify: Verify | None = None, progress: Progress | None = None) -> bytes:
        """Returns the bytes of all elements, one after the other."""
        return self._bytes(verify, progress).tobytes()

    def numpy(
        self, dtype: DTypeLike = "u1", *, verify: Verify | None = None, progress: Progress | None = None
    ) -> NDArray[Any]:
        """Reads all elements of an array into an array of the shape ``(elements, numbers)``; a block into one axis.

        scda has no types: ``dtype`` says what the bytes are, with their byte order, such as ``"<f8"``.
        """
        if self.type in ("varray", "header"):
            raise TypeError(f"a {self.type} has no elements of one size")
        of = np.dtype(dtype)
        size = self._raw.element_size
        if of.itemsize == 0 or size % of.itemsize:
            raise ValueError(f"elements of {size} bytes are not numbers of {of.itemsize} bytes")
        numbers = self._bytes(verify, progress).view(of)
        return numbers.reshape(self.count, size // of.itemsize) if self.type == "array" else numbers

    def read_into(self, out: Any, *, verify: Verify | None = None, progress: Progress | None = None) -> None:
        """Reads the bytes of all elements into a writable buffer of exactly this size.

        After an error, the contents of the buffer are undefined.
        """
        if isinstance(out, np.ndarray) and not out.flags.c_contiguous:
            raise ValueError("the array is not contiguous in the order of C")
        array = out.reshape(-1).view("u1") if isinstance(out, np.ndarray) else np.frombuffer(out, "u1")
        if array.size != self.nbytes:
            raise ValueError(f"the section has {self.nbytes} bytes, the buffer has {array.size}")
        if not array.flags.writeable:
            raise ValueError("the buffer is read-only")
        self._refuse_unverified(verify)
        self._read(array, verify, progress)

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        self._refuse_unverified(None)
        count = self.count
        if isinstance(index, slice):
            places = range(*index.indices(count))
            if not places:
                return []
            self._check()
            first, last = min(places[0], places[-1]), max(places[0], places[-1])
            return list(self._elements(first, last + 1))[:: abs(places.step)][:: 1 if places.step > 0 else -1]
        place = operator.index(index)
        if not -count <= place < count:
            raise IndexError(f"there is no element {index}: section {self.index} has {count}")
        place %= count
        self._check()
        return next(self._elements(place, place + 1))

    def __iter__(self) -> Iterator[bytes]:
        """Yields the bytes of each element, in constant memory, while another thread reads ahead.

        The sizes of the elements of a compressed array are proved by its end: one pass over the section, before the first
        element, checks them.
        """
        self._refuse_unverified(None)
        self._check()
        return self._elements(0, self.count)

    def _elements(self, first: int, last: int) -> Iterator[bytes]:
        with self._judgement.reading():
            elements = self._raw.elements_in(first, last)
        while True:
            with self._judgement.reading():
                batch = elements.batch()
            if not batch:
                break
            self._judge(None, is_all=False)
            yield from batch

    def _check(self) -> None:
        """Reads a compressed array once: only its end proves the sizes of its elements."""
        if self.is_compressed and not self._is_checked:
            with self._judgement.reading():
                self._raw.check(None)
            self._is_checked = True

    def _bytes(self, verify: Verify | None, progress: Progress | None) -> NDArray[np.uint8]:
        self._refuse_unverified(verify)
        length = self.nbytes
        self._refuse_claim(length)
        out = np.zeros(length, np.uint8)
        self._read(out, verify, progress)
        return out

    def _read(self, out: NDArray[np.uint8], verify: Verify | None, progress: Progress | None) -> None:
        with self._judgement.reading():
            self._raw.read_into(out, progress)
        self._judge(verify, is_all=True)

    def _refuse_unverified(self, verify: Verify | None) -> None:
        """Refuses elements without a checksum before they are read. The header of a file has none."""
        verify = demanded(verify, self._file._verify)
        if verify in (True, "once") and not self.is_compressed and self.type != "header":
            message = f"section {self.index}: {_NO_CHECKSUM}; {HINT}"
            raise UnverifiedError(message, class_="unverified", offset=self.offset, file=self._file.name)

    def _judge(self, verify: Verify | None, *, is_all: bool) -> None:
        if self.is_compressed:
            self._judgement.verified(is_all)
        elif self.type != "header":
            is_chosen = demanded(verify, self._file._verify) is False
            self._judgement.unverified(_NO_CHECKSUM, is_chosen=is_chosen)

    def _refuse_claim(self, count: int) -> None:
        """Refuses memory for what the section claims and the file cannot have, compressed or not."""
        most = self._file.nbytes * (1032 if self.is_compressed else 1)
        if count > most:
            message = f"section {self.index} claims {count} bytes or elements, which the file cannot have"
            raise Error(message, class_="limit", offset=self.offset, file=self._file.name)


class Sections(Sequence[Section]):
    """The sections of a file, by index, or by the text of the user: ``file.sections["mesh"]``."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._sections = tuple(sections)

    def __len__(self) -> int:
        return len(self._sections)

    @overload
    def __getitem__(self, key: int | str) -> Section: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Section]: ...
    def __getitem__(self, key: int | slice | str) -> Section | Sequence[Section]:
        if not isinstance(key, str):
            return self._sections[key]
        found = [section for section in self._sections if section.user == key]
        if len(found) != 1:
            what = f"{len(found)} sections have" if found else "no section has"
            raise KeyError(f"{what} the text {key!r}")
        return found[0]

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self._sections))}]"
