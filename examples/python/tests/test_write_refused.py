"""Misuse of the functions that write is an error with the name of the option, and warnings come before the file."""

from __future__ import annotations

import pathlib
import warnings
from typing import Any, Callable

import numpy as np
import pytest
from fields import GAUGE, LATTICE, numbers

import linkstream as ls

LINKS = GAUGE["su3gauge"]


class Hidden:
    """An object whose `__array__` returns a masked array, as the array of a library can."""

    def __init__(self, array: np.ndarray) -> None:
        self._array = np.ma.masked_array(array, mask=array.real > 0)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self._array


class HiddenInSlices(Hidden):
    """An array that is read in slices, which are such objects."""

    def __init__(self, array: np.ndarray) -> None:
        super().__init__(array)
        self.shape, self.dtype = array.shape, array.dtype

    def __getitem__(self, key: slice) -> Hidden:
        return Hidden(np.asarray(self._array[key]))


@pytest.mark.parametrize("hide", [Hidden, HiddenInSlices])
def test_hidden_masks_are_refused(tmp_path: pathlib.Path, hide: Callable[[np.ndarray], Any]) -> None:
    with pytest.raises(TypeError, match="masked"):
        ls.write(tmp_path / "no", hide(numbers(4, 3)))
    with pytest.raises(TypeError, match="masked"):
        ls.write_matrix(tmp_path / "no", hide(np.eye(3)))
    for kind, data in (("block", hide(np.eye(3))), ("array", hide(np.eye(3))), ("varray", [hide(np.eye(3))])):
        with pytest.raises(TypeError, match="masked"):
            ls.write_scda(tmp_path / "no", [(kind, "u", data)])
    assert list(tmp_path.iterdir()) == []


def test_masks_of_dask_and_xarray_are_refused(tmp_path: pathlib.Path) -> None:
    dask = pytest.importorskip("dask.array")
    xarray = pytest.importorskip("xarray")
    array = numbers(4, 3)
    masked = dask.from_array(np.ma.masked_array(array, mask=array.real > 0), chunks=-1)
    # A mask that appears only when the chunks are computed.
    late = dask.from_array(array).map_blocks(lambda block: np.ma.masked_array(block, mask=block.real > 0), meta=array[:0])
    dims = ("t", "z", "y", "x", "spin", "color")
    for which in (masked, late, xarray.DataArray(late, dims=dims)):
        with pytest.raises(TypeError, match="masked"):
            ls.write(tmp_path / "no", which)
    # xarray makes NaN of the masks that it sees.
    with pytest.raises(ls.DataError, match="NaN"):
        ls.write(tmp_path / "no", xarray.DataArray(masked, dims=dims))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"form": "ildg"}, "no logical file name"),
        ({"for_": "gpt"}, "no logical file name"),
        ({"form": "ildg", "lfn": "lfn://a/b", "checksum": False}, "no checksum"),
        ({"form": "ildg", "lfn": "lfn://a/b", "rows": "reduced"}, "these programs cannot read the file"),
    ],
)
def test_warnings_come_before_the_file_has_its_name(
    tmp_path: pathlib.Path, options: dict[str, Any], what: str
) -> None:
    path = tmp_path / "file"
    for before in (None, b"precious"):
        if before is not None:
            path.write_bytes(before)
        # Warnings are exceptions in these tests.
        with pytest.raises(ls.WriteWarning, match=what):
            ls.write(path, LINKS, replace=True, **options)
        assert (path.read_bytes() if path.exists() else None) == before
        assert len(list(tmp_path.iterdir())) == (before is not None)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ls.write(path, LINKS, replace=True, dims=("t", "z", "y", "x", "mu", "row", "column"), **options)
    assert [warning.filename for warning in caught] == [__file__] and what in str(caught[0].message)
    assert ls.open(path, verify=False)[0].shape == LINKS.shape or "rows" in options


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"set": True}, "set is a number of nodes"),
        ({"set": np.True_}, "set is a number of nodes"),
        ({"set": 2.0}, "set is a number of nodes, .* not 2.0"),
        ({"set": (2, 1.0, 1, 1)}, "each number of set is an integer, not 1.0"),
        ({"set": ls.Volumes(2, io=(True, 1, 1, 1))}, "each number of io is an integer"),
        ({"set": ls.Volumes(2, in_directories="yes")}, "in_directories is True or False"),  # type: ignore[arg-type]
        ({"replace": "no"}, "replace is True or False, not 'no'"),
        ({"unitary": 0}, "unitary is True or False, not 0"),
        ({"finite": None}, "finite is True or False"),
        ({"checksum": "yes"}, "checksum is True or False"),
        ({"lfn": 5}, "lfn is a text, not an object of type int"),
        ({"date": 20_261_126}, "date is a text"),
        ({"record_xml": b"<a/>"}, "record_xml is a text, not an object of type bytes"),
        ({"file_xml": 1}, "file_xml is a text"),
        ({"for_": 1}, "for_ is a text"),
        ({"kind": 3}, "kind is a text"),
        ({"dims": "tzyx"}, "dims is a tuple of names"),
        ({"dims": (1, 2)}, "dims is a tuple of names"),
        ({"rows": 2.0}, "rows is a text or an integer"),
        ({"rows": True}, "rows is a text or an integer"),
        ({"update": 1.5}, "update is a text or an integer"),
        ({"rows": "reduced", "tolerance": "small"}, "tolerance is a number"),
        ({"lattice": 4}, r"lattice has an integer for each axis, \(t, z, y, x\); not 4"),
        ({"lattice": (4.0, 2, 3, 5)}, "each number of lattice is an integer"),
        ({"form": "nersc", "header": ["A"]}, "header is a dictionary"),
        ({"form": "nersc", "header": {"A": 1.5}}, r"header\['A'\] is a text or an integer"),
        ({"form": "nersc", "header": {1: "A"}}, "keys of header"),
    ],
)
def test_options_of_other_types(tmp_path: pathlib.Path, options: dict[str, Any], match: str) -> None:
    with pytest.raises(TypeError, match=match):
        ls.write(tmp_path / "no", LINKS, **options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("tolerance", [float("nan"), float("inf"), -1e-6])
def test_tolerances_that_tolerate_everything(tmp_path: pathlib.Path, tolerance: float) -> None:
    with pytest.raises(ValueError, match="tolerance is a finite number that is not negative"):
        ls.write(tmp_path / "no", LINKS, rows="reduced", tolerance=tolerance)


def test_numbers_of_numpy_are_numbers(tmp_path: pathlib.Path) -> None:
    ls.write(tmp_path / "lat", LINKS, set=np.int64(2), replace=np.False_, lattice=np.array(LATTICE))
    header = {"SEQUENCE_NUMBER": np.int64(7)}
    ls.write(tmp_path / "archive", LINKS, form="nersc", rows=np.int64(2), header=header, tolerance=np.float64(1e-12))
    file = ls.open(tmp_path / "archive")
    assert file.header["SEQUENCE_NUMBER"] == "7" and ls.open(tmp_path / "lat").is_set


def test_a_direction_in_front_is_recognised(tmp_path: pathlib.Path) -> None:
    for options in ({"kind": "su3gauge"}, {}):
        with pytest.raises(ValueError, match=r"is mu the first axis\?"):
            ls.write(tmp_path / "no", np.moveaxis(LINKS, 4, 0), **options)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"vendor": 5}, "vendor is a text or bytes, not an object of type int"),
        ({"user": 5}, "user is a text or bytes, not an object of type int"),
        ({"user": np.zeros(5)}, "user is a text or bytes"),
        ({"mime": 1}, "mime is True or False"),
        ({"replace": 1}, "replace is True or False"),
        ({"compress": 3.7}, "compress is True, False, or a level from 0 to 9, not 3.7"),
        ({"compress": "yes"}, "compress is True, False, or a level"),
    ],
)
def test_options_of_scda_files(tmp_path: pathlib.Path, options: dict[str, Any], match: str) -> None:
    with pytest.raises(TypeError, match=match):
        ls.write_scda(tmp_path / "no", [("block", "u", b"bytes")], **options)
    assert list(tmp_path.iterdir()) == []


def test_texts_and_sizes_of_sections(tmp_path: pathlib.Path) -> None:
    for section, match in (
        (("block", 5, b"bytes"), "user is a text or bytes"),
        (("array", "u", b"bytes", True), "size is an integer"),
        (("array", "u", b"bytes", 2.5), "size is an integer"),
    ):
        with pytest.raises(TypeError, match=match):
            ls.write_scda(tmp_path / "no", [section])
    assert list(tmp_path.iterdir()) == []


def test_truth_values_of_numpy_compress_like_those_of_python(tmp_path: pathlib.Path) -> None:
    for value in (True, False):
        ls.write_scda(tmp_path / "python", [("block", "u", bytes(1000))], compress=value, replace=True)
        ls.write_scda(tmp_path / "numpy", [("block", "u", bytes(1000))], compress=np.bool_(value), replace=True)
        assert (tmp_path / "python").read_bytes() == (tmp_path / "numpy").read_bytes()


def test_an_array_of_a_section_is_fetched_once(tmp_path: pathlib.Path) -> None:
    class Counted:
        fetched = 0

        def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
            self.fetched += 1
            return np.arange(6.0).reshape(2, 3)

    array = Counted()
    ls.write_scda(tmp_path / "file", [("array", "u", array)])
    assert array.fetched == 1 and ls.open(tmp_path / "file").sections["u"].count == 2


def test_every_byte_but_zero_is_true(tmp_path: pathlib.Path) -> None:
    odd = np.array([[2, 0], [0, 255]], "u1").view(bool)
    ls.write_matrix(tmp_path / "file", odd)
    with pytest.warns(ls.UnverifiedWarning):
        matrix = ls.open(tmp_path / "file").matrix(verify="if possible")
    assert matrix.view("u1").tolist() == [[1, 0], [0, 1]]


def usqcd(plaquette: str, trace: str) -> str:
    return (
        f'<?xml version="1.0"?><usqcdInfo><version>1.0</version><plaq>{plaquette}</plaq>'
        f"<linktr>{trace}</linktr><info>mine</info></usqcdInfo>"
    )


@pytest.mark.parametrize("how", [{}, {"set": 2}])
def test_texts_that_check_would_call_wrong_are_refused(
    tmp_path: pathlib.Path, sample: pathlib.Path, how: dict[str, Any]
) -> None:
    links = ls.open(sample)[0].numpy()
    for options, words in (
        ({"record_xml": usqcd("0.1", "0.00151448")}, "records 0.1 as plaquette"),
        ({"record_xml": usqcd("0.59567090", "0.25")}, "records 0.25 as link trace"),
        ({"record_xml": "<a>"}, "scidac-record-xml is not well-formed"),
        ({"file_xml": "<a>"}, "scidac-file-xml is not well-formed"),
    ):
        with pytest.raises(ls.DataError, match=words):
            ls.write(tmp_path / "no", links, **options, **how)
        assert list(tmp_path.iterdir()) == []
    for text in ("beta < 6 & more", "<a/>", None):
        ls.write(tmp_path / "yes", links, record_xml=text, replace=True, **how)
        assert ls.check(tmp_path / "yes")["verdict"] == "ok"


@pytest.mark.parametrize("name", ["nonsense", "lat/0100", "lfn://", "a b", ""])
def test_logical_file_names_are_uris(tmp_path: pathlib.Path, name: str) -> None:
    with pytest.raises(ValueError, match="URI like lfn://|single string"):
        ls.write(tmp_path / "no", LINKS, lfn=name)
    assert list(tmp_path.iterdir()) == []


def test_the_name_of_a_type_must_not_contradict_the_numbers(tmp_path: pathlib.Path) -> None:
    for datatype, dtype in (("QDP_I_Int", "f8"), ("MINE_F_Things", "f8"), ("MINE_D_Things", "f4")):
        array = np.zeros(LATTICE, dtype)
        with pytest.raises(ValueError, match=f"the type {datatype} has numbers of the precision "):
            ls.write(tmp_path / "no", ls.NewField(array, kind="real", datatype=datatype))
    assert list(tmp_path.iterdir()) == []
    ls.write(tmp_path / "yes", ls.NewField(np.zeros(LATTICE), kind="real", datatype="MINE_D_Things"))
