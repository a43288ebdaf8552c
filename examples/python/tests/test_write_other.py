"""Matrices and scda files are read as they were written."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

import linkstream as ls


# Matrices, and elements that are not compressed, have no checksum.
pytestmark = pytest.mark.filterwarnings("ignore::linkstream.UnverifiedWarning")


@pytest.mark.parametrize("dtype", ["?", "i8", "f8", "c16"])
@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (0, 4), (4, 0), (300, 301)])
def test_matrices(tmp_path: pathlib.Path, dtype: str, shape: tuple[int, int]) -> None:
    random = np.random.default_rng(1).integers(-1000, 1000, (2, *shape))
    array = (random[0] + (1j * random[1] if dtype == "c16" else 0)).astype(dtype)
    if dtype == "?":
        array = random[0] > 0
    for place, which in enumerate(
        [array, np.asfortranarray(array), array.astype(array.dtype.newbyteorder(">")), array[::-1, ::-1]]
    ):
        path = tmp_path / str(place)
        ls.write_matrix(path, which)
        assert ls.check(path)["verdict"] == "unverified"
        read = ls.open(path, verify="if possible").matrix()
        assert read.dtype == dtype and read.shape == shape
        assert read.tobytes() == np.ascontiguousarray(which).astype(dtype).tobytes()


def test_numbers_of_matrices_keep_their_bits(tmp_path: pathlib.Path) -> None:
    special = np.array([[np.nan, -np.nan, np.inf, -0.0, 5e-324]])
    ls.write_matrix(tmp_path / "file", special)
    assert ls.open(tmp_path / "file", verify="if possible").matrix().tobytes() == special.tobytes()


def test_any_byte_but_zero_is_true(tmp_path: pathlib.Path) -> None:
    array = np.array([[2, 0, 255], [0, 128, 1]], "u1").view("?")
    ls.write_matrix(tmp_path / "file", array)
    read = ls.open(tmp_path / "file", verify=False).matrix()
    assert read.view("u1").tolist() == [[1, 0, 1], [0, 1, 1]]


@pytest.mark.parametrize(
    ("array", "error", "match"),
    [
        (np.zeros(3), ValueError, r"two axes, rows and columns; the array has the shape \(3,\)"),
        (np.zeros((2, 2, 2)), ValueError, "two axes"),
        (np.zeros((2, 2), "i4"), TypeError, "not int32: convert"),
        (np.zeros((2, 2), "f4"), TypeError, "not float32"),
        (np.zeros((2, 2), "u8"), TypeError, "not uint64"),
        (np.zeros((2, 2), object), TypeError, "not object"),
        (np.ma.masked_array(np.zeros((2, 2))), TypeError, "masked"),
        ([[1.0]], TypeError, "expected an array"),
    ],
)
def test_what_is_no_matrix(tmp_path: pathlib.Path, array: Any, error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        ls.write_matrix(tmp_path / "no", array)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("compress", [False, True, 1])
@pytest.mark.parametrize("mime", [False, True])
def test_sections(tmp_path: pathlib.Path, compress: bool | int, mime: bool) -> None:
    numbers = np.arange(30_000.0).reshape(100, 300)
    sections: list[Any] = [
        ("inline", "text", b"thirty-two bytes of data, exact\n"),
        ("block", "block", numbers),
        ("block", b"\xff\x00", b"bytes"),
        ("array", "rows", numbers),
        ("array", "big-endian columns", numbers.T.astype(">f8")),
        ls.NewSection("array", "bytes", numbers.tobytes(), size=16),
        ("array", "none", np.zeros((0, 3), "f4")),
        ("array", "empty", np.zeros((7, 0), "f4")),
        ("varray", "ragged", [numbers[: n % 5, :n] for n in range(20)]),
        ("varray", "no elements", []),
        ls.NewSection("block", "plain", numbers, compress=False),
    ]
    path = tmp_path / "file"
    ls.write_scda(path, sections, user="a test", compress=compress, mime=mime)
    assert ls.check(path)["verdict"] in ("ok", "unverified")
    header, *read = ls.open(path, verify="if possible").sections
    assert header.user == "a test" and len(read) == len(sections)
    for section, (kind, user, data, *_) in zip(read, sections):
        assert (section.type, section._raw.user) == (kind, user.encode() if isinstance(user, str) else user)
        expected = [data] if kind != "varray" else data
        expected = [part if isinstance(part, bytes) else part.tobytes() for part in expected]
        assert section.read() == b"".join(expected)
        assert section.is_compressed == (bool(compress) and kind != "inline" and user != "plain")
        if kind == "varray":
            assert section.sizes.tolist() == list(map(len, expected))
    named = {section.user: section for section in read}
    assert np.array_equal(named["rows"].numpy("f8"), numbers)
    assert np.array_equal(named["big-endian columns"].numpy(">f8"), numbers.T)
    assert (named["bytes"].count, named["none"].count, named["empty"].count) == (15_000, 0, 7)


@pytest.mark.parametrize(
    ("section", "error", "match"),
    [
        (("inline", "u", b"short"), ValueError, "an inline section has 32 bytes"),
        (("table", "u", b""), ValueError, "a section is one of inline, block, array, varray, not 'table'"),
        (("array", "u", b"bytes"), ValueError, "needs the size of an element"),
        (("array", "u", b"bytes", 2), ValueError, "5 bytes are no elements of 2 bytes"),
        (("array", "u", b"bytes", 0), ValueError, "no elements of 0 bytes"),
        (("array", "u", np.float64(3)), ValueError, "without axes"),
        (("block", "u", b"bytes", 5), ValueError, "size is for the elements of an array"),
        (("block", "u", "text"), TypeError, "encode the text"),
        (("block", "u", [1, 2]), TypeError, "expected an array"),
        (("block", "u", np.zeros(2, object)), TypeError, "Python objects"),
        (("block", "u", b"", None, 10), ValueError, "0 to 9, not 10"),
        (("varray", "u", b"bytes"), TypeError, "list of its elements"),
        (("block", "u" * 59, b""), ValueError, "58"),
    ],
)
def test_what_is_no_section(
    tmp_path: pathlib.Path, section: tuple[Any, ...], error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        ls.write_scda(tmp_path / "no", [("block", "before", b"bytes"), section])
    assert list(tmp_path.iterdir()) == []


def test_texts_of_the_header(tmp_path: pathlib.Path) -> None:
    for texts in ({"vendor": "x" * 21}, {"user": "x" * 59}):
        with pytest.raises(ValueError, match="bytes"):
            ls.write_scda(tmp_path / "no", [], **texts)
    ls.write_scda(tmp_path / "empty", [], vendor="mine", user="nothing")
    assert [section.user for section in ls.open(tmp_path / "empty").sections] == ["nothing"]
