"""No damage of a file leads to other data, or to much memory: it is an error."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
from conftest import FIXTURES, LONG
from made import record, scidac, sparse

import linkstream as ls

QIO = FIXTURES / "qio"

FILES = [
    "single/dim1_17.lime",
    "single/complex_f_2x3x4x5.lime",
    "nersc/n3x2_f_generic32.nersc",
    "nersc/n3x3_f.nersc",
    "ildg/ildg_d_2x3x4x5.lime",
]


def stored(array: np.ndarray) -> bytes:
    """The bytes of an array in the byte order of QIO."""
    return array.astype(array.dtype.newbyteorder(">")).tobytes()


def assert_right_or_refused(content: bytes, expected: list[bytes]) -> None:
    try:
        file = ls.open(content)
    except ls.Error as error:
        assert error.message
        return
    assert len(file) <= len(expected)
    for field, data in zip(file, expected):
        try:
            array = field.numpy()
        except ls.Error as error:
            assert error.message and field.verification != "verified"
            continue
        assert field.verification == "verified"
        # Damage of a document can hide that the data are complex numbers, or numbers. It does not change them.
        assert stored(array) == data


@pytest.mark.parametrize("name", FILES)
def test_a_flipped_bit_is_an_error_or_changes_no_data(name: str) -> None:
    content = (QIO / name).read_bytes()
    expected = [stored(field.numpy()) for field in ls.open(content)]
    # All bits of a small file; of a larger one, some of each part. The steps are odd, so that each bit of a byte comes.
    step = 1 if len(content) < 2000 else 8 * len(content) // 4001
    for bit in range(0, 8 * len(content), step if LONG else 5 * step | 1):
        changed = bytearray(content)
        changed[bit // 8] ^= 1 << bit % 8
        assert_right_or_refused(bytes(changed), expected)


@pytest.mark.parametrize("name", FILES)
def test_a_truncated_file_is_an_error_or_has_all_data(name: str) -> None:
    content = (QIO / name).read_bytes()
    expected = [stored(field.numpy()) for field in ls.open(content)]
    for length in range(0, len(content), (1 if len(content) < 4000 else 13) * (1 if LONG else 5)):
        assert_right_or_refused(content[:length], expected)


def test_a_truncated_volume_is_an_error(tmp_path: pathlib.Path) -> None:
    names = ["multi2.lime.vol0000", "multi2.lime.vol0001"]
    whole = [field.numpy() for field in ls.open(QIO / "multi" / names[0])]
    for cut in names:
        for name in names:
            (tmp_path / name).write_bytes((QIO / "multi" / name).read_bytes())
        length = (tmp_path / cut).stat().st_size
        for shorter in range(length - 1, 0, -97):
            os.truncate(tmp_path / cut, shorter)
            try:
                for field, expected in zip(ls.open(tmp_path / names[0]), whole):
                    assert np.array_equal(field.numpy(), expected)
            except ls.Error as error:
                assert error.message
            except OSError as error:
                assert error.filename is not None or error.args


@pytest.mark.parametrize("t", range(5))
def test_slices_after_the_pass_are_compared_with_it(t: int, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "links"
    content = bytearray((QIO / "single/gauge_d3_2x3x4x5.lime").read_bytes())
    path.write_bytes(content)
    field = ls.open(path)[0]
    whole = field.numpy()
    assert field.verify() == "verified"
    at, about = bytes(content).index(stored(whole)), path.stat()
    content[at + t * (whole.nbytes // 5) + 17] ^= 4
    with path.open("r+b") as file:
        file.write(content)
    # As if it had changed within the resolution of the clock.
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    several = slice(None, None, 2) if t % 2 == 0 else slice(None, t - 1, -1)
    for key in [t, slice(t, t + 1), (..., 0), (t, 2, ..., 1), several]:
        with pytest.raises(ls.ChecksumError) as error:
            field[key]
        assert error.value.rule == "checksum-mismatch"
    for other in set(range(5)) - {t}:
        assert np.array_equal(field[other], whole[other])
    with pytest.raises(ls.ChecksumError):
        field.numpy()


@pytest.fixture
def copied(sample: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "links"
    path.write_bytes(sample.read_bytes())
    return path


@pytest.mark.parametrize("verify", [True, False])
def test_a_file_that_changes_between_calls_is_an_error(copied: pathlib.Path, verify: bool) -> None:
    field = ls.open(copied, verify=verify)[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ls.UnverifiedWarning)
        assert field[0].size and field.numpy().size
        about = copied.stat()
        os.utime(copied, ns=(about.st_atime_ns, about.st_mtime_ns + 10**9))
        for read in (lambda: field[1], lambda: field.numpy(), field.verify, field.memmap, lambda: list(field.slices())):
            with pytest.raises(ls.ChangedError):
                read()
        with pytest.raises(ls.ChangedError):
            field.file.payload(0)


@pytest.mark.parametrize("verify", [True, False])
def test_a_file_that_shrinks_during_a_read_is_an_error(copied: pathlib.Path, verify: bool) -> None:
    field = ls.open(copied, verify=verify)[0]

    def shrink(done: int, total: int) -> None:
        os.truncate(copied, 2000)

    with pytest.raises(ls.ChangedError):
        field.numpy(progress=shrink)
    assert field.verification == "not read"


def test_a_file_that_another_thread_rewrites_is_right_or_an_error(copied: pathlib.Path) -> None:
    content = copied.read_bytes()
    whole = ls.open(content)[0].numpy()
    is_done = threading.Event()

    def rewrite() -> None:
        other = bytearray(content)
        other[-20000] ^= 1
        while not is_done.is_set():
            for new in (other, content[:-5000], content):
                copied.write_bytes(new)

    writer = threading.Thread(target=rewrite)
    writer.start()
    outcomes = set()
    try:
        for _ in range(300):
            try:
                assert np.array_equal(ls.open(copied)[0].numpy(), whole)
                outcomes.add("right")
            except (ls.Error, IndexError):
                # The file can end before its field, and have none.
                outcomes.add("error")
    finally:
        is_done.set()
        writer.join()
    assert "error" in outcomes


def test_a_changed_volume_is_an_error(tmp_path: pathlib.Path) -> None:
    for path in (QIO / "multi").glob("multi2.lime.*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    field = ls.open(tmp_path / "multi2.lime")[0]
    assert field.numpy().size
    os.truncate(tmp_path / "multi2.lime.vol0001", 3000)
    for read in (field.numpy, field.verify, lambda: field[0]):
        with pytest.raises(ls.ChangedError):
            read()


LARGE = 2**15
CLAIMS = {
    "sites": scidac((LARGE,) * 4, length=2**60 * 576 % 2**64),
    "sites of small size": scidac(
        (LARGE,) * 4, length=2**62, datatype="QDP_F_Real", precision="F", typesize=4, datacount=1
    ),
    "one axis": scidac((2**31 - 1,), length=(2**31 - 1) * 576),
    "the most sites": scidac((2**31 - 1,) * 8, length=2**63),
    "data, not the lattice": scidac((2, 2, 2, 2), length=2**62),
    "lattice, not data": scidac((LARGE,) * 4, bytes(64), sums=(1, 1)),
    "size of a site": scidac((2, 2), length=2**62 * 3, datatype="MINE", typesize=2**31 - 1, datacount=2**31 - 1),
    "global data": scidac((2, 2), length=2**40, datatype="MINE", recordtype=1, typesize=2**20, datacount=2**20),
    "hypercube": scidac(
        (LARGE,) * 4, length=2**62, recordtype=2, spacetime=4, hyperlower="0 0 0 0", hyperupper=f"{LARGE - 1} " * 4
    ),
    "text": record("scidac-private-file-xml", b"", begin=True, length=2**62),
    "many bytes of text": record("ildg-format", b"<x", begin=True, length=2**40),
    "NERSC": (
        "BEGIN_HEADER\nDATATYPE = 4D_SU3_GAUGE_3x3\nDIMENSION_1 = 2147483647\nDIMENSION_2 = 2147483647\n"
        "DIMENSION_3 = 2147483647\nDIMENSION_4 = 2147483647\nCHECKSUM = 0\nLINK_TRACE = 1\nPLAQUETTE = 1\n"
        "FLOATING_POINT = IEEE64BIG\nEND_HEADER\n"
    ).encode(),
    "NERSC that fits 64 bits": (
        "BEGIN_HEADER\nDATATYPE = 4D_SU3_GAUGE\nDIMENSION_1 = 1024\nDIMENSION_2 = 1024\nDIMENSION_3 = 1024\n"
        "DIMENSION_4 = 1024\nCHECKSUM = 0\nLINK_TRACE = 1\nPLAQUETTE = 1\nFLOATING_POINT = IEEE32\nEND_HEADER\n"
    ).encode(),
}

LIMITED = """
import resource, sys, warnings
import linkstream as ls

warnings.simplefilter("ignore")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for path in sys.argv[1:]:
    assert ls.check(path)["verdict"] != "ok", path
    try:
        for field in ls.open(path, verify=False):
            field.shape, repr(field), field.attrs
            field.numpy()
        print("read", path)
    except ls.Error as error:
        assert error.message, path
    used = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10
    assert used < 64, f"{path}: {used} MiB"
"""


def test_claims_are_errors_without_memory_for_them(tmp_path: pathlib.Path) -> None:
    paths = []
    for name, content in CLAIMS.items():
        path = tmp_path / name.replace(" ", "-")
        path.write_bytes(content)
        paths.append(path)
    command = [sys.executable, "-c", LIMITED, *paths]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (run.returncode, run.stdout) == (0, ""), run.stdout + run.stderr


SLICE = """
import resource, sys, warnings
import linkstream as ls

warnings.simplefilter("ignore")
field = ls.open(sys.argv[1])[0]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert field.read((1 << 20, slice(2), 3), verify=False).shape == (2, 16, 4, 3, 3)
for t, slice_ in zip(range(100), field.slices(verify=False)):
    assert slice_.shape == field.shape[1:]
used = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10
assert used < 64, used
try:
    field.numpy(verify=False)
except MemoryError:
    print("no memory")
"""


def test_parts_of_a_field_that_exceeds_all_memory_are_read(tmp_path: pathlib.Path) -> None:
    # 2^21 time slices of 2.4 MB. Nothing is on the disk.
    dims = (16, 16, 16, 2**21)
    path = sparse(tmp_path / "sparse", dims, 576 * 2**33)
    run = subprocess.run([sys.executable, "-c", SLICE, path], capture_output=True, text=True, check=False, timeout=120)
    assert (run.returncode, run.stdout) == (0, "no memory\n"), run.stderr
