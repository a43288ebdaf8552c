"""After a fork, the child waits for no thread of its parent: only the thread that forks exists there."""

from __future__ import annotations

import io
import multiprocessing
import os
import pathlib
import signal
import sys
import threading
from typing import Any, Callable, Iterator

import numpy as np
import pytest

import linkstream as ls

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork"),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::linkstream.UnverifiedWarning"),
]

LONGEST = 60


class Held(io.RawIOBase):
    """A file object that stops in the middle of a pass of another thread, until it is released."""

    def __init__(self, content: bytes) -> None:
        self.content = io.BytesIO(content)
        self.holds = threading.Event()
        self.is_held = threading.Event()
        self.release = threading.Event()
        self.process = os.getpid()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self.content.seek(offset, whence)

    def read(self, count: int = -1) -> bytes:
        if self.holds.is_set() and os.getpid() == self.process:
            self.is_held.set()
            self.release.wait(LONGEST)
        return self.content.read(count)


def in_child(work: Callable[[], bool]) -> bool:
    """The result of ``work`` in a forked process; false if it takes too long."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(20)
            status = 0 if work() else 1
        except BaseException as error:
            print(f"in the child: {error!r}", file=sys.stderr)
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.fixture
def held(sample: pathlib.Path) -> Iterator[tuple[Held, Callable[[Callable[[], Any]], None]]]:
    """A file object, and a function that stops a call of another thread in the middle of it."""
    content, threads = Held(sample.read_bytes()), []

    def stop(call: Callable[[], Any]) -> None:
        content.holds.set()
        threads.append(threading.Thread(target=call, daemon=True))
        threads[-1].start()
        assert content.is_held.wait(LONGEST)

    yield content, stop
    content.release.set()
    for thread in threads:
        thread.join(LONGEST)
        assert not thread.is_alive()


@pytest.mark.parametrize("pass_", [ls.Field.verify, lambda field: field[1], ls.Field.numpy])
def test_a_pass_of_another_thread_does_not_stop_the_child(held: Any, pass_: Callable[[ls.Field], Any]) -> None:
    content, stop = held
    field = ls.open(content)[0]
    whole = ls.open(content)[0].numpy()
    stop(lambda: pass_(field))

    def again() -> bool:
        other = ls.open(content)[0]
        return (
            np.array_equal(field[2], whole[2])
            and field.verify() == "verified"
            and np.array_equal(field.numpy(), whole)
            and np.array_equal(other.numpy(), whole)
        )

    assert in_child(again)
    # The parent goes on, and its child has changed nothing in it.
    content.release.set()
    assert np.array_equal(field.numpy(), whole)


def test_a_thread_may_fork_inside_of_its_own_call(sample: pathlib.Path) -> None:
    forked: list[bool] = []

    class Forking(Held):
        def read(self, count: int = -1) -> bytes:
            if self.holds.is_set() and not forked:
                forked.append(True)
                forked[0] = in_child(lambda: other.verify() == "verified" and other[1].size > 0)
            return self.content.read(count)

    content = Forking(sample.read_bytes())
    field, other = ls.open(content)[0], ls.open(sample)[0]
    content.holds.set()
    assert field.verify() == "verified" and forked == [True]
    assert field[1].size


def test_a_program_that_forks_inside_of_a_call_ends(sample: pathlib.Path) -> None:
    """The child leaves the call, and ends as Python does, which waits for calls that have not ended."""
    import subprocess

    program = f"""
import io, os, sys, linkstream as ls

class Forking(io.RawIOBase):
    def __init__(self):
        self.content, self.child = io.BytesIO(open({str(sample)!r}, "rb").read()), None
    def seek(self, offset, whence=0):
        return self.content.seek(offset, whence)
    def read(self, count=-1):
        if self.child is None and armed:
            self.child = os.fork()
        return self.content.read(count)

armed = False
content = Forking()
field = ls.open(content)[0]
armed = True
assert field.verify() == "verified"
if content.child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(content.child, 0)[1]))
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True, timeout=LONGEST)


def test_elements_of_the_parent_are_an_error_in_the_child(tmp_path: pathlib.Path) -> None:
    elements = [bytes([n % 251]) * 1000 for n in range(5000)]
    ls.write_scda(tmp_path / "file", [("varray", "u", elements)])
    section = ls.open(tmp_path / "file", verify=False).sections[1]
    begun = iter(section)
    assert next(begun) == elements[0]

    def goes_on() -> bool:
        try:
            for _ in begun:
                pass
        except RuntimeError as error:
            return "forked" in str(error) and list(section) == elements
        return False

    assert in_child(goes_on)
    assert list(begun) == elements[1:]


def read_in_worker(field: ls.Field) -> tuple[str, np.ndarray]:
    return field.verify(), field[2]


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_workers_read_while_a_thread_passes(method: str, held: Any, sample: pathlib.Path) -> None:
    content, stop = held
    waiting, field = ls.open(content)[0], ls.open(sample)[0]
    stop(waiting.verify)
    with multiprocessing.get_context(method).Pool(2) as pool:
        for verdict, part in pool.map_async(read_in_worker, [field] * 4).get(LONGEST):
            assert verdict == "verified" and np.array_equal(part, field[2])


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_dask_reads_while_a_thread_passes(method: str, held: Any, sample: pathlib.Path) -> None:
    dask = pytest.importorskip("dask")
    array = pytest.importorskip("dask.array")
    content, stop = held
    waiting, field = ls.open(content)[0], ls.open(sample)[0]
    stop(waiting.verify)
    lazy = array.from_array(field, chunks=(2, *field.shape[1:]))
    with dask.config.set({"multiprocessing.context": method}):
        read = lazy.compute(scheduler="processes", num_workers=2)
    assert np.array_equal(read, field.numpy())
