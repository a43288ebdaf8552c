"""What is written is what `open` reads, in every form, for every kind, in both precisions."""

from __future__ import annotations

import pathlib
import warnings
from typing import Any

import numpy as np
import pytest
from fields import GAUGE, ITEMS, LATTICE, numbers, single, unitary

import linkstream as ls

FORMS = ("both", "ildg", "scidac")


def same(path: pathlib.Path, array: np.ndarray, index: int = 0) -> ls.Field:
    """The field of a file, which has exactly this array, verified."""
    assert ls.check(path, observables=False)["verdict"] == "ok"
    field = ls.open(path)[index]
    read = field.numpy()
    assert (read.shape, read.dtype) == (array.shape, array.dtype)
    assert read.tobytes() == np.ascontiguousarray(array).tobytes()
    return field


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", GAUGE)
def test_gauge_fields(tmp_path: pathlib.Path, kind: str, form: Any) -> None:
    lfn = "lfn://a/b" if form == "ildg" else None
    for array in (GAUGE[kind], single(GAUGE[kind])):
        path = tmp_path / array.dtype.str[1:]
        ls.write(path, array, kind=kind, form=form, lfn=lfn)
        # SciDAC documents alone do not say that real numbers are matrices.
        is_flat = form == "scidac" and array.dtype.kind == "f"
        field = same(path, array.reshape(*LATTICE, 4, -1).squeeze(-1 if array.size == 480 else ()) if is_flat else array)
        if not is_flat:
            assert field.dims == ("t", "z", "y", "x", "mu", "row", "column")
            assert field.attrs["is_gauge_field"]
        if form != "scidac":
            assert f"<field>{kind}</field>" in ls.open(path).texts("ildg-format")[0]
        if is_flat:
            continue
        # The other precision.
        other = array.astype({"f4": "f8", "f8": "f4", "c8": "c16", "c16": "c8"}[array.dtype.str[1:]])
        ls.write(path, array, kind=kind, form=form, lfn=lfn, precision=other.dtype, replace=True)
        same(path, other)


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("rows", ["full", "reduced"])
@pytest.mark.parametrize("byte_order", ["big", "little"])
def test_archives(tmp_path: pathlib.Path, dtype: str, rows: str, byte_order: str) -> None:
    links = GAUGE["su3gauge"].astype(dtype)
    path = tmp_path / "lat.nersc"
    header = {"ENSEMBLE_ID": "mine", "SEQUENCE_NUMBER": "7"}
    ls.write(path, links, form="nersc", rows=rows, byte_order=byte_order, header=header)
    file = ls.open(path)
    assert file.format == "nersc" and ls.check(path)["verdict"] == "ok"
    assert (file.header["ENSEMBLE_ID"], file.header["SEQUENCE_NUMBER"]) == ("mine", "7")
    read = file[0].numpy()
    assert read.dtype == dtype
    assert np.array_equal(read[..., :2, :], links[..., :2, :])
    assert np.allclose(read, links, rtol=0, atol=1e-6 if dtype == "c8" else 1e-14)


@pytest.mark.parametrize("colors", [2, 4, 5])
@pytest.mark.parametrize("rows", ["full", "reduced", "number"])
def test_archives_of_other_groups(tmp_path: pathlib.Path, colors: int, rows: str) -> None:
    """Links of SU(N), with all rows and without the last one."""
    links = unitary(colors)
    path = tmp_path / "lat.nersc"
    ls.write(path, links, kind=f"su{colors}gauge", form="nersc", rows=colors - 1 if rows == "number" else rows)
    name = f"4D_SU{colors}_GAUGE" + (f"_{colors}x{colors}" if rows == "full" else "")
    assert ls.open(path).header["DATATYPE"] == name
    report = ls.check(path)
    assert report["verdict"] == "ok" and report["fields"][0]["plaquette"] is not None
    assert np.allclose(ls.open(path)[0].numpy(), links, rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match="rows|stored"):
        ls.write(tmp_path / "other", links, kind=f"su{colors}gauge", form="nersc", rows=colors + 1)


@pytest.mark.parametrize("kind", ITEMS)
def test_other_fields(tmp_path: pathlib.Path, kind: str) -> None:
    inside, is_complex = ITEMS[kind]
    # One item at each site, and two.
    for several in ((), (2,)):
        array = numbers(*several, *inside, is_complex=is_complex)
        for which in (array, single(array)):
            path = tmp_path / f"{len(several)} {which.dtype}"
            ls.write(path, which, kind=kind)
            field = same(path, which)
            assert ("item" in field.dims) == bool(several)
            assert not field.attrs["is_gauge_field"]


def test_kinds_follow_from_axes_that_have_one_meaning(tmp_path: pathlib.Path) -> None:
    for inside, word in [((4, 3), "DiracFermion"), ((4, 4, 3, 3), "DiracPropagator")]:
        ls.write(tmp_path / word, numbers(*inside))
        assert ls.open(tmp_path / word)[0].attrs["datatype"].endswith(f"_{word}")
    # A time slice of a fermion looks like a color vector on another lattice.
    for ambiguous in (numbers(3), numbers(), numbers(5), numbers(2, 2), numbers(3, is_complex=False), numbers(4, 3)[0]):
        with pytest.raises(ValueError, match="give a kind"):
            ls.write(tmp_path / "ambiguous", ambiguous)
    # With names there is no doubt.
    ls.write(tmp_path / "vector", numbers(3), dims=("t", "z", "y", "x", "color"))
    assert ls.open(tmp_path / "vector")[0].attrs["datatype"] == "USQCD_D3_ColorVector"


def test_any_axes_of_numbers_become_one(tmp_path: pathlib.Path) -> None:
    array = numbers(2, 3, is_complex=False)
    ls.write(tmp_path / "file", array, kind="real")
    same(tmp_path / "file", array.reshape(*LATTICE, 6))


def test_other_dimensions_have_names(tmp_path: pathlib.Path) -> None:
    plane = numbers(4, 3, lattice=(6, 5))
    ls.write(tmp_path / "plane", plane, dims=("y", "x", "spin", "color"))
    assert same(tmp_path / "plane", plane).dims == ("y", "x", "spin", "color")
    five = numbers(lattice=(2, 3, 2, 3, 4))
    ls.write(tmp_path / "five", five, dims=("x4", "t", "z", "y", "x"))
    assert same(tmp_path / "five", five).dims == ("x4", "t", "z", "y", "x")


def test_several_fields_with_their_own_texts(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "file"
    fields = [
        ls.NewField(GAUGE["su3gauge"], record_xml="<mine>1</mine>"),
        ls.NewField(numbers(4, 3), kind="dirac_fermion", datatype="QDP_D3_DiracFermion"),
        ls.NewField(single(numbers(3)), kind="color_vector"),
    ]
    ls.write(path, fields, lfn="lfn://a/b", file_xml="<file/>", record_xml="<all/>", date="today")
    for index, array in enumerate([GAUGE["su3gauge"], numbers(4, 3), single(numbers(3))]):
        same(path, array, index)
    file = ls.open(path)
    assert file.texts("scidac-record-xml") == ["<mine>1</mine>", "<all/>", "<all/>"]
    assert (file.attrs["lfn"], file.attrs["file_xml"]) == ("lfn://a/b", "<file/>")
    assert file[1].attrs["datatype"] == "QDP_D3_DiracFermion"
    assert all("<date>today</date>" in text for text in file.texts("scidac-private-record-xml"))


def test_update_numbers(tmp_path: pathlib.Path) -> None:
    links = GAUGE["su3gauge"]
    fields = [ls.NewField(links, update="7"), ls.NewField(single(links), update="8")]
    ls.write(tmp_path / "two", fields, form="ildg", lfn="lfn://a/b")
    assert ls.open(tmp_path / "two").texts("ildg-format-update") in ([], ["7", "8"])
    assert len(ls.open(tmp_path / "two")) == 2
    with pytest.raises(ValueError, match="digit"):
        ls.write(tmp_path / "wrong", links, update="x")


def test_global_data(tmp_path: pathlib.Path) -> None:
    values = np.array([1.5, -2.0, 4.0])
    path = tmp_path / "file"
    ls.write(path, [GAUGE["su3gauge"], ls.NewField(values, kind="real", is_global=True)])
    field = same(path, values, 1)
    assert (field.lattice, field.attrs["region"]) == ((), "global")
    with pytest.raises(ValueError, match="give the lattice"):
        ls.write(tmp_path / "alone", ls.NewField(values, is_global=True))
    ls.write(tmp_path / "alone", ls.NewField(values, kind="real", is_global=True), lattice=LATTICE)
    assert same(tmp_path / "alone", values).attrs["lattice"] == LATTICE


def test_hypercubes(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "source"
    slice_ = numbers(4, 3)[1:2, :, 1:]
    ls.write(path, ls.NewField(slice_, lower=(1, 0, 1, 0)), lattice=LATTICE)
    field = same(path, slice_)
    assert field.attrs["lower"] == (1, 0, 1, 0)
    assert field.attrs["upper"] == (1, 1, 2, 4)
    for lower in ((4, 0, 0, 0), (1, 0, 2, 0), (1, 0)):
        with pytest.raises(ValueError, match="hypercube"):
            ls.write(tmp_path / "outside", ls.NewField(slice_, lower=lower), lattice=LATTICE)
    with pytest.raises(ValueError, match="whole lattice"):
        ls.write(tmp_path / "links", ls.NewField(GAUGE["su3gauge"], lower=(0, 0, 0, 0)), lattice=LATTICE)


@pytest.mark.parametrize("which", [2, (2, 1, 1, 1), (2, 2, 1, 5), ls.Volumes((2, 2, 1, 1), io=(2, 1, 1, 1))])
@pytest.mark.parametrize("form", ["both", "scidac"])
def test_file_sets(tmp_path: pathlib.Path, which: Any, form: Any) -> None:
    name = tmp_path / "lat"
    fields = [GAUGE["su3gauge"], numbers(4, 3)]
    ls.write(name, fields, set=which, form=form)
    assert len(list(tmp_path.iterdir())) == (np.prod(which) if type(which) is tuple else 2)
    assert ls.open(name).is_set
    for index, array in enumerate(fields):
        same(name, array, index)


def test_volumes_in_directories(tmp_path: pathlib.Path) -> None:
    ls.write(tmp_path / "lat", GAUGE["su3gauge"], set=ls.Volumes(4, in_directories=True))
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"vol000{number}" for number in range(4)]
    volumes = sorted(tmp_path.glob("vol*/lat"))
    assert np.array_equal(ls.open(volumes)[0].numpy(), GAUGE["su3gauge"])
    with pytest.raises(ValueError, match="t has 4 sites, which 3 nodes cannot share evenly"):
        ls.write(tmp_path / "three", GAUGE["su3gauge"], set=3)
    with pytest.raises(FileExistsError):
        ls.write(tmp_path / "lat", GAUGE["su3gauge"], set=ls.Volumes(4, in_directories=True))


def test_rows(tmp_path: pathlib.Path) -> None:
    for kind, rows in (("su3gauge", 2), ("su2gauge", 1), ("sp4gauge", 2)):
        links = GAUGE[kind]
        path = tmp_path / kind
        for form in ("ildg", "both"):
            with pytest.warns(ls.WriteWarning, match="these programs cannot read the file"):
                ls.write(path, links, kind=kind, form=form, lfn="lfn://a/b", rows="reduced", replace=True)
            same(path, links[..., :rows, :])
        # The array has them already.
        ls.write(path, links[..., :rows, :].copy(), kind=kind, form="ildg", lfn="lfn://a/b", replace=True)
        same(path, links[..., :rows, :])
        # And they are computed from it.
        ls.write(path, links[..., :rows, :].copy(), kind=kind, rows="full", replace=True)
        assert np.allclose(ls.open(path)[0].numpy(), links, rtol=0, atol=1e-13)
    wrong = links.copy()
    with pytest.raises(ValueError, match="cannot record that rows are omitted"):
        ls.write(tmp_path / "no", GAUGE["su3gauge"], rows="reduced", form="scidac")
    wrong = GAUGE["su3gauge"].copy()
    wrong[3, 1, 2, 4, 1, 2] *= -1
    with pytest.raises(ls.DataError, match=r"x=4 y=2 z=1 t=3 in direction y needs all its rows"):
        ls.write(tmp_path / "no", wrong, rows="reduced", form="ildg")
    assert not (tmp_path / "no").exists()


def test_directions_with_a_single_site(tmp_path: pathlib.Path) -> None:
    links = unitary(3, (4, 1, 3, 5, 4))
    ls.write(tmp_path / "both", links)
    same(tmp_path / "both", links)
    with pytest.raises(ValueError, match="4 links at each site, but the file has 3: ILDG 1.2 has none"):
        ls.write(tmp_path / "ildg", links, form="ildg")
    ls.write(tmp_path / "ildg", links[:, :, :, :, [0, 1, 3]], form="ildg", kind="su3gauge", lfn="lfn://a/b")
    same(tmp_path / "ildg", links[:, :, :, :, [0, 1, 3]])


def test_a_file_without_a_checksum(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "file"
    with pytest.warns(ls.WriteWarning, match="the file has no checksum"):
        ls.write(path, GAUGE["su3gauge"], form="ildg", lfn="lfn://a/b", checksum=False)
    with pytest.raises(ls.UnverifiedError):
        ls.open(path)[0].numpy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ls.UnverifiedWarning)
        assert np.array_equal(ls.open(path, verify=False)[0].numpy(), GAUGE["su3gauge"])
    for form in ("both", "scidac", "nersc"):
        with pytest.raises(ValueError, match="checksum"):
            ls.write(tmp_path / "no", GAUGE["su3gauge"], form=form, checksum=False)
    with pytest.raises(ValueError, match="checksum"):
        ls.write(tmp_path / "no", GAUGE["su3gauge"], for_="gpt", checksum=False)
