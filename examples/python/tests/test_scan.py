"""Tables of what files say, and ensembles of them."""

from __future__ import annotations

import os
import pathlib
import sys

import numpy as np
import pytest
from conftest import FIXTURES
from fields import GAUGE, LATTICE, numbers

import linkstream as ls

LINKS = GAUGE["su3gauge"]


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """Five files in an order that is not the one of their names, and a damaged one."""
    (tmp_path / "ens").mkdir()
    for number, update in enumerate((30, 10, 20)):
        text = f"<run><beta>{5.5 + update / 100}</beta></run>"
        ls.write(tmp_path / "ens" / f"lat.{number}", LINKS * np.exp(2j * np.pi / 3 * number), unitary=True, update=update,
                 lfn=f"lfn://a/{update}", record_xml=text)
    return tmp_path / "ens"


def test_a_table_has_a_row_for_each_file(folder: pathlib.Path) -> None:
    (folder / "lat.bad").write_bytes(b"no lattice at all")
    ls.write(folder / "set", numbers(4, 3), set=2)
    ls.write(folder / "z.nersc", LINKS, form="nersc", header={"ENSEMBLE_ID": "mine", "SEQUENCE_NUMBER": "5"})
    table = ls.scan(folder / "*", xml={"beta": ".//beta", "ensemble": "ENSEMBLE_ID"})
    names = [os.path.basename(name) for name in table["file"]]
    assert names == ["lat.0", "lat.1", "lat.2", "lat.bad", "set", "z.nersc"]
    assert table["update"] == [30, 10, 20, None, None, 5]
    assert table["beta"] == [5.8, 5.6, 5.7, None, None, None]
    assert table["ensemble"] == [None] * 5 + ["mine"]
    assert "unrecognised format" in table["error"][3] and table["error"][:3] == [None] * 3
    assert table["x"] == [5, 5, 5, None, 5, 5] and table["precision"] == [64, 64, 64, None, 64, 64]
    assert {len(column) for column in table.values()} == {6}
    assert [row["update"] for row in table.rows()] == table["update"]
    assert "verdict" not in table
    for workers in (1, 3):
        assert ls.scan(folder / "*", xml={"beta": "beta", "ensemble": "ENSEMBLE_ID"}, workers=workers) == table
    # Any sources.
    assert ls.scan([folder / "lat.1", (folder / "lat.2").read_bytes()])["update"] == [10, 20]
    assert ls.scan(str(folder / "none.*"))["file"] == [] and "No such file" in ls.scan(folder / "none")["error"][0]


def test_files_of_other_programs_are_named_and_not_wrong(folder: pathlib.Path) -> None:
    """As in the table of the program."""
    for number, content in (("3", b"qbd4" + bytes(3000)), ("4", b"File Type: MDP FIELD" + bytes(3000))):
        (folder / f"lat.{number}").write_bytes(content)
    table = ls.scan(folder / "lat.*", check=True)
    assert table["verdict"] == ["ok", "ok", "ok", "other", "other"]
    assert [text.split(": ")[1].split(",")[0] for text in table["error"][3:]] == ["this is FNAL", "this is MDP"]
    states = ls.scan(FIXTURES / "foreign" / "04-ckpoints" / "*", check=True)
    assert states["verdict"] == ["ok"] * 4


def test_a_directory_is_scanned(folder: pathlib.Path) -> None:
    (folder / "below").mkdir()
    ls.write(folder / "below" / "set", numbers(4, 3), set=2)
    table = ls.scan(folder)
    assert [os.path.relpath(name, folder) for name in table["file"]] == ["below/set", "lat.0", "lat.1", "lat.2"]
    assert repr(table).startswith("<linkstream.Table of 4 rows: file, bytes, ") and len(repr(table)) < 400
    assert repr(ls.scan(folder / "none.*")).startswith("<linkstream.Table of 0 rows: ")


def test_a_wrong_path_in_xml_is_an_error_of_the_call(folder: pathlib.Path) -> None:
    for path in ("[", ".//a[", ".//a[@b="):
        with pytest.raises(ValueError, match="is not a path such as"):
            ls.scan(folder / "*", xml={"beta": path})
    with pytest.raises(TypeError, match="a path for each name"):
        ls.scan(folder / "*", xml=["beta"])  # type: ignore[arg-type]
    text = "<run><p name='a b'>3</p></run>"
    ls.write(folder / "spaces", LINKS, record_xml=text)
    assert ls.scan(folder / "spaces", xml={"p": ".//p[@name='a b']"})["p"] == [3]


def test_files_are_checked_if_asked_for(folder: pathlib.Path) -> None:
    content = bytearray((folder / "lat.1").read_bytes())
    content[len(content) // 2] ^= 1
    (folder / "lat.1").write_bytes(content)
    table = ls.scan(folder / "lat.*", check=True)
    assert table["verdict"] == ["ok", "wrong", "ok"]
    reports = [ls.check(name)["fields"][0] for name in table["file"]]
    assert table["plaquette"] == [one.get("plaquette") for one in reports]
    with pytest.raises(ValueError, match="column 'update'"):
        ls.scan(folder / "*", xml={"update": ".//beta"})


def test_a_table_becomes_a_data_frame(folder: pathlib.Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = ls.scan(folder / "*", xml={"beta": ".//beta"}).to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame[frame["beta"] > 5.65]["update"].tolist() == [30, 20]


def columns_of_arrow(table: ls.Table) -> dict[str, list[object]]:
    """What a library without methods for this package gets."""
    nanoarrow = pytest.importorskip("nanoarrow")
    rows = nanoarrow.ArrayStream(table).read_all().to_pylist()
    return {name: [row[name] for row in rows] for name in table}


def test_a_table_is_arrow_data(folder: pathlib.Path) -> None:
    (folder / "lat.bad").write_bytes(b"no lattice at all")
    table = ls.scan(folder / "*", xml={"beta": ".//beta", "none": "none"}, check=True)
    found = columns_of_arrow(table)
    assert found == table and [type(value) for value in found["beta"]] == [float] * 3 + [type(None)]
    assert columns_of_arrow(ls.scan(folder / "none.*"))["file"] == []


def test_a_column_of_arrow_data_has_one_type() -> None:
    table = ls.Table({"a": [1, 2.5, None], "b": ["x", 1, 2.5], "c": [2**64 - 1, None, 3], "d": [1, 2, 3]})
    uniform = {"a": [1.0, 2.5, None], "b": ["x", "1", "2.5"], "c": ["18446744073709551615", None, "3"], "d": [1, 2, 3]}
    assert columns_of_arrow(table) == uniform and list(table.rows())[1]["b"] == 1
    pandas = pytest.importorskip("pandas")
    assert table.to_pandas().equals(pandas.DataFrame(uniform))
    polars = pytest.importorskip("polars")
    assert table.to_polars().to_dict(as_series=False) == uniform
    pytest.importorskip("pyarrow")
    assert table.to_arrow().to_pydict() == uniform and polars.from_arrow(table.to_arrow()).equals(table.to_polars())


@pytest.mark.parametrize("absent", ["", "nanoarrow"])
def test_a_table_is_taken_by_other_libraries(
    folder: pathlib.Path, absent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = ls.scan(folder / "*", xml={"beta": ".//beta"}, check=True)
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    if absent:
        # As if it were not installed.
        monkeypatch.setitem(sys.modules, absent, None)
    frame = table.to_polars()
    assert frame.columns == list(table) and frame["beta"].to_list() == table["beta"]
    assert frame.filter(polars.col("beta") > 5.65)["update"].to_list() == [30, 20]
    arrow = table.to_arrow()
    assert arrow.column_names == list(table) and arrow["plaquette"].to_pylist() == table["plaquette"]
    # Arrow C data: whoever takes them needs no method of this package.
    assert pyarrow.RecordBatchReader.from_stream(table).read_all() == arrow
    assert pyarrow.table(table) == arrow and polars.from_arrow(table).struct.unnest().equals(frame)
    empty = ls.scan(folder / "none.*")
    assert pyarrow.RecordBatchReader.from_stream(empty).read_all().num_rows == len(empty.to_polars()) == 0


def test_an_ensemble_is_selected_by_update(folder: pathlib.Path) -> None:
    xr = pytest.importorskip("xarray")
    pytest.importorskip("dask")
    ensemble = ls.open_ensemble(folder / "lat.*", xml={"beta": ".//beta"})
    assert ensemble["links"].dims == ("cfg", "t", "z", "y", "x", "mu", "row", "column")
    assert ensemble["update"].values.tolist() == [10, 20, 30] and ensemble["beta"].values.tolist() == [5.6, 5.7, 5.8]
    assert [os.path.basename(name) for name in ensemble["source"].values] == ["lat.1", "lat.2", "lat.0"]
    one = ensemble.sel(update=20)["links"]
    assert np.array_equal(one.values, ls.open(folder / "lat.2")[0].numpy())
    assert ensemble.sel(update=[10, 30]).sizes["cfg"] == 2
    # Coordinates that all files share have the axis as well.
    assert ensemble["lfn"].dims == ensemble["file_xml"].dims == ("cfg",)
    ls.write(folder / "copy", ensemble.sel(update=30))
    assert ls.open(folder / "copy").attrs["lfn"] == "lfn://a/30"
    with pytest.raises(FileNotFoundError):
        ls.open_ensemble(folder / "none*")
    zarr = pytest.importorskip("zarr")
    assert zarr.__version__
    ensemble.to_zarr(folder / "all.zarr", zarr_format=2)
    again = xr.open_zarr(folder / "all.zarr")
    assert np.array_equal(again["links"].values, ensemble["links"].values) and again.sizes["cfg"] == 3


def test_an_ensemble_without_numbers_keeps_its_order(folder: pathlib.Path) -> None:
    pytest.importorskip("xarray")
    pytest.importorskip("dask")
    for name in ("a", "b"):
        ls.write(folder / name, LINKS)
    ensemble = ls.open_ensemble([folder / "b", folder / "a"])
    assert [os.path.basename(name) for name in ensemble["source"].values] == ["b", "a"]
    assert ensemble["update"].values.tolist() == [-1, -1] and ensemble.sizes["t"] == LATTICE[0]


@pytest.mark.parametrize(("name", "number"), [("foreign/08-cl2qcd.ildg", 5), ("qio/alien/tmlqcd_style.lime", 1)])
def test_the_number_of_a_trajectory_is_the_update(name: str, number: int) -> None:
    """Where there is no record of ILDG with an update number, as in `linkstream table`."""
    assert ls.scan(FIXTURES / name)["update"] == [number]
    pytest.importorskip("xarray")
    pytest.importorskip("dask")
    assert ls.open_ensemble(FIXTURES / name)["update"].values.tolist() == [number]
