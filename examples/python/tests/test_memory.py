"""Fields are read into memory of the caller, which fits or is refused."""

from __future__ import annotations

import array
import pathlib
from typing import Any, Callable

import numpy as np
import pytest
from conftest import FIXTURES

import linkstream as ls

QIO = FIXTURES / "qio"


@pytest.fixture
def field(sample: pathlib.Path) -> ls.Field:
    """Links in single precision."""
    return ls.open(sample)[0]


@pytest.fixture
def whole(field: ls.Field) -> np.ndarray:
    return field.numpy()


@pytest.mark.parametrize(("dtype", "other"), [("c8", "c16"), ("c16", "c8")])
def test_the_other_precision_is_converted(dtype: str, other: str) -> None:
    precision = {"c8": "f", "c16": "d"}[dtype]
    field = ls.open(QIO / f"single/gauge_{precision}3_{'4x4x4x8' if precision == 'f' else '2x3x4x5'}.lime")[0]
    whole = field.numpy()
    assert whole.dtype == dtype
    assert np.array_equal(field.numpy(other), whole.astype(other))
    out = np.empty(field.shape, other)
    field.read_into(out)
    assert np.array_equal(out, whole.astype(other))
    memory = bytearray(out.nbytes)
    field.read_into(memory, other)
    assert memory == out.tobytes()
    assert field.verification == "verified"


def test_a_number_too_large_for_single_precision_is_an_error(tmp_path: pathlib.Path) -> None:
    source = (QIO / "single/real_d_2x3x4x5.lime").read_bytes()
    field = ls.open(source)[0]
    data = field.numpy().astype(">f8").tobytes()
    at = source.index(data)
    for number, expected in [(1e300, None), (np.inf, np.inf), (np.nan, np.nan), (3e38, np.float32(3e38))]:
        changed = ls.open(source[:at] + np.array(number, ">f8").tobytes() + source[at + 8 :], verify=False)[0]
        assert np.array_equal(changed.numpy().ravel()[:1], [number], equal_nan=True)
        if expected is None:
            with pytest.raises(OverflowError):
                changed.numpy("f4")
        else:
            assert np.array_equal(changed.numpy("f4").ravel()[:1], [expected], equal_nan=True)


@pytest.mark.parametrize(
    "memory",
    [
        lambda nbytes: bytearray(nbytes),
        lambda nbytes: memoryview(bytearray(nbytes)),
        lambda nbytes: memoryview(bytearray(nbytes)).cast("f"),
        lambda nbytes: array.array("d", bytes(nbytes)),
    ],
)
def test_buffers_are_filled(field: ls.Field, whole: np.ndarray, memory: Callable[[int], Any]) -> None:
    out = memory(field.nbytes)
    field.read_into(out)
    assert bytes(memoryview(out).cast("B")) == whole.tobytes()


def test_parts_of_arrays_are_filled_and_nothing_else(field: ls.Field, whole: np.ndarray) -> None:
    out = np.full((3, *field.shape), 7, "c8")
    field.read_into(out[1])
    assert np.array_equal(out[1], whole)
    assert (out[0] == 7).all() and (out[2] == 7).all()


def test_maps_and_subclasses_are_filled(field: ls.Field, whole: np.ndarray, tmp_path: pathlib.Path) -> None:
    mapped = np.memmap(tmp_path / "out", "c8", "w+", shape=field.shape)
    field.read_into(mapped)
    assert np.array_equal(mapped, whole)
    masked = np.ma.zeros(field.shape, "c8")
    field.read_into(masked)
    assert np.array_equal(masked.data, whole)
    one = ls.open(QIO / "single/dim2_5x7.lime")[0]
    matrix = np.zeros(one.shape, one.dtype).view(np.matrix)
    one.read_into(matrix)
    assert np.array_equal(np.asarray(matrix), one.numpy())


def read_only(out: np.ndarray) -> np.ndarray:
    out.flags.writeable = False
    return out


@pytest.mark.parametrize(
    ("out", "error"),
    [
        (lambda shape: np.zeros(shape[1:], "c8"), ValueError),
        (lambda shape: np.zeros(shape, "c8").reshape(-1), ValueError),
        (lambda shape: np.zeros((0,), "c8"), ValueError),
        (lambda shape: np.zeros(shape[::-1], "c8").T, ValueError),
        (lambda shape: np.zeros((2 * shape[0], *shape[1:]), "c8")[::2], ValueError),
        (lambda shape: np.zeros(shape, "c8")[::-1], ValueError),
        (lambda shape: np.broadcast_to(np.zeros(1, "c8"), shape), ValueError),
        (lambda shape: read_only(np.zeros(shape, "c8")), ValueError),
        (lambda shape: np.zeros(shape, ">c8"), TypeError),
        (lambda shape: np.zeros(shape, "f4"), TypeError),
        (lambda shape: np.zeros(shape, "i8"), TypeError),
        (lambda shape: np.zeros(shape, "O"), TypeError),
        (lambda shape: np.zeros(shape, "V8"), TypeError),
        (lambda shape: np.zeros(shape, "clongdouble"), TypeError),
        (lambda shape: np.zeros(shape, "M8[s]"), TypeError),
        (lambda shape: bytes(8 * int(np.prod(shape))), ValueError),
        (lambda shape: bytearray(8 * int(np.prod(shape)) - 8), ValueError),
        (lambda shape: bytearray(8 * int(np.prod(shape)) + 1), ValueError),
        (lambda shape: bytearray(), ValueError),
        (lambda shape: memoryview(bytearray(16 * int(np.prod(shape))))[::2], (ValueError, BufferError)),
        (lambda shape: None, TypeError),
        (lambda shape: "text", TypeError),
        (lambda shape: 7, TypeError),
        (lambda shape: [0] * 8, TypeError),
    ],
)
def test_other_memory_is_refused(field: ls.Field, out: Callable[[tuple[int, ...]], Any], error: Any) -> None:
    memory = out(field.shape)
    before = memory.tobytes() if isinstance(memory, np.ndarray) else memory
    with pytest.raises(error):
        field.read_into(memory)
    assert field.verification == "not read"
    if isinstance(memory, np.ndarray) and memory.dtype != "O":
        assert memory.tobytes() == before


@pytest.mark.parametrize("dtype", [">c8", "<c8", ">c16", "<c16"])
def test_both_byte_orders_are_read(field: ls.Field, whole: np.ndarray, dtype: str) -> None:
    read = field.numpy(dtype)
    assert read.dtype == np.dtype(dtype) and read.tobytes() == whole.astype(dtype).tobytes()
    assert field.verification == "verified"


def test_refused_types_are_named(field: ls.Field) -> None:
    with pytest.raises(TypeError, match="are converted to c8 or c16, not to c32"):
        field.numpy("c32")
    with pytest.raises(TypeError, match="complex64, which are not converted to float64"):
        field.numpy("f8")


@pytest.mark.parametrize("dtype", ["f4", "i4", "O", "S8", "V8", "clongdouble", "M8[s]"])
def test_other_types_are_refused(field: ls.Field, dtype: str) -> None:
    with pytest.raises(TypeError):
        field.numpy(dtype)
    with pytest.raises((TypeError, ValueError)):
        field.read_into(bytearray(field.nbytes), dtype)


def test_a_type_that_is_not_that_of_the_array_is_refused(field: ls.Field) -> None:
    with pytest.raises(TypeError, match="complex128"):
        field.read_into(np.zeros(field.shape, "c16"), "c8")
    with pytest.raises(TypeError):
        field.numpy("no type")


def test_an_array_with_a_copy_only(field: ls.Field, whole: np.ndarray) -> None:
    assert np.array_equal(np.asarray(field), whole)
    assert np.asarray(field, "c16").dtype == "c16"
    if np.lib.NumpyVersion(np.__version__) < "2.0.0":
        # There, it means: copy if it is necessary.
        assert np.array_equal(np.array(field, copy=False), whole)
        return
    with pytest.raises(ValueError, match="copy"):
        np.array(field, copy=False)


def test_other_libraries_take_a_field(field: ls.Field, whole: np.ndarray) -> None:
    if np.lib.NumpyVersion(np.__version__) >= "1.25.0":
        assert np.array_equal(np.from_dlpack(field), whole) and field.verification == "verified"
    assert field.__dlpack_device__() == (1, 0)


@pytest.mark.parametrize("name", ["single/gauge_d3_2x3x4x5.lime", "nersc/n3x3_d.nersc", "nersc/n3x3_f.nersc"])
def test_a_map_is_the_array_in_the_order_of_the_file(name: str) -> None:
    field = ls.open(QIO / name)[0]
    mapped = field.memmap()
    assert field.verification == "verified"
    assert isinstance(mapped, np.memmap) and not mapped.flags.writeable
    assert np.array_equal(mapped, field.numpy())


@pytest.mark.parametrize("name", ["multi/multi2.lime.vol0000", "nersc/n3x2_f.nersc"])
def test_what_is_not_in_one_place_has_no_map(name: str) -> None:
    with pytest.raises(ls.Error, match="mapped"):
        ls.open(QIO / name)[0].memmap()
    with pytest.raises(ls.Error, match="mapped"):
        ls.open((QIO / "single/gauge_d3_2x3x4x5.lime").read_bytes())[0].memmap()


def test_a_map_is_of_the_file_that_was_opened(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "links"
    path.write_bytes(sample.read_bytes())
    field = ls.open(path)[0]
    other = tmp_path / "other"
    other.write_bytes(sample.read_bytes())
    other.replace(path)
    with pytest.raises(ls.ChangedError):
        field.memmap()
