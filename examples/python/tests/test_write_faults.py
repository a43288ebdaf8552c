"""Nothing remains of a file that could not be written, and an existing one is unchanged."""

from __future__ import annotations

import _thread
import os
import pathlib
import subprocess
import sys
import threading
from typing import Any, Callable

import numpy as np
import pytest
from fields import GAUGE, numbers

import linkstream as ls

LINKS = GAUGE["su3gauge"]
LARGE = np.zeros((16, 16, 16, 16, 4, 3), "c16")
BYTES = bytes(range(256)) * (1 << 14)

WRITERS: dict[str, Callable[..., None]] = {
    "both": lambda path, **more: ls.write(path, LINKS, **more),
    "ildg": lambda path, **more: ls.write(path, LINKS, form="ildg", lfn="lfn://a/b", **more),
    "nersc": lambda path, **more: ls.write(path, LINKS, form="nersc", **more),
    "gpt": lambda path, **more: ls.write(path, LINKS, for_="gpt", lfn="lfn://a/b", **more),
    "matrix": lambda path, **more: ls.write_matrix(path, np.eye(100), **more),
    "scda": lambda path, **more: ls.write_scda(path, [("block", "b", BYTES)], **more),
    "compressed": lambda path, **more: ls.write_scda(path, [("block", "b", BYTES)], compress=True, **more),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_an_existing_file_is_replaced_only_on_request(tmp_path: pathlib.Path, writer: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"precious")
    with pytest.raises(FileExistsError, match="file exists; replace=True replaces it"):
        WRITERS[writer](path)
    assert path.read_bytes() == b"precious" and len(list(tmp_path.iterdir())) == 1
    WRITERS[writer](path, replace=True)
    assert ls.check(path)["verdict"] in ("ok", "unverified") and len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("writer", WRITERS)
def test_places_that_cannot_be_written(tmp_path: pathlib.Path, writer: str) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        WRITERS[writer](tmp_path / "missing" / "file")
    assert missing.value.filename == str(tmp_path / "missing")
    (tmp_path / "plain").write_bytes(b"")
    with pytest.raises(NotADirectoryError):
        WRITERS[writer](tmp_path / "plain" / "file")
    with pytest.raises(OSError, match="is not a file"):
        WRITERS[writer](tmp_path, replace=True)
    if os.path.exists("/proc/self"):
        with pytest.raises(OSError, match="/proc/file"):
            WRITERS[writer]("/proc/file")


FOLDER = """
import os, sys
import numpy as np
import linkstream as ls
# An administrator can write everywhere.
if os.getuid() == 0:
    os.setgid(65534), os.setuid(65534)
try:
    ls.write(sys.argv[1], np.zeros((2, 2, 2, 2, 4, 3), "c16"))
except PermissionError as error:
    print("refused", error.filename)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs permissions of POSIX")
def test_a_folder_that_is_read_only(tmp_path: pathlib.Path) -> None:
    tmp_path.chmod(0o555)
    try:
        path = str(tmp_path / "file")
        # The library must be readable for others, too: it is loaded before.
        run = subprocess.run([sys.executable, "-c", FOLDER, path], capture_output=True, text=True, check=False)
    finally:
        tmp_path.chmod(0o755)
    assert run.stdout.startswith("refused"), run.stderr
    assert list(tmp_path.iterdir()) == []


LIMITED = """
import resource, sys
import numpy as np
import linkstream as ls
path, how = sys.argv[1:]
big = np.zeros((8, 8, 8, 8, 4, 3), "c16")
links = np.zeros((8, 8, 8, 8, 4, 3, 3), "c16") + np.eye(3)
noise = np.random.default_rng(1).bytes(1 << 20)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    if how == "fields":
        ls.write(path, big)
    elif how == "set":
        ls.write(path, big, set=2)
    elif how == "nersc":
        ls.write(path, links, form="nersc")
    elif how == "matrix":
        ls.write_matrix(path, np.zeros((1000, 1000)))
    else:
        ls.write_scda(path, [("block", "b", noise)], compress=how == "compressed")
except OSError as error:
    print("full", type(error).__name__, error.errno)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of the size of files")
@pytest.mark.parametrize("how", ["fields", "set", "nersc", "matrix", "scda", "compressed"])
def test_a_full_disk(tmp_path: pathlib.Path, how: str) -> None:
    path = tmp_path / "file"
    run = subprocess.run([sys.executable, "-c", LIMITED, path, how], capture_output=True, text=True, check=False)
    assert run.stdout.split() == ["full", "OSError", "27"], run.stderr
    assert list(tmp_path.iterdir()) == []


LONG: dict[str, Callable[..., None]] = {
    "fields": lambda path, **more: ls.write(path, LARGE, **more),
    "converted": lambda path, **more: ls.write(path, LARGE.astype(">c16"), **more),
    "set": lambda path, **more: ls.write(path, LARGE, set=2, **more),
    "nersc": lambda path, **more: ls.write(path, LINKS, form="nersc", **more),
    "rows": lambda path, **more: ls.write(path, LINKS[..., :2, :], rows="full", **more),
    "gpt": lambda path, **more: ls.write(path, LINKS, for_="gpt", lfn="lfn://a/b", **more),
    "matrix": lambda path, **more: ls.write_matrix(path, np.zeros((1000, 1000)), **more),
    "scda": lambda path, **more: ls.write_scda(path, [("block", "b", BYTES)], **more),
    "compressed": lambda path, **more: ls.write_scda(path, [("array", "b", LARGE)], compress=True, **more),
}


@pytest.mark.parametrize("how", LONG)
@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
@pytest.mark.parametrize("at", ["begin", "middle", "end"])
def test_an_exception_of_progress_leaves_nothing(
    tmp_path: pathlib.Path, how: str, error: type[BaseException], at: str
) -> None:
    path = tmp_path / "file"

    def progress(done: int, total: int) -> None:
        assert 0 <= done <= total
        if at == "begin" or (at == "end" and done == total) or (at == "middle" and done > 0):
            raise error("enough")

    with pytest.raises(error, match="enough"):
        LONG[how](path, progress=progress)
    assert list(tmp_path.iterdir()) == []
    path.write_bytes(b"precious")
    if how != "set":
        with pytest.raises(error):
            LONG[how](path, progress=progress, replace=True)
        assert path.read_bytes() == b"precious"


@pytest.mark.parametrize("how", LONG)
def test_progress_reaches_the_end(tmp_path: pathlib.Path, how: str) -> None:
    seen: list[tuple[int, int]] = []
    LONG[how](tmp_path / "file", progress=lambda done, total: seen.append((done, total)))
    assert seen[0][0] == 0 and seen[-1][0] == seen[-1][1] > 0
    assert seen == sorted(seen) and len({total for _, total in seen}) == 1


def test_ctrl_c_ends_a_long_write(tmp_path: pathlib.Path) -> None:
    class Endless:
        """An array whose blocks come without end, until someone presses Ctrl-C."""

        shape, dtype = (1 << 20, 8, 8, 8, 4, 3), np.dtype("c16")

        def __getitem__(self, key: slice) -> Any:
            # Not until the disk is full.
            assert key.stop * 98304 < 1 << 31, "the call was not interrupted"
            if key.start > 0 and not timer.is_alive() and not pressed.is_set():
                pressed.set()
                timer.start()
            return np.zeros((key.stop - key.start, *self.shape[1:]), "c16")

    pressed = threading.Event()
    timer = threading.Timer(0.01, _thread.interrupt_main)
    with pytest.raises(KeyboardInterrupt):
        ls.write(tmp_path / "file", Endless())
    assert pressed.is_set() and list(tmp_path.iterdir()) == []


def test_other_volumes_are_not_mixed_up(tmp_path: pathlib.Path) -> None:
    array = numbers(4, 3)
    ls.write(tmp_path / "lat", array, set=4)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for replace in (False, True):
        with pytest.raises(FileExistsError):
            ls.write(tmp_path / "lat", array, set=2, replace=replace)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    ls.write(tmp_path / "lat", array + 1, set=4, replace=True)
    assert np.array_equal(ls.open(tmp_path / "lat")[0].numpy(), array + 1)


def test_other_threads_run_meanwhile(tmp_path: pathlib.Path) -> None:
    ran = threading.Event()
    waiting = threading.Thread(target=ran.set)

    def progress(done: int, total: int) -> None:
        if not waiting.is_alive() and not ran.is_set():
            waiting.start()
        ran.wait(10)

    ls.write(tmp_path / "file", LARGE, progress=progress)
    assert ran.is_set()


def test_many_threads_write_their_own_files(tmp_path: pathlib.Path) -> None:
    errors: list[BaseException] = []

    def work(number: int) -> None:
        try:
            ls.write(tmp_path / str(number), LINKS * np.exp(0.1j * number), kind="u3gauge")
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == [] and len(list(tmp_path.iterdir())) == 8
    assert np.array_equal(ls.open(tmp_path / "3")[0].numpy(), LINKS * np.exp(0.1j * 3))
