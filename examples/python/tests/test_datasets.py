"""Datasets of xarray: what each file says is kept, and comes back into files."""

from __future__ import annotations

import io
import pathlib

import numpy as np
import pytest
from fields import GAUGE, LATTICE, numbers

import linkstream as ls

xr = pytest.importorskip("xarray")
pytest.importorskip("dask")

LINKS = GAUGE["su3gauge"]


@pytest.fixture
def pattern(tmp_path: pathlib.Path) -> str:
    for number, beta in enumerate((5.7, 5.8, 6.0)):
        text = f"<run><beta>{beta}</beta><name>r{number}</name></run>"
        ls.write(tmp_path / f"lat.{number}", LINKS * (-1) ** number, unitary=False, finite=True, update=10 * number,
                 lfn=f"lfn://a/{number}", record_xml=text, file_xml="<same/>")
    return str(tmp_path / "lat.*")


def test_configurations_keep_what_each_file_says(pattern: str) -> None:
    xml = {"beta": ".//beta", "name": "name", "none": ".//none"}
    ensemble = xr.open_mfdataset(
        pattern, engine="linkstream", concat_dim="cfg", combine="nested", chunks={}, xml=xml, coords="different",
        compat="equals",
    )
    assert ensemble.lfn.dims == ("cfg",) and list(ensemble.lfn.values) == [f"lfn://a/{n}" for n in range(3)]
    assert list(ensemble["update"].values) == [0, 10, 20]
    assert list(ensemble.beta.values) == [5.7, 5.8, 6.0] and list(ensemble["name"].values) == ["r0", "r1", "r2"]
    assert np.isnan(ensemble.none.values).all()
    # An entry about one file is no attribute of all.
    assert not {"lfn", "update", "record_xml", "suma"} & (set(ensemble.attrs) | set(ensemble.links.attrs))
    chosen = ensemble.where(ensemble["update"].compute() >= 10, drop=True)
    assert chosen.sizes["cfg"] == 2


def test_a_dataset_is_written(tmp_path: pathlib.Path, pattern: str) -> None:
    source = pattern.replace("*", "0")
    dataset = xr.open_dataset(source, engine="linkstream")
    ls.write(tmp_path / "copy", dataset)
    ls.write(tmp_path / "variable", dataset.links)
    for name in ("copy", "variable"):
        file = ls.open(tmp_path / name)
        assert np.array_equal(file[0].numpy(), LINKS)
        for key in ("lfn", "update", "record_xml", "file_xml"):
            if name == "copy" or key != "file_xml":
                assert file.attrs[key] == ls.open(source).attrs[key]
    several = xr.open_mfdataset(pattern, engine="linkstream", concat_dim="cfg", combine="nested", chunks={})
    with pytest.raises(ValueError, match="axes cfg, t, z, y, x"):
        ls.write(tmp_path / "several", several)
    ls.write(tmp_path / "one", several.isel(cfg=1), unitary=False)
    attrs = ls.open(tmp_path / "one").attrs
    assert (attrs["lfn"], attrs["update"]) == ("lfn://a/1", 10)


def test_fields_of_all_kinds_come_back(tmp_path: pathlib.Path) -> None:
    fields = [
        LINKS,
        ls.NewField(numbers(4, 3), kind="dirac_fermion"),
        ls.NewField(numbers(4, 3) + 1, kind="dirac_fermion"),
        ls.NewField(numbers(4, 4, 3, 3), kind="propagator"),
        ls.NewField(numbers(3, 3), kind="color_matrix"),
        ls.NewField(numbers(3), kind="color_vector"),
    ]
    ls.write(tmp_path / "source", fields)
    dataset = xr.open_dataset(tmp_path / "source", engine="linkstream")
    ls.write(tmp_path / "copy", dataset)
    for one, other in zip(ls.open(tmp_path / "source"), ls.open(tmp_path / "copy"), strict=True):
        assert one.dims == other.dims and np.array_equal(one.numpy(), other.numpy())


def test_attributes_are_ones_that_netcdf_has(tmp_path: pathlib.Path) -> None:
    ls.write(tmp_path / "real", ls.NewField(numbers(is_complex=False), kind="real"), record_xml="<a/>")
    ls.write(tmp_path / "part", ls.NewField(numbers(3)[1:2], kind="color_vector", lower=(1, 0, 0, 0)), lattice=LATTICE)
    for name in ("real", "part"):
        dataset = xr.open_dataset(tmp_path / name, engine="linkstream")
        values = [*dataset.attrs.values(), *(value for one in dataset.data_vars.values() for value in one.attrs.values())]
        for value in values:
            assert type(value) in (str, int, list), value
            assert type(value) is not list or all(type(number) is int for number in value)


def test_one_pass_is_enough_for_data_that_stay_the_same(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "lat"
    ls.write(path, LINKS)
    reads: list[int] = []

    class Counting(io.BytesIO):
        def read(self, count: int | None = -1) -> bytes:
            reads.append(count or 0)
            return super().read(count)

    field = ls.open(Counting(path.read_bytes()), verify="once")[0]
    line = field[:, 1, 2, 3, 3]
    assert np.array_equal(line, LINKS[:, 1, 2, 3, 3]) and field.verification == "verified"
    reads.clear()
    assert np.array_equal(field[:, 0, 1, 2, 0], LINKS[:, 0, 1, 2, 0])
    # Only the sites of the line.
    assert sum(reads) < LATTICE[0] * 576 * 2 and field.verification == "verified"
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    with pytest.raises(ls.ChecksumError):
        ls.open(damaged, verify="once")[0][0]
    # A file that has changed is another one.
    field = ls.open(path, verify="once")[0]
    assert field[0].size
    with path.open("ab") as file:
        file.write(b"x")
    with pytest.raises(ls.ChangedError):
        field[1]
