"""Arrays of every layout, byte order and library are written alike; what is no field is refused."""

from __future__ import annotations

import pathlib
import tracemalloc
from typing import Any

import numpy as np
import pytest
from fields import GAUGE, LATTICE, numbers

import linkstream as ls

LINKS = GAUGE["su3gauge"]


class OnlyArray:
    """An array of a library that only has `__array__`."""

    def __init__(self, array: np.ndarray) -> None:
        self._array = array

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self._array


class OnlyDlpack:
    """A tensor of a library, in the memory of a device: 1 is the host, 2 CUDA."""

    def __init__(self, array: np.ndarray, device: int = 1) -> None:
        self._array = array
        self._device = device

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device, 0

    def __dlpack__(self, **options: Any) -> Any:
        if self._device != 1 and options.get("dl_device") != (1, 0):
            raise BufferError("the memory is that of a device")
        return self._array.__dlpack__()


class Sliced:
    """An array that is not in memory: it is read in slices, which are counted."""

    def __init__(self, array: np.ndarray) -> None:
        self._array = array
        self.shape, self.dtype = array.shape, array.dtype
        self.slices: list[int] = []

    def __getitem__(self, key: slice) -> np.ndarray:
        part = self._array[key]
        self.slices.append(len(part))
        return part


def unaligned(array: np.ndarray) -> np.ndarray:
    memory = np.zeros(array.nbytes + 1, "u1")
    other = memory[1:].view(array.dtype).reshape(array.shape)
    other[...] = array
    return other


def strided(array: np.ndarray) -> np.ndarray:
    wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
    wide[..., ::2] = array
    return wide[..., ::2]


FORMS: dict[str, Any] = {
    "native": lambda array: array,
    "big-endian": lambda array: array.astype(array.dtype.newbyteorder(">")),
    "little-endian": lambda array: array.astype(array.dtype.newbyteorder("<")),
    "Fortran": np.asfortranarray,
    "big-endian Fortran": lambda array: np.asfortranarray(array.astype(array.dtype.newbyteorder(">"))),
    "transposed": lambda array: np.ascontiguousarray(array.transpose()).transpose(),
    "strided": strided,
    "reversed": lambda array: array[::-1, :, ::-1].copy()[::-1, :, ::-1],
    "unaligned": unaligned,
    "read-only": lambda array: np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape),
    "__array__": OnlyArray,
    "__dlpack__": OnlyDlpack,
    "slices": Sliced,
    "big-endian slices": lambda array: Sliced(array.astype(array.dtype.newbyteorder(">"))),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_layouts_and_libraries(tmp_path: pathlib.Path, form: str, dtype: str) -> None:
    array = LINKS.astype(dtype)
    for which, expected in ((array, "links"), (numbers(4, 3).astype(dtype), "fermion")):
        ls.write(tmp_path / expected, FORMS[form](which), date="today")
        ls.write(tmp_path / "native", which, date="today", replace=True)
        assert (tmp_path / expected).read_bytes() == (tmp_path / "native").read_bytes()
        assert np.array_equal(ls.open(tmp_path / expected)[0].numpy(), which)


def test_tensors_of_other_devices(tmp_path: pathlib.Path) -> None:
    array = numbers(4, 3)
    if np.lib.NumpyVersion(np.__version__) >= "2.1.0":
        ls.write(tmp_path / "copied", OnlyDlpack(array, device=2))
        assert np.array_equal(ls.open(tmp_path / "copied")[0].numpy(), array)

    class Stubborn(OnlyDlpack):
        def __dlpack__(self, **options: Any) -> Any:
            raise BufferError("no copy to the host")

    with pytest.raises(TypeError, match="not in the memory of the host: copy it there first"):
        ls.write(tmp_path / "no", Stubborn(array, device=2))
    assert not (tmp_path / "no").exists()


def test_fields_and_memory_maps_of_files(tmp_path: pathlib.Path, sample: pathlib.Path) -> None:
    field = ls.open(sample)[0]
    ls.write(tmp_path / "field", field)
    ls.write(tmp_path / "map", field.memmap())
    for name in ("field", "map"):
        assert ls.open(tmp_path / name)[0].numpy().tobytes() == field.numpy().tobytes()
    # A damaged file is not laundered.
    bytes_ = bytearray(sample.read_bytes())
    bytes_[100_000] ^= 1
    with pytest.raises(ls.ChecksumError):
        ls.write(tmp_path / "damaged", ls.open(bytes(bytes_))[0])
    assert not (tmp_path / "damaged").exists()


def test_arrays_of_dask_and_xarray(tmp_path: pathlib.Path) -> None:
    dask = pytest.importorskip("dask.array")
    xarray = pytest.importorskip("xarray")
    array = numbers(4, 3)
    ls.write(tmp_path / "dask", dask.from_array(array, chunks=(1, 2, 3, 5, 4, 3)))
    assert np.array_equal(ls.open(tmp_path / "dask")[0].numpy(), array)
    dims = ("t", "z", "y", "x", "spin", "color")
    named = xarray.DataArray(array, dims=dims)
    ls.write(tmp_path / "xarray", named)
    assert np.array_equal(ls.open(tmp_path / "xarray")[0].numpy(), array)
    with pytest.raises(ValueError, match="a field has the axes t, z, y, x, spin, color: transpose it"):
        ls.write(tmp_path / "no", named.transpose("spin", ...))


def test_arrays_that_are_not_in_memory_are_read_in_blocks(tmp_path: pathlib.Path) -> None:
    array = np.zeros((64, 16, 16, 16, 4, 3), "c16")
    array[...] = np.arange(64).reshape(64, 1, 1, 1, 1, 1)
    source = Sliced(array)
    tracemalloc.start()
    try:
        ls.write(tmp_path / "file", source)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sum(source.slices) == 64 and len(source.slices) > 2
    assert peak < array.nbytes / 8
    # The same for arrays in memory that must be converted.
    tracemalloc.start()
    try:
        ls.write(tmp_path / "big", array.astype(">c16"))
        before = array.nbytes
        assert tracemalloc.get_traced_memory()[1] < before + before / 8
    finally:
        tracemalloc.stop()


def test_a_source_that_changes_its_mind(tmp_path: pathlib.Path) -> None:
    class Short(Sliced):
        def __getitem__(self, key: slice) -> np.ndarray:
            return super().__getitem__(key)[:, :1]

    class Other(Sliced):
        def __getitem__(self, key: slice) -> np.ndarray:
            return super().__getitem__(key).real.copy()

    class Failing(Sliced):
        def __getitem__(self, key: slice) -> np.ndarray:
            raise ZeroDivisionError("the far file is gone")

    for source, error in ((Short, ValueError), (Other, ValueError), (Failing, ZeroDivisionError)):
        with pytest.raises(error, match=r"yields|is gone"):
            ls.write(tmp_path / "no", source(numbers(4, 3)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("array", "options", "error", "match"),
    [
        (LINKS.real, {"kind": "su3gauge"}, TypeError, "has complex numbers, but the array has real"),
        (LINKS, {"kind": "so3gauge"}, TypeError, "has real numbers, but the array has complex"),
        (LINKS, {"kind": "su2gauge"}, ValueError, "2 columns in each site, but the array has axes of 4, 3, 3"),
        (LINKS, {"kind": "propagator"}, ValueError, "spin, spin_source, color, color_source with 4 spins"),
        (LINKS, {"kind": "gauge"}, ValueError, "there is no kind gauge"),
        (LINKS[..., :1, :], {"kind": "su3gauge"}, ValueError, r"3 \(or 2\) rows"),
        (np.moveaxis(LINKS, 4, 0), {"kind": "su3gauge"}, ValueError, "the array has 5 links at each site"),
        (LINKS, {"dims": ("x", "y", "z", "t", "mu", "row", "column")}, ValueError, "transpose it"),
        (LINKS, {"dims": ("t", "z", "y", "x", "mu", "column", "row")}, ValueError, "transpose it"),
        (LINKS, {"dims": ("t", "z")}, ValueError, "7 axes, but there are 2 names"),
        (LINKS.astype("c16").view("f8"), {"kind": "su3gauge"}, ValueError, "axes of 4, 3, 6"),
        (LINKS[0], {}, ValueError, "give a kind"),
        (LINKS[0, 0], {}, ValueError, "give a kind"),
        (numbers(4, 3)[0], {}, ValueError, "give a kind"),
        (LINKS[0, 0, 0, 0, 0, 0], {}, ValueError, "fewer than those of the lattice"),
        (LINKS[:0], {}, ValueError, "1 to 2.32 - 1 sites, not 0"),
        (LINKS.real.astype("i4"), {}, TypeError, "int32 are not written as fields"),
        (LINKS.real.astype("f2"), {}, TypeError, "float16"),
        (LINKS.astype("clongdouble"), {}, TypeError, "are not written as fields"),
        (np.ma.masked_array(LINKS), {}, TypeError, "masked"),
        ("a text", {}, TypeError, "expected an array, not an object of type str"),
        ([], {}, ValueError, "no arrays"),
        ([LINKS, LINKS[:2]], {}, ValueError, "one lattice"),
    ],
)
def test_what_is_no_field_is_refused(
    tmp_path: pathlib.Path, array: Any, options: dict[str, Any], error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        ls.write(tmp_path / "no", array, **options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", ["both", "ildg", "scidac", "nersc"])
def test_links_that_are_not_unitary(tmp_path: pathlib.Path, form: Any) -> None:
    wrong = LINKS.copy()
    wrong[1, 1, 2, 3, 2] *= 1.01
    for array in (wrong, LINKS.byteswap(), LINKS.swapaxes(4, 5)[:, :, :, :, :, :3]):
        with pytest.raises((ls.DataError, ValueError)):
            ls.write(tmp_path / "no", array, form=form)
        assert list(tmp_path.iterdir()) == []
    if form != "nersc":
        lfn = "lfn://a/b" if form == "ildg" else None
        ls.write(tmp_path / "yes", wrong, form=form, lfn=lfn, unitary=False)
        assert np.array_equal(ls.open(tmp_path / "yes")[0].numpy(), wrong)


def test_numbers_that_are_not_finite(tmp_path: pathlib.Path) -> None:
    for number in (np.nan, np.inf, -np.inf):
        array = numbers(4, 3)
        array[2, 1, 2, 3, 1, 1] = number
        with pytest.raises(ls.DataError, match="in field 0, .* infinite or NaN: finite=False"):
            ls.write(tmp_path / "no", array)
        assert list(tmp_path.iterdir()) == []
        ls.write(tmp_path / "yes", array, finite=False, replace=True)
        assert ls.open(tmp_path / "yes")[0].numpy().tobytes() == array.tobytes()
        (tmp_path / "yes").unlink()


def test_numbers_that_single_precision_cannot_hold(tmp_path: pathlib.Path) -> None:
    array = numbers(4, 3)
    array[2, 1, 2, 3, 1, 1] = 1e39
    with pytest.raises(ls.DataError, match="more than single precision can"):
        ls.write(tmp_path / "no", array, precision=32)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"form": "other"}, "form is one of both, ildg, scidac, nersc"),
        ({"form": "ildg", "file_xml": "<a/>"}, "file_xml: without SciDAC documents"),
        ({"form": "ildg", "record_xml": "<a/>"}, "record_xml: without SciDAC documents"),
        ({"form": "ildg", "date": "today"}, "date: without SciDAC documents"),
        ({"form": "scidac", "lfn": "lfn://a/b"}, "lfn: only ILDG files"),
        ({"form": "scidac", "update": 3}, "update: only ILDG files"),
        ({"form": "nersc", "lfn": "lfn://a/b"}, "lfn: a NERSC archive has no place"),
        ({"header": {"A": "b"}}, "header: for form='nersc'"),
        ({"byte_order": "little"}, "byte_order: for form='nersc'"),
        ({"form": "nersc", "byte_order": "middle"}, "byte_order is 'big' or 'little'"),
        ({"tolerance": 1e-3}, "tolerance: for rows that are left out"),
        ({"rows": "some"}, "rows: expected full, reduced or a number"),
        ({"rows": 1}, "3 rows or 2, not 1"),
        ({"precision": 16}, "precision is 32 or 64"),
        ({"precision": "i4"}, "precision is 32 or 64"),
        ({"lfn": "no name"}, "name"),
        ({"update": -3}, "digits"),
        ({"for_": "nobody"}, "for_ is \"nobody\", which is not one of any, qio"),
        ({"for_": "gpt", "form": "scidac"}, "leave out form and set"),
        ({"for_": "gpt", "set": 2}, "leave out form and set"),
        ({"for_": "gpt", "rows": "reduced"}, "for_ writes all rows"),
        ({"for_": "gpt", "record_xml": "<a/>"}, "without SciDAC documents"),
        ({"set": 2, "form": "ildg"}, "volumes have SciDAC documents"),
        ({"set": 2, "rows": "reduced"}, "only a single file"),
        ({"lattice": (4, 2, 3, 6)}, "one lattice"),
        ({"lattice": (0, 2, 3, 6)}, "at least one site"),
    ],
)
def test_impossible_wishes_are_refused(tmp_path: pathlib.Path, options: dict[str, Any], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        ls.write(tmp_path / "no", LINKS, **options)
    assert list(tmp_path.iterdir()) == []


def test_paths(tmp_path: pathlib.Path) -> None:
    array = numbers(3)
    ls.write(str(tmp_path / "text"), array, kind="color_vector")
    ls.write(bytes(tmp_path / "bytes"), array, kind="color_vector")
    with pytest.raises(TypeError, match="a file is written to a path"):
        ls.write(7, array)
    with pytest.raises(ValueError, match="is a URL"):
        ls.write("s3://bucket/file", array)
    assert array.shape == (*LATTICE, 3)
