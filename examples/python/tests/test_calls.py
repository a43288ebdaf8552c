"""Calls that run for long: progress, cancellation, other threads, other processes, and objects of the wrong type."""

from __future__ import annotations

import concurrent.futures
import io
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from typing import Any, Callable

import numpy as np
import pytest
from conftest import FIXTURES
from made import scidac, sparse

import linkstream as ls

NERSC = FIXTURES / "qio" / "nersc"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Links of 151 MB, which several threads read."""
    return sparse(tmp_path_factory.mktemp("large") / "links", (16, 16, 16, 64), 576 * 16**3 * 64)


@pytest.fixture
def field(sample: pathlib.Path) -> ls.Field:
    return ls.open(sample)[0]


# --- Progress ---


class Slow(io.BytesIO):
    """A file object that waits."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.wait: Callable[[], Any] = lambda: None

    def read(self, *arguments: Any) -> bytes:
        self.wait()
        return super().read(*arguments)


def test_progress_is_reported_from_the_beginning_to_the_end(large: pathlib.Path) -> None:
    calls: list[tuple[int, int]] = []
    field = ls.open(large, verify=False)[0]
    field.numpy(progress=lambda *numbers: calls.append(numbers))
    done = [done for done, _ in calls]
    assert done[0] == 0 and done[-1] == field.nbytes and done == sorted(done)
    assert {total for _, total in calls} == {field.nbytes}


@pytest.mark.parametrize("error", [ValueError("mine"), KeyboardInterrupt(), SystemExit(3), ls.Error("mine")])
def test_an_exception_of_progress_ends_the_call(large: pathlib.Path, error: BaseException) -> None:
    def progress(done: int, total: int) -> None:
        if done > 0:
            raise error

    content = Slow(large.read_bytes())
    field = ls.open(content)[0]
    out = np.zeros(field.shape, field.dtype)
    # Most calls would be too fast to be cancelled.
    content.wait = lambda: time.sleep(0.03)
    for read in (field.verify, lambda progress: field.read_into(out, progress=progress)):
        with pytest.raises(type(error)) as raised:
            read(progress)
        assert raised.value is error
    with pytest.raises(type(error)):
        ls.check(content, progress=progress)
    # The field can be read afterwards.
    content.wait = lambda: None
    assert not field.read(3, verify=False).any()


def test_progress_may_read_the_same_field(field: ls.Field) -> None:
    whole = field.numpy()
    inside: list[Any] = []

    def progress(done: int, total: int) -> None:
        if len(inside) < 3:
            place = len(inside)
            inside.append(None)
            inside[place] = field.numpy(progress=progress)

    assert np.array_equal(field.numpy(progress=progress), whole)
    assert len(inside) == 3 and all(np.array_equal(array, whole) for array in inside)


def test_an_array_is_filled_by_one_call_at_a_time(field: ls.Field) -> None:
    out = np.zeros(field.shape, field.dtype)
    with pytest.raises(ValueError, match="another call"):
        field.read_into(out, progress=lambda done, total: field.read_into(out))
    field.read_into(out)
    assert np.array_equal(out, field.numpy())


def test_progress_must_be_callable(field: ls.Field) -> None:
    for read in (field.numpy, field.verify):
        with pytest.raises(TypeError):
            read(progress=7)  # type: ignore[arg-type]


def test_a_file_object_that_is_closed_is_an_error(sample: pathlib.Path) -> None:
    with sample.open("rb") as opened:
        field = ls.open(opened)[0]
        with pytest.raises(ValueError, match="closed"):
            field.numpy(progress=lambda done, total: opened.close())


# --- Other threads ---


def test_a_call_that_is_cancelled_stops_no_other_one(large: pathlib.Path) -> None:
    content = Slow(large.read_bytes())
    field = ls.open(content, verify=False)[0]
    begun, is_cancelled = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        is_cancelled.wait(60)

    def cancel(done: int, total: int) -> None:
        if begun.is_set():
            is_cancelled.set()
            raise ValueError("mine")

    with concurrent.futures.ThreadPoolExecutor(2) as pool, warnings.catch_warnings():
        warnings.simplefilter("ignore", ls.UnverifiedWarning)
        content.wait = wait
        other = pool.submit(field.numpy)
        with pytest.raises(ValueError, match="mine"):
            field.verify(cancel)
        assert not other.result(60).any()


def test_threads_read_one_field_at_the_same_time(field: ls.Field) -> None:
    whole = ls.open(field.file.name)[0].numpy()

    def read(number: int) -> bool:
        key = [..., number % 8, (slice(None), number % 4), slice(None, None, -1)][number % 4]
        return np.array_equal(field[key], whole[key]) and np.array_equal(field.numpy(), whole)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(read, range(200)))
    assert field.verification == "verified"


def test_other_threads_run_during_a_call(tmp_path: pathlib.Path) -> None:
    path = sparse(tmp_path / "links", (64, 64, 64, 16), 576 * 64**3 * 16)
    ticks, is_done = [0], threading.Event()

    def tick() -> None:
        while not is_done.is_set():
            ticks[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        field = ls.open(path)[0]
        before = ticks[0]
        with pytest.raises(ls.ChecksumError):
            field.verify()
        assert ticks[0] > before + 20
    finally:
        is_done.set()
        thread.join()


# --- Exceptions ---


def test_exceptions_are_those_that_programs_expect(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "text").write_bytes(b"These bytes are no file.")
    with pytest.raises(ValueError) as format_error:
        ls.open(tmp_path / "text")
    assert type(format_error.value) is ls.FormatError
    (tmp_path / "short").write_bytes(sample.read_bytes()[:5000])
    with pytest.raises(ls.TruncatedError) as truncated:
        ls.open(tmp_path / "short")
    assert truncated.value.class_ == "truncated" and truncated.value.file == str(tmp_path / "short")
    assert type(pickle.loads(pickle.dumps(truncated.value))) is ls.TruncatedError
    with pytest.raises(IsADirectoryError) as directory:
        ls.open(tmp_path)
    assert directory.value.filename == str(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="pipe, not a file") as pipe:
        ls.open(tmp_path / "pipe")
    assert pipe.value.filename == str(tmp_path / "pipe")
    for call in (ls.open, lambda path: ls.write(path, np.zeros((2, 2, 2, 2, 3), "c16"), kind="color_vector")):
        with pytest.raises(FileNotFoundError):
            call("")
        with pytest.raises(ValueError, match="NUL"):
            call("a\0b")
    # Names of the package.
    assert str(ls.FormatError) == "<class 'linkstream.FormatError'>" and ls.Field.__module__ == "linkstream"


def test_messages_name_what_was_refused(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    links = ls.open(sample)[0].numpy()
    for match, options in (
        ('for_ is "chrome"', {"for_": "chrome"}),
        ('for_="gpt" writes one gauge field, not a field of the kind color_vector', {"for_": "gpt", "kind": "color_vector"}),
        ("record_xml: for_ writes an ILDG file without SciDAC documents", {"for_": "qio", "record_xml": "<a/>"}),
        ("from real numbers with axes of 4, 3, 3.*links of SU", {"real": True}),
    ):
        real = options.pop("real", False)
        array = np.ascontiguousarray(links.real) if real else links[..., 0, 0] if "kind" in options else links
        array = array[..., :3] if "kind" in options else array
        with pytest.raises(ValueError, match=match):
            ls.write(tmp_path / "no", array, **options)


# --- Warnings and verdicts ---


@pytest.mark.filterwarnings("always")
def test_unverified_data_are_named_once_for_each_field(sample: pathlib.Path) -> None:
    fields = [ls.open(unsummed(sample), verify="if possible")[0] for _ in range(2)]
    with warnings.catch_warnings(record=True) as caught, concurrent.futures.ThreadPoolExecutor(8) as pool:
        warnings.simplefilter("always")
        for field in fields:
            list(pool.map(lambda t: field[t % 8], range(100)))
            assert field.numpy().size and field.verification == "unverified"
            assert len(list(field.slices())) == 8
    assert [warning.category for warning in caught] == [ls.UnverifiedWarning] * 2
    assert "bytes: field 0 is unverified" in str(caught[0].message)


def unsummed(sample: pathlib.Path) -> bytes:
    """The sample without its checksum."""
    content = bytearray(sample.read_bytes())
    at = content.index(b"scidac-checksum")
    # The message ends with the data.
    data = content.index(b"ildg-binary-data") - 10
    content[data] |= 0x40
    return bytes(content[: at - 16])


@pytest.mark.filterwarnings("error")
def test_unverified_data_that_are_asked_for_are_no_warning(sample: pathlib.Path) -> None:
    for source in (sample, unsummed(sample)):
        field = ls.open(source, verify=False)[0]
        assert field.numpy().size and field[3].size and len(list(field.slices())) == 8
        assert field.verification == "unverified"
    # Verified afterwards.
    field = ls.open(sample, verify=False)[0]
    assert field[0].size and field.numpy(verify=True).size and field.verification == "verified"


def test_a_warning_names_the_line_of_the_caller(sample: pathlib.Path) -> None:
    reads: list[Callable[[ls.Field], Any]] = [
        lambda field: field.numpy(),
        lambda field: field[0],
        lambda field: list(field.sites()),
    ]
    for read in reads:
        with pytest.warns(ls.UnverifiedWarning) as caught:
            read(ls.open(unsummed(sample), verify="if possible")[0])
        assert caught[0].filename == __file__


@pytest.mark.parametrize("name", ["missing", "partial"])
def test_data_without_a_checksum_are_refused_unless_asked_for(name: str, tmp_path: pathlib.Path) -> None:
    folder, file = {
        "missing": ("broken/scidac", "checksum-missing-at-end.lime"),
        "partial": ("broken/scidac", "checksum-suma-absent.lime"),
    }[name]
    field = ls.open(FIXTURES / folder / file)[1 if name == "missing" else 0]
    for read in (field.numpy, lambda: field[0], lambda: field[..., 0], lambda: list(field.slices()), field.memmap):
        with pytest.raises(ls.UnverifiedError, match="verify=False") as error:
            read()
        assert error.value.rule == ("checksum-missing" if name == "missing" else "")
        assert field.verification == "not read"
    whole = field.numpy(verify=False)
    assert field.verification == "unverified"
    assert np.array_equal(field.read(1, verify=False), whole[1])
    with pytest.warns(ls.UnverifiedWarning, match="no checksum"):
        assert field.verify() == "unverified"


def test_data_without_a_checksum_are_refused_before_they_are_read(tmp_path: pathlib.Path) -> None:
    start = scidac((2**8,) * 3 + (2**9,), length=576 * 2**33)
    (tmp_path / "links").write_bytes(start)
    os.truncate(tmp_path / "links", len(start) + 576 * 2**33)
    field = ls.open(tmp_path / "links")[0]
    # Reading them would take hours.
    for read in (field.numpy, lambda: field[0, 0], lambda: next(field.slices()), field.memmap):
        with pytest.raises(ls.UnverifiedError):
            read()


@pytest.mark.parametrize("name", ["n3x3_f.nersc", "n3x3_d.nersc", "n3x2_f_little.nersc", "n3x2_f_generic32.nersc"])
def test_the_byte_order_of_an_archive_is_shown_by_its_checksum(name: str) -> None:
    content = (NERSC / name).read_bytes()
    whole = ls.open(content)[0].numpy()
    # Any order is allowed for, and the checksum decides.
    start = content.index(b"FLOATING_POINT")
    line = content[start : content.index(b"\n", start)]
    size = b"32" if b"32" in line else b"64"
    unnamed = content.replace(line, b"FLOATING_POINT = IEEE" + size)
    for read in (lambda field: field.numpy(), lambda field: field[...], lambda field: np.array(list(field.slices()))):
        field = ls.open(unnamed)[0]
        assert np.array_equal(read(field), whole) and field.verification == "verified"
        assert np.array_equal(field[1, ..., 0], whole[1, ..., 0])


# --- Ctrl-C ---

INTERRUPTED = """
import signal
import sys
import linkstream as ls

# A shell starts programs in the background such that they ignore it, and so does what they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
work, path = sys.argv[1:]
print("begun", flush=True)
try:
    if work == "check":
        ls.check(path)
    else:
        field = ls.open(path)[0]
        {"verify": field.verify, "slice": lambda: field[3], "slices": lambda: list(field.slices())}[work]()
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize("work", ["verify", "slice", "slices", "check"])
def test_ctrl_c_ends_a_call(work: str, tmp_path: pathlib.Path) -> None:
    # Reading the file would take an hour.
    path = sparse(tmp_path / "links", (2**6, 2**6, 2**6, 2**14), 576 * 2**32)
    command = [sys.executable, "-c", INTERRUPTED, work, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        try:
            rest, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (rest, process.returncode) == ("interrupted\n", 0)


# --- Other processes ---


def described(field: ls.Field) -> tuple[str, bool, bytes, str]:
    """The verdict on a field when it arrives, whether it has the sums of a pass, some of its data, and the verdict on
    them."""
    verdict, is_summed = field.verification, field._raw.slice_sums() is not None
    return verdict, is_summed, field[1, ..., 0].tobytes(), field.verification


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_fields_are_sent_to_other_processes(method: str, field: ls.Field, large: pathlib.Path) -> None:
    # The threads that fill large arrays do not exist in a forked process.
    with pytest.raises(ls.ChecksumError):
        ls.open(large)[0].verify()
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context(method)) as pool:
        data = ls.open(field.file.name)[0][1, ..., 0].tobytes()
        # A field that has been read here has not been read there.
        assert pool.submit(described, field).result(60) == ("not read", False, data, "verified")
        field.verify()
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context(method)) as pool:
        assert pool.submit(described, field).result(60) == ("not read", True, data, "verified")
        with pytest.raises(ls.ChecksumError) as error:
            pool.submit(ls.Field.verify, ls.open(large)[0]).result(60)
        assert error.value.rule == "checksum-mismatch" and error.value.offset is not None


def test_a_pickled_field_is_that_of_the_same_file(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "links"
    path.write_bytes(sample.read_bytes())
    field = ls.open(path)[0]
    whole = field.numpy()
    pickled = pickle.dumps(field)
    copy = pickle.loads(pickled)
    assert copy._raw.slice_sums() is not None and copy.verification == "not read"
    assert np.array_equal(copy[2], whole[2]) and copy.verification == "verified"
    other = bytearray(sample.read_bytes())
    other[-1000] ^= 1
    path.write_bytes(other)
    with pytest.raises(ls.Error):
        pickle.loads(pickled)
    memory = ls.open(sample.read_bytes())[0]
    assert np.array_equal(pickle.loads(pickle.dumps(memory)).numpy(), whole)


# --- Objects of the wrong type ---

THINGS = [None, 7, 1.5, True, 10**40, "a\0b", b"", b"no file", object(), [], [7], {}, set(), io.StringIO("text")]
THINGS += [lambda: None, np.zeros(3)]
REFUSED = (TypeError, ValueError, OSError, ls.Error, IndexError, OverflowError, UnicodeError)


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: repr(thing)[:20])
def test_things_are_refused_by_exceptions(field: ls.Field, thing: Any) -> None:
    whole = field.numpy()
    for call in (
        lambda: ls.open(thing),
        lambda: ls.open([thing, thing]),
        lambda: field.read_into(thing),
        lambda: field.file[thing],
        lambda: field.file.payload(thing),
        lambda: ls.check("missing", progress=thing)["verdict"] == "unreadable" or field.numpy(progress=thing),
    ):
        try:
            call()
        except REFUSED as error:
            assert str(error)
    for call in (lambda: field[thing], lambda: field.numpy(thing), lambda: field.numpy(verify=thing)):
        try:
            assert call().size
        except REFUSED as error:
            assert str(error)
    try:
        assert ls.check(thing)["verdict"] in ("unreadable", "wrong")
    except REFUSED as error:
        assert str(error)
    assert np.array_equal(field.numpy(), whole)


@pytest.mark.parametrize("answer", ["text", None, 3, [1], b"x" * 10_000_000, bytearray(8), memoryview(b"abc")])
def test_file_objects_that_return_other_things_are_errors(sample: pathlib.Path, answer: Any) -> None:
    class File:
        def seek(self, *_: int) -> int:
            return sample.stat().st_size

        def read(self, length: int) -> Any:
            return answer

    with pytest.raises((TypeError, ValueError, OSError, ls.Error)):
        ls.open(File())


@pytest.mark.parametrize("length", ["text", None, -1, 2**70, 1.5])
def test_file_objects_without_a_length_are_errors(length: Any) -> None:
    class File:
        def seek(self, *_: int) -> Any:
            return length

        def read(self, length: int) -> bytes:
            return b""

    with pytest.raises((TypeError, ValueError, OSError, OverflowError, ls.Error)):
        ls.open(File())


def test_exceptions_of_file_objects_are_raised_as_they_are(sample: pathlib.Path) -> None:
    class Mine(Exception):
        pass

    content = Slow(sample.read_bytes())
    field = ls.open(content)[0]

    def fail() -> None:
        raise Mine("reason")

    content.wait = fail
    for read in (field.numpy, field.verify, lambda: field[0]):
        with pytest.raises(Mine, match="reason"):
            read()
    content.wait = lambda: None
    assert field.numpy().size
