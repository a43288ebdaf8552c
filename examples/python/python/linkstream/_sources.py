"""Sources of bytes that are no local files: file objects, and files of fsspec.

A source has ``length``, ``fetch(offset, length) -> bytes`` and ``is_changed() -> bool``, which Rust calls from any
thread.
"""

from __future__ import annotations

import threading
from typing import Any, BinaryIO, Callable

FIRST = 96 << 10
"""Size of the first request: enough for the documents at the beginning, or at the end, of most files."""
LARGEST = 16 << 20
"""Largest request while a file is read in order."""


class FileObject:
    """A file object that can be read and seek, which its owner does not use meanwhile."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._lock = threading.Lock()
        self.length = self._end()

    def _end(self) -> int:
        return self._file.seek(0, 2)

    def fetch(self, offset: int, length: int) -> bytes:
        with self._lock:
            self._file.seek(offset)
            return bytes(self._file.read(length))

    def is_changed(self) -> bool:
        with self._lock:
            return self._end() != self.length


class Ranges:
    """A far file, of which ranges are requested.

    Parameters
    ----------
    request : callable
        ``request(start, stop) -> bytes``.
    length : int
        Number of bytes of the file.
    """

    def __init__(self, request: Callable[[int, int], bytes], length: int) -> None:
        self._request = request
        self.length = length
        self._lock = threading.Lock()
        self._start = 0
        self._bytes: Any = b""
        self._ahead = FIRST

    def fetch(self, offset: int, length: int) -> bytes:
        with self._lock:
            stop = min(offset + length, self.length)
            if offset >= stop:
                return b""
            end = self._start + len(self._bytes)
            if not self._start <= offset < end:
                # Whoever reads in order gets more at a time.
                self._ahead = min(4 * self._ahead, LARGEST) if offset == end and end > 0 else FIRST
                self._get(offset, min(max(stop, offset + self._ahead), self.length))
            place = offset - self._start
            return bytes(self._bytes[place : place + length])

    def prefetch(self, start: int, stop: int) -> None:
        """Requests a range with one request. It is kept until another one is requested."""
        with self._lock:
            end = self._start + len(self._bytes)
            if not (self._start <= start and stop <= end):
                self._get(start, stop)

    def _get(self, start: int, stop: int) -> None:
        got = self._request(start, stop)
        # Some servers ignore the range and send the whole file.
        if len(got) == self.length and stop - start < self.length:
            start, stop = 0, self.length
        if len(got) > stop - start:
            raise OSError(f"{stop - start} bytes were requested, but {len(got)} were received")
        self._start, self._bytes = start, memoryview(got)

    def is_changed(self) -> bool:
        return False
