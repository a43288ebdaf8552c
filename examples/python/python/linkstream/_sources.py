"""Sources of bytes that are no local files: file objects, and far files.

A source has ``length``, ``fetch(offset, length) -> bytes`` and ``is_changed() -> bool``, which Rust calls from any
thread.
"""

from __future__ import annotations

import bisect
import io
import operator
import weakref
from collections import deque
from contextlib import contextmanager
from typing import Any, Iterator, NamedTuple, Protocol, Sequence

from . import _linkstream
from ._locks import Lock

FIRST = 96 << 10
"""Size of the first request: enough for the documents at the beginning, or at the end, of most files."""
LARGEST = 16 << 20
"""Largest request while a file is read in order."""
LARGEST_PLANNED = 64 << 20
"""Largest request of data that will certainly be used. A time slice is mostly smaller."""
GAP = 256 << 10
"""Bytes that are requested although they are not used, because a further request would take longer."""


class Source(Protocol):
    """What Rust reads."""

    length: int

    def fetch(self, offset: int, length: int) -> bytes: ...
    def is_changed(self) -> bool: ...


class LockOf:
    """The lock of a file object, which it keeps: no other object has its identity meanwhile."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self.held = Lock()


_LOCKS: weakref.WeakValueDictionary[int, LockOf] = weakref.WeakValueDictionary()
_OF_LOCKS = Lock()


def lock_of(file: Any) -> LockOf:
    """One lock for each file object, however often it is opened: its position belongs to all who read it."""
    with _OF_LOCKS:
        lock = _LOCKS.get(id(file))
        if lock is None:
            lock = _LOCKS[id(file)] = LockOf(file)
        return lock


class FileObject:
    """A file object that can be read and seek, which its owner does not use meanwhile."""

    def __init__(self, file: Any, is_owned: bool) -> None:
        if isinstance(file, io.TextIOBase):
            raise TypeError("the file object has text: open it in binary mode, 'rb'")
        self._file = file
        if is_owned:
            weakref.finalize(self, file.close)
        self._lock = lock_of(file)
        with self._held():
            self.length = self._end()

    @contextmanager
    def _held(self) -> Iterator[None]:
        """No other thread uses the file object. Its own methods may not read it by this package: they would wait for
        themselves for ever.
        """
        identity = id(self._file)
        if not _linkstream.hold(identity):
            raise RuntimeError("a method of the file object reads the same object with linkstream")
        try:
            with self._lock.held:
                yield
        finally:
            _linkstream.release(identity)

    def _end(self) -> int:
        end = self._file.seek(0, 2)
        if end is None and hasattr(self._file, "tell"):
            # Not all objects return the position.
            end = self._file.tell()
        return operator.index(end)

    def fetch(self, offset: int, length: int) -> bytes:
        parts: list[bytes] = []
        with self._held():
            self._file.seek(offset)
            # An object may return fewer bytes than it has.
            while length > 0:
                part = self._file.read(length)
                if not isinstance(part, (bytes, bytearray, memoryview)):
                    what = "text: open it in binary mode, 'rb'" if isinstance(part, str) else f"{part!r}, not bytes"
                    raise TypeError(f"the file object returned {what}")
                if len(part) > length:
                    raise OSError(f"the file object returned {len(part)} bytes instead of at most {length}")
                if not part:
                    break
                parts.append(bytes(part))
                length -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def is_changed(self) -> bool:
        with self._held():
            return self._end() != self.length


class Memory:
    """A file object in memory. Its position is not used, because other threads, and other sources, may share it."""

    def __init__(self, file: io.BytesIO) -> None:
        self._file = file
        self.length = file.getbuffer().nbytes

    def fetch(self, offset: int, length: int) -> bytes:
        return bytes(self._file.getbuffer()[offset : offset + length])

    def is_changed(self) -> bool:
        return self._file.getbuffer().nbytes != self.length


class Failing:
    """A source that cannot be read."""

    length = 1

    def __init__(self, error: OSError) -> None:
        self._error = error

    def fetch(self, offset: int, length: int) -> bytes:
        raise self._error

    def is_changed(self) -> bool:
        return False


def of_object(file: Any, is_owned: bool = False) -> FileObject | Memory:
    """The source of a file object. One that it owns is closed at the end of the source."""
    # A class derived from it may do something else.
    is_in_memory = isinstance(file, io.BytesIO) and type(file).read is io.BytesIO.read
    return Memory(file) if is_in_memory else FileObject(file, is_owned)


class Requests(Protocol):
    """A far file, of which ranges can be requested."""

    name: str
    length: int
    identity: tuple[object, ...]
    """What shows that another file has replaced this one: its length, the time of its last modification, …"""
    begin: bytes
    """Bytes at the beginning that are known already."""

    def request(self, start: int, stop: int) -> bytes | bytearray: ...
    def is_changed(self) -> bool: ...


class Window(NamedTuple):
    """Bytes that are kept."""

    start: int
    kept: memoryview

    @property
    def stop(self) -> int:
        return self.start + len(self.kept)

    def part(self, offset: int, length: int) -> bytes | None:
        """The bytes from this offset on, as far as they are here."""
        if not self.start <= offset < self.stop:
            return None
        place = offset - self.start
        return bytes(self.kept[place : place + length])


NOTHING = Window(0, memoryview(b""))


class Plan:
    """Ranges that somebody will read in order."""

    def __init__(self, ranges: Sequence[tuple[int, int]]) -> None:
        self._ranges = ranges
        self._starts = [start for start, _ in ranges]
        self.window = NOTHING
        self.lock = Lock()

    def part_of(self, offset: int) -> tuple[int, int] | None:
        """The range that contains this offset."""
        place = bisect.bisect_right(self._starts, offset) - 1
        return self._ranges[place] if place >= 0 and offset < self._ranges[place][1] else None


class Ranges:
    """A source that requests ranges of a far file, and keeps some of them."""

    def __init__(self, file: Requests) -> None:
        self._file = file
        self.length = file.length
        self.name = file.name
        self.identity = file.identity
        self._plans: list[Plan] = []
        self._of_plans = Lock()
        # Documents at the beginning and at the end of the file, which are read again for `attrs`.
        self._documents: deque[Window] = deque(maxlen=8)
        self._last = NOTHING
        self._in_order = Lock()
        self._ahead = FIRST
        self._begin = memoryview(file.begin)
        self._keep(Window(0, self._begin))

    def is_changed(self) -> bool:
        return self._file.is_changed()

    @contextmanager
    def planned(self, ranges: Sequence[tuple[int, int]]) -> Iterator[None]:
        """While these ranges are read in order, each is requested with one request, or few if it is large."""
        plan = Plan(ranges)
        with self._of_plans:
            self._plans.append(plan)
        try:
            yield
        finally:
            with self._of_plans:
                self._plans.remove(plan)

    def fetch(self, offset: int, length: int) -> bytes:
        length = min(length, self.length - offset)
        if length <= 0:
            return b""
        if len(self._begin) == self.length:
            return bytes(self._begin[offset : offset + length])
        plan = self._plan(offset)
        return self._fetch_in_order(offset, length) if plan is None else self._fetch_planned(plan, offset, length)

    def _plan(self, offset: int) -> Plan | None:
        """The plan of the call that reads at this offset. Several calls may read the same data: the one that has
        the bytes, or needs them next, is preferred, so that they do not take the windows of each other.
        """
        with self._of_plans:
            plans = [plan for plan in self._plans if plan.part_of(offset) is not None]

        def rank(plan: Plan) -> int:
            window = plan.window
            if window.start <= offset < window.stop:
                return 0
            return 1 if window.stop == offset and window.kept else 3 if window.kept else 2

        return min(plans, key=rank, default=None)

    def _fetch_planned(self, plan: Plan, offset: int, length: int) -> bytes:
        with plan.lock:
            part = plan.window.part(offset, length)
            if part is not None:
                return part
            start, stop = plan.part_of(offset) or (offset, offset + length)
            # Several threads read a range, and the one that comes first need not have its beginning.
            if stop - start > LARGEST_PLANNED:
                start, stop = offset, min(stop, offset + LARGEST_PLANNED)
            plan.window = self._get(start, min(stop, self.length))
            return plan.window.part(offset, length) or b""

    def _fetch_in_order(self, offset: int, length: int) -> bytes:
        with self._in_order:
            for window in (self._last, *self._documents):
                part = window.part(offset, length)
                if part is not None:
                    return part
            # Whoever reads in order gets more at a time.
            is_next = self._last.kept and self._last.stop <= offset < self._last.stop + FIRST
            self._ahead = min(4 * self._ahead, LARGEST) if is_next else FIRST
            stop = min(offset + max(length, self._ahead), self.length)
            self._keep(self._get(offset, stop))
            return self._last.part(offset, length) or b""

    def _keep(self, window: Window) -> None:
        self._last = window
        if len(window.kept) <= FIRST:
            self._documents.append(window)

    def _get(self, start: int, stop: int) -> Window:
        got = self._file.request(start, stop)
        if len(got) != stop - start:
            raise OSError(f"{self.name}: {stop - start} bytes were requested, but {len(got)} were received")
        return Window(start, memoryview(got))


def ranges_of_block(
    start: int, site: int, lattice: Sequence[int], block: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The ranges of a far file to request for a block of a lattice whose data begin at ``start``, in order.

    Parameters
    ----------
    start : int
        Offset of the data in the file.
    site : int
        Size of a site in bytes.
    lattice : sequence of int
        Extents of the axes, slowest first.
    block : sequence of (int, int)
        Range of each axis.
    """
    strides = [site] * len(lattice)
    for axis in range(len(lattice) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * lattice[axis + 1]
    # The number of bytes from the first to the last byte of the part of the block inside of each axis.
    spans = [site] * (len(lattice) + 1)
    for axis in range(len(lattice) - 1, -1, -1):
        first, last = block[axis]
        spans[axis] = max(last - first - 1, 0) * strides[axis] + spans[axis + 1]
    starts, axis = [start], 0
    while axis < len(lattice):
        first, last = block[axis]
        # A short gap is requested, too.
        if last - first > 1 and strides[axis] - spans[axis + 1] <= GAP:
            break
        starts = [at + place * strides[axis] for at in starts for place in range(first, last)]
        axis += 1
    rest = sum(first * stride for (first, _), stride in zip(block[axis:], strides[axis:]))
    return [(at + rest, at + rest + spans[axis]) for at in starts]
