"""File objects that misbehave, and that several threads use."""

from __future__ import annotations

import concurrent.futures
import io
import pathlib

import numpy as np
import pytest
from lattices import random_links, write

import linkstream as ls

LATTICE = (4, 4, 4, 6)


@pytest.fixture
def links(tmp_path: pathlib.Path) -> np.ndarray:
    links = random_links(LATTICE)
    write(tmp_path / "lat.lime", LATTICE, links)
    return links


@pytest.fixture
def stored(links: np.ndarray, tmp_path: pathlib.Path) -> bytes:
    return (tmp_path / "lat.lime").read_bytes()


class Object:
    """A file object that is no `io.BytesIO`."""

    def __init__(self, stored: bytes) -> None:
        self.file = io.BytesIO(stored)
        self.reads: list[tuple[int, int]] = []

    def seek(self, offset: int, whence: int = 0) -> None:
        # Returns nothing, as some do.
        self.file.seek(offset, whence)

    def tell(self) -> int:
        return self.file.tell()

    def read(self, count: int) -> bytes:
        self.reads.append((self.file.tell(), count))
        return self.file.read(count)


class Short(Object):
    def read(self, count: int) -> bytes:
        return super().read(min(count, 777))


def test_short_counts(stored: bytes, links: np.ndarray) -> None:
    np.testing.assert_array_equal(ls.open(Short(stored))[0].numpy(), links)


def test_verified_slices_read_their_own_bytes(stored: bytes, links: np.ndarray) -> None:
    file = Object(stored)
    field = ls.open(file)[0]
    field.verify()
    begin = len(stored) - 288 - links.nbytes
    for t in (4, 0):
        file.reads.clear()
        np.testing.assert_array_equal(field[t, 1:3, ..., 0], links[t, 1:3, ..., 0])
        assert field.verification == "verified"
        assert sum(count for _, count in file.reads) == links[0].nbytes
        first = min(offset for offset, _ in file.reads)
        assert 0 <= first - (begin + t * links[0].nbytes) < 288


@pytest.mark.parametrize("verify", [True, False])
@pytest.mark.parametrize("wrong", [OSError("the disk is on fire"), KeyError("mine"), KeyboardInterrupt()])
def test_exceptions_are_the_same_afterwards(stored: bytes, verify: bool, wrong: BaseException) -> None:
    class Raises(Object):
        is_bad = False

        def read(self, count: int) -> bytes:
            if self.is_bad:
                raise wrong
            return super().read(count)

    file = Raises(stored)
    field = ls.open(file, verify=verify)[0]
    file.is_bad = True
    with pytest.raises(type(wrong)) as raised:
        field[0]
    assert raised.value is wrong
    with pytest.raises(type(wrong)):
        ls.open(file)


@pytest.mark.parametrize(("given", "expected"), [(None, TypeError), ("text", TypeError), (5, TypeError)])
def test_reads_that_return_no_bytes(stored: bytes, given: object, expected: type[Exception]) -> None:
    file = Object(stored)
    file.read = lambda count: given  # type: ignore[method-assign,return-value,assignment]
    with pytest.raises(expected):
        ls.open(file)


def test_more_bytes_than_requested(stored: bytes) -> None:
    file = Object(stored)
    file.read = lambda count: bytes(count + 1)  # type: ignore[method-assign]
    with pytest.raises(OSError, match="instead of at most"):
        ls.open(file)


def test_text(tmp_path: pathlib.Path, links: np.ndarray) -> None:
    with open(tmp_path / "lat.lime", encoding="latin-1") as file, pytest.raises(TypeError, match="binary"):
        ls.open(file)


@pytest.mark.parametrize("end", [100, -100])
def test_objects_that_shrink_and_grow(stored: bytes, end: int) -> None:
    file = Object(stored)
    field = ls.open(file, verify=False)[0]
    file.file = io.BytesIO(stored[:end] if end < 0 else stored + bytes(end))
    with pytest.raises(ls.ChangedError):
        field[0]


def test_objects_in_memory_that_shrink(stored: bytes) -> None:
    file = io.BytesIO(stored)
    field = ls.open(file, verify=False)[0]
    file.truncate(1000)
    with pytest.raises(ls.ChangedError):
        field[0]


def test_an_end_that_comes_early(stored: bytes) -> None:
    class Ends(Object):
        is_bad = False

        def read(self, count: int) -> bytes:
            return b"" if self.is_bad else super().read(count)

    file = Ends(stored)
    field = ls.open(file, verify=False)[0]
    file.is_bad = True
    with pytest.raises(ls.ChangedError):
        field[0]


@pytest.mark.parametrize("kind", [io.BytesIO, Object])
def test_threads_share_an_object(kind: type, stored: bytes, links: np.ndarray) -> None:
    file = kind(stored)
    # Two files of one object in memory, as fsspec has it. Objects with a position belong to one file.
    fields = [ls.open(file)[0] for _ in range(2 if kind is io.BytesIO else 1)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        tasks = [(field, t) for field in fields for t in range(6)] * 8
        for (_, t), read in zip(tasks, pool.map(lambda task: task[0][task[1]], tasks)):
            np.testing.assert_array_equal(read, links[t])


@pytest.mark.parametrize("how", ["open", "check", "field", "thread"])
def test_an_object_whose_read_reads_itself_is_an_error(stored: bytes, how: str) -> None:
    class Recursive(Object):
        field: ls.Field | None = None
        is_active = False

        def read(self, count: int) -> bytes:
            if self.is_active:
                self.is_active = False
                if how == "open":
                    ls.open(self)
                elif how == "check":
                    ls.check(self)
                elif self.field is not None:
                    # A progress function makes the package use threads of its own.
                    self.field.verify((lambda done, total: None) if how == "thread" else None)
            return super().read(count)

    file = Recursive(stored)
    file.field = ls.open(file)[0]
    file.is_active = True
    with pytest.raises(RuntimeError, match="a method of the file object reads the same object with linkstream"):
        file.field.verify((lambda done, total: None) if how == "thread" else None)
    # The object can be used again.
    assert file.field.verify() == "verified"
    assert ls.check(file)["verdict"] == "ok"
    # Opened by its first read.
    file.is_active = True
    with pytest.raises(RuntimeError):
        ls.open(file)


def test_an_object_may_read_another_one(stored: bytes) -> None:
    class Outer(Object):
        def read(self, count: int) -> bytes:
            assert ls.open(Object(stored)).format == "lime"
            return super().read(count)

    assert ls.open(Outer(stored))[0].verify() == "verified"
