"""Threads that use the same objects: none of them waits for ever, reads the bytes of another, or is cancelled with it."""

from __future__ import annotations

import io
import pathlib
import signal
import subprocess
import sys
import threading
import time
from typing import Any, Callable

import numpy as np
import pytest

import linkstream as ls


class Slow(io.RawIOBase):
    """A file object that is no `io.BytesIO`, and waits."""

    def __init__(self, content: bytes) -> None:
        self.content = io.BytesIO(content)
        self.wait: Callable[[], Any] = lambda: None

    def seek(self, offset: int, whence: int = 0) -> int:
        return self.content.seek(offset, whence)

    def read(self, count: int = -1) -> bytes:
        self.wait()
        return self.content.read(count)


def test_progress_may_wait_for_a_thread_that_reads_the_same_field(sample: pathlib.Path) -> None:
    field = ls.open(sample)[0]
    states: list[bool] = []

    def progress(done: int, total: int) -> None:
        thread = threading.Thread(target=lambda: field[1], daemon=True)
        thread.start()
        thread.join(20)
        states.append(thread.is_alive())

    assert field.read(0, progress=progress).size
    assert field.verify(progress) == "verified"
    assert states and not any(states)


def test_progress_of_two_fields_may_read_the_other_one(tmp_path: pathlib.Path) -> None:
    numbers = np.zeros((2, 2, 2, 2, 4, 4, 3, 3), "c16")
    ls.write(tmp_path / "two", [numbers, numbers])
    file, barrier = ls.open(tmp_path / "two"), threading.Barrier(2)

    def read(index: int) -> None:
        calls: list[int] = []

        def progress(done: int, total: int) -> None:
            if not calls:
                calls.append(done)
                barrier.wait(20)
                file[1 - index][0]

        file[index].read(0, progress=progress)

    threads = [threading.Thread(target=read, args=(index,), daemon=True) for index in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert not any(thread.is_alive() for thread in threads)


def test_a_file_object_that_is_opened_twice_has_one_position(sample: pathlib.Path) -> None:
    """Between seek and read of one, the other must not seek."""
    whole = ls.open(sample)[0].numpy()

    class Counting(Slow):
        inside = 0
        most = 0

        def seek(self, offset: int, whence: int = 0) -> int:
            self.inside = 1
            return super().seek(offset, whence)

    content = Counting(sample.read_bytes())
    files = [ls.open(content) for _ in range(2)]
    content.wait = lambda: time.sleep(0.001)
    wrong: list[object] = []

    def read(file: ls.File) -> None:
        for _ in range(30):
            try:
                if not np.array_equal(file[0].numpy(), whole):
                    wrong.append("other data")
            except Exception as error:
                wrong.append(error)

    threads = [threading.Thread(target=read, args=(file,)) for file in files]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_file_object_that_cannot_be_asked_is_an_error(sample: pathlib.Path) -> None:
    class Failing(Slow):
        error: BaseException | None = None

        def seek(self, offset: int, whence: int = 0) -> int:
            if whence == 2 and self.error is not None:
                raise self.error
            return super().seek(offset, whence)

    for error in (PermissionError("gone"), KeyboardInterrupt(), KeyError("mine")):
        content = Failing(sample.read_bytes())
        field = ls.open(content)[0]
        content.error = error
        for read in (field.numpy, field.verify, lambda: field[0], lambda: ls.reference(field, "links")):
            with pytest.raises(type(error)) as raised:
                read()
            assert raised.value is error


@pytest.fixture(scope="module")
def scda(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("scda") / "file"
    numbers = np.random.default_rng(0).integers(0, 4, (500, 20_000), "u1")
    elements = [b"x" * (n % 3) for n in range(100_000)]
    ls.write_scda(path, [ls.NewSection("array", "packed", numbers, compress=1), ("varray", "ragged", elements)])
    return path


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("matrix") / "file"
    ls.write_matrix(path, np.zeros((1000, 1000)))
    return path


@pytest.mark.filterwarnings("ignore::linkstream.UnverifiedWarning")
@pytest.mark.parametrize("which", ["section", "matrix"])
def test_a_call_that_is_cancelled_stops_no_other_one_of_the_file(
    which: str, scda: pathlib.Path, matrix: pathlib.Path
) -> None:
    content = Slow({"section": scda, "matrix": matrix}[which].read_bytes())
    file = ls.open(content, verify="if possible")

    def read(progress: Any = None) -> Any:
        return file.matrix(progress=progress) if which == "matrix" else file.sections["packed"].read(progress=progress)

    assert len(read())
    begun, is_cancelled, results = threading.Event(), threading.Event(), []

    def wait() -> None:
        begun.set()
        # Not for ever: the call that will be cancelled waits for this read, as the file has one position.
        is_cancelled.wait(0.5)

    def other() -> None:
        try:
            results.append(len(read()))
        except BaseException as error:
            results.append(error)

    content.wait = wait
    thread = threading.Thread(target=other)
    thread.start()
    assert begun.wait(20)

    def cancel(done: int, total: int) -> None:
        is_cancelled.set()
        raise ValueError("mine")

    for _ in range(20):
        with pytest.raises(ValueError, match="mine"):
            read(cancel)
    thread.join()
    assert results == [len(read())]


# --- Ctrl-C ---

INTERRUPTED = """
import io, os, signal, sys, time
import linkstream as ls

signal.signal(signal.SIGINT, signal.default_int_handler)

class Slow(io.RawIOBase):
    wait = 0
    def __init__(self, content): self.content = io.BytesIO(content)
    def seek(self, offset, whence=0): return self.content.seek(offset, whence)
    def read(self, count=-1):
        time.sleep(self.wait)
        return self.content.read(count)

path, work = sys.argv[1:]
content = Slow(open(path, "rb").read())
sections = ls.open(content, verify=False).sections
sections["packed"]._is_checked = True
content.wait = 600 if "element" in work else 1
print("begun", flush=True)
try:
    {
        "element": lambda: sections["packed"][0],
        "elements": lambda: list(sections["packed"]),
        "sizes": lambda: sections["ragged"].sizes,
        "nbytes": lambda: sections["ragged"].nbytes,
    }[work]()
except KeyboardInterrupt:
    print("interrupted", flush=True)
    os._exit(0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize("work", ["element", "elements", "sizes", "nbytes"])
def test_ctrl_c_ends_a_call_that_reads_a_section(work: str, scda: pathlib.Path) -> None:
    # Each call would need a minute at least.
    command = [sys.executable, "-c", INTERRUPTED, str(scda), work]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        try:
            rest, _ = process.communicate(timeout=20)
        finally:
            process.kill()
    assert (rest, process.returncode) == ("interrupted\n", 0)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no timer signals")
@pytest.mark.parametrize("what", ["read_sizes", "bytes"])
def test_signals_are_handled_while_sizes_are_read(what: str, tmp_path: pathlib.Path) -> None:
    count = 1_000_000
    ls.write_scda(tmp_path / "file", [("varray", "none", [b""] * count)])
    section = ls.open(tmp_path / "file", verify=False).sections["none"]
    out, calls = np.zeros(count, np.uint64), []
    before = signal.signal(signal.SIGALRM, lambda *_: calls.append(None))
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        calls.clear()
        section._raw.read_sizes(out) if what == "read_sizes" else section._raw.bytes()
        handled = len(calls)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    # One call of a handler can be before, and one after the work.
    assert handled > 2


# --- The end of the interpreter ---

SLOW = """
import io, sys, threading, time
import linkstream as ls

class Slow(io.RawIOBase):
    is_slow = False
    def __init__(self, content): self.content = io.BytesIO(content)
    def seek(self, offset, whence=0): return self.content.seek(offset, whence)
    def read(self, count=-1):
        if self.is_slow: time.sleep(0.002)
        return self.content.read(min(count, 500) if self.is_slow else count)

content = Slow(open(sys.argv[1], "rb").read())
file = ls.open(content)
"""

ENDS = {
    "iterator": """
section = file.sections["packed"]
section._is_checked = True
iterator = iter(section)
next(iterator)
content.is_slow = True
""",
    "iterator that is dropped": """
section = file.sections["packed"]
section._is_checked = True
iterator = iter(section)
next(iterator)
content.is_slow = True
del iterator
""",
    "iterator in a daemon thread": """
section = file.sections["packed"]
section._is_checked = True
content.is_slow = True
threading.Thread(target=lambda: list(section), daemon=True).start()
time.sleep(0.2)
""",
    "daemon thread": """
content.is_slow = True
threading.Thread(target=lambda: file.sections["packed"].read(), daemon=True).start()
time.sleep(0.2)
""",
    "daemon thread with progress": """
content.is_slow = True
section = file.sections["packed"]
threading.Thread(target=lambda: section.read(progress=lambda done, total: None), daemon=True).start()
time.sleep(0.2)
""",
    "reads at the end": """
import atexit
atexit.register(lambda: print(len(file.sections["packed"].read()), flush=True))
""",
}


@pytest.mark.parametrize("name", ENDS)
def test_python_ends_while_a_thread_reads(name: str, scda: pathlib.Path) -> None:
    for _ in range(3):
        command = [sys.executable, "-c", SLOW + ENDS[name] + 'print("end")', str(scda)]
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        expected = "end\n" + ("10000000\n" if name == "reads at the end" else "")
        assert (run.returncode, run.stdout) == (0, expected), run.stderr
        assert "Fatal" not in run.stderr and "panicked" not in run.stderr
