"""The engine of xarray, with Dask in threads and processes."""

from __future__ import annotations

import concurrent.futures
import io
import multiprocessing
import os
import pathlib
import pickle
import warnings

import numpy as np
import pytest
from conftest import FIXTURES
from fields import GAUGE, numbers
from lattices import random_links, write
from servers import Server

import linkstream as ls

fsspec = pytest.importorskip("fsspec")
xr = pytest.importorskip("xarray")
dask = pytest.importorskip("dask")
pytest.importorskip("aiohttp")

from linkstream.xarray import LinkstreamBackend  # noqa: E402

QIO = FIXTURES / "qio"
LATTICE = (4, 4, 4, 6)


@pytest.fixture
def links() -> np.ndarray:
    return random_links(LATTICE)


@pytest.fixture
def path(links: np.ndarray, tmp_path: pathlib.Path) -> pathlib.Path:
    write(tmp_path / "lat.lime", LATTICE, links)
    return tmp_path / "lat.lime"


@pytest.fixture
def ensemble(tmp_path: pathlib.Path) -> tuple[str, np.ndarray]:
    """The pattern and the links of three configurations."""
    links = np.stack([random_links(LATTICE, seed) for seed in range(3)])
    for number, of_one in enumerate(links):
        write(tmp_path / f"lat.{number}.lime", LATTICE, of_one)
    return str(tmp_path / "lat.*.lime"), links


def test_a_dataset_has_the_fields_of_a_file(path: pathlib.Path, links: np.ndarray) -> None:
    dataset = xr.open_dataset(path, engine="linkstream")
    assert dataset.links.dims == ("t", "z", "y", "x", "mu", "row", "column")
    assert dataset.links.dtype == np.dtype("c16") and dataset.links.dtype.isnative
    assert dataset.links.attrs["datatype"] == "USQCD_D3_ColorMatrix"
    assert dataset.attrs["format"] == "lime"
    assert dataset.encoding["source"] == str(path)
    # Checksums of one file would be wrong for what is made of several.
    assert "suma" not in dataset.links.attrs
    np.testing.assert_array_equal(dataset.links.values, links)


def test_the_format_is_recognised_by_content(path: pathlib.Path, links: np.ndarray, tmp_path: pathlib.Path) -> None:
    guess = LinkstreamBackend().guess_can_open
    np.testing.assert_array_equal(xr.open_dataset(path).links.values, links)
    for known in (path, str(path), path.read_bytes(), io.BytesIO(path.read_bytes()), QIO / "nersc" / "n3x3_f.nersc"):
        assert guess(known)
    with open(path, "rb") as file:
        file.seek(5)
        assert guess(file)
        assert file.tell() == 5
    (tmp_path / "lat.ildg").write_bytes(b"no lattice")
    os.mkfifo(tmp_path / "pipe")
    scda = next(path for path in sorted((FIXTURES / "scda").iterdir()) if path.read_bytes()[:5] == b"scdat")
    for other in (tmp_path / "lat.ildg", tmp_path / "pipe", tmp_path, tmp_path / "none", scda, b"", 5, "https://none/a.lime"):
        assert not guess(other)


@pytest.mark.parametrize("verify", [True, False])
def test_all_kinds_of_indices(path: pathlib.Path, links: np.ndarray, verify: bool) -> None:
    lazy = xr.open_dataset(path, engine="linkstream", verify=verify).links
    loaded = xr.DataArray(links, dims=lazy.dims)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ls.UnverifiedWarning)
        for key in (
            {"t": 3},
            {"t": -1, "z": -2, "column": -1},
            {"t": slice(1, 5, 2), "x": slice(None, None, -1)},
            {"t": slice(4, None, -3)},
            {"t": [5, 0, 5, -2]},
            {"t": [5, 0], "z": [3, 1, -1], "mu": [2], "row": 1},
            {"t": 2, "z": [3, 0], "y": 1, "x": [0, 3, -1]},
            {"t": []},
            {"z": [], "t": [1, 2]},
            {"t": slice(2, 2)},
            {"t": xr.DataArray([0, 2], dims="p"), "z": xr.DataArray([1, 3], dims="p")},
            {"t": xr.DataArray([[0, 2], [1, 1]], dims=("p", "q"))},
            {"x": 0, "y": 1, "z": 2, "t": 3, "mu": 0, "row": 1, "column": 2},
        ):
            read = lazy.isel(key)
            np.testing.assert_array_equal(read.values, loaded.isel(key).values)
            assert read.dims == loaded.isel(key).dims


def test_places_in_time_read_only_their_slices(server: Server, path: pathlib.Path, links: np.ndarray) -> None:
    lazy = xr.open_dataset(f"{server.url}/lat.lime", engine="linkstream").links
    lazy[0].values
    server.requests.clear()
    np.testing.assert_array_equal(lazy.isel(t=[5, 0]).values, links[[5, 0]])
    assert [sent for _, sent in server.requests] == [links[0].nbytes] * 2


@pytest.mark.parametrize(
    ("name", "variables"),
    [
        ("single/mixed_2x3x4x5.lime", None),
        ("single/global.lime", None),
        ("single/hyper_2x3x4x5.lime", None),
        ("single/dirac_d3_2x3x4x5.lime", ["fermion"]),
        ("single/cmat_d3_n1_2x3x4x5.lime", ["color_matrix"]),
        ("single/cvec_d3_2x3x4x5.lime", ["color_vector"]),
        ("ildg/ildg_f_4x4x4x8.lime", ["links"]),
        ("single/many_records.lime", None),
        ("convert/ildg_part4.lime.vol0000", ["links"]),
        ("nersc/n3x2_d.nersc", ["links"]),
        ("single/dim8_2x2x2x2x2x2x2x2.lime", None),
    ],
)
def test_files_of_all_kinds(name: str, variables: list[str] | None) -> None:
    file = ls.open(QIO / name)
    dataset = xr.open_dataset(QIO / name, engine="linkstream")
    assert len(dataset.data_vars) == len(file)
    if variables is not None:
        assert list(dataset.data_vars) == variables
    for variable, field in zip(dataset.data_vars.values(), file):
        np.testing.assert_array_equal(variable.values, field.numpy())
        assert [dim.rpartition("_")[2] or dim for dim in variable.dims] == [dim.rpartition("_")[2] for dim in field.dims]


def test_variables_can_be_left_out() -> None:
    path = QIO / "single" / "many_records.lime"
    names = list(xr.open_dataset(path, engine="linkstream").data_vars)
    assert len(names) > 2 and len(set(names)) == len(names)
    left = xr.open_dataset(path, engine="linkstream", drop_variables=names[0])
    assert list(left.data_vars) == names[1:]
    left = xr.open_dataset(path, engine="linkstream", drop_variables=names[1:])
    assert list(left.data_vars) == names[:1]


def test_files_without_fields() -> None:
    scda = next(path for path in sorted((FIXTURES / "scda").iterdir()) if path.read_bytes()[:5] == b"scdat")
    with pytest.raises(ls.Error, match="no fields"):
        xr.open_dataset(scda, engine="linkstream")


# --- Verification ---


def flip(path: pathlib.Path, offset: int) -> None:
    """Changes a byte without a trace in the directory."""
    about = path.stat()
    with open(path, "r+b") as file:
        file.seek(offset)
        byte = file.read(1)[0]
        file.seek(offset)
        file.write(bytes([byte ^ 1]))
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


@pytest.mark.parametrize("options", [{}, {"chunks": {}}])
def test_damage_is_an_error(path: pathlib.Path, options: dict) -> None:
    flip(path, 50_000)
    dataset = xr.open_dataset(path, engine="linkstream", **options)
    for t in (0, 5):
        with pytest.raises(ls.ChecksumError):
            dataset.links[t].values
    unverified = xr.open_dataset(path, engine="linkstream", verify=False, **options)
    unverified.links[5].values


def test_data_without_a_checksum_are_refused_unless_asked_for(tmp_path: pathlib.Path) -> None:
    write(tmp_path / "lat.lime", LATTICE, has_checksum=False)
    with pytest.raises(ls.UnverifiedError):
        xr.open_dataset(tmp_path / "lat.lime", engine="linkstream").links[0].values
    xr.open_dataset(tmp_path / "lat.lime", engine="linkstream", verify=False).links[0].values


def test_a_file_that_changes_is_an_error(path: pathlib.Path) -> None:
    dataset = xr.open_dataset(path, engine="linkstream", chunks={})
    os.utime(path, (1, 1))
    with pytest.raises(ls.ChangedError):
        dataset.links[0].compute()


# --- Ensembles ---


@pytest.mark.parametrize("scheduler", ["threads", "sync"])
def test_configurations_have_one_axis(ensemble: tuple[str, np.ndarray], scheduler: str) -> None:
    pattern, links = ensemble
    options = {"engine": "linkstream", "concat_dim": "cfg", "combine": "nested", "chunks": {}}
    dataset = xr.open_mfdataset(pattern, **options)
    assert dataset.links.dims[:2] == ("cfg", "t")
    # Whole fields, unless they are larger than a chunk shall be.
    assert dataset.links.chunksizes["t"] == (6,)
    slice_ = links[0, 0].nbytes
    for most, chunks in ((3 * slice_ - 1, (2, 2, 2)), (slice_, (1,) * 6), (1, (1,) * 6), (5 * slice_, (5, 1))):
        assert xr.open_mfdataset(pattern, **options, chunk_bytes=most).links.chunksizes["t"] == chunks
    with dask.config.set(scheduler=scheduler):
        np.testing.assert_array_equal(dataset.links.values, links)
        trace = np.einsum("...ii", links).mean(axis=(1, 2, 3, 4, 5))
        lazy = sum(dataset.links[..., i, i] for i in range(3)).mean(("t", "z", "y", "x", "mu"))
        np.testing.assert_allclose(lazy.values, trace)


def test_far_configurations(ensemble: tuple[str, np.ndarray], server: Server) -> None:
    _, links = ensemble
    urls = [f"{server.url}/lat.{number}.lime" for number in range(3)]
    dataset = xr.open_mfdataset(
        urls,
        engine="linkstream",
        concat_dim="cfg",
        combine="nested",
        chunks={},
        verify=False,
        chunk_bytes=1,
        storage_options={"headers": {"X-Test": "1"}},
    )
    assert len(server.requests) <= 3 * 4
    server.requests.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ls.UnverifiedWarning)
        np.testing.assert_array_equal(dataset.links.isel(t=2).values, links[:, 2])
    assert [sent for _, sent in server.requests] == [links[0, 2].nbytes] * 3


def test_open_files_of_fsspec(path: pathlib.Path, links: np.ndarray) -> None:
    with fsspec.open(str(path)) as file:
        np.testing.assert_array_equal(xr.open_dataset(file, engine="linkstream").links.values, links)


# --- Processes ---


def child(field: ls.Field, t: int) -> tuple[str, np.ndarray | str]:
    """What another process has before and after it reads a time slice."""
    before = field.verification
    try:
        return before, field[t]
    except ls.Error as error:
        return before, type(error).__name__


def test_a_verified_field_is_verified_in_other_processes(path: pathlib.Path, links: np.ndarray) -> None:
    """The sums of the pass are sent: the other process reads only its time slice, and compares it."""
    field = ls.open(path)[0]
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, context) as pool:
        before, _ = pool.submit(child, field, 2).result()
        assert before == "not read"
        field.verify()
        start = path.stat().st_size - 288 - links.nbytes
        flip(path, start + 3 * links[0].nbytes + 11)
        # A pass over all data would fail.
        before, read = pool.submit(child, field, 2).result()
        assert before == "verified"
        np.testing.assert_array_equal(read, links[2])
        assert pool.submit(child, field, 3).result() == ("verified", "ChecksumError")


def test_sums_of_another_file_are_refused(path: pathlib.Path) -> None:
    field = ls.open(path)[0]
    field.verify()
    make, (file, index, verify, sums, at) = field.__reduce__()
    wrong = [(first ^ 1, second) for first, second in sums]
    with pytest.raises(ls.Error):
        make(pickle.loads(pickle.dumps(file)), index, verify, wrong[:1] + sums[1:], at)
    with pytest.raises(ls.ChangedError):
        make(pickle.loads(pickle.dumps(file)), index, verify, sums[1:], at)


def test_a_worker_opens_a_file_once(path: pathlib.Path) -> None:
    field = ls.open(path)[0]
    first, second = (pickle.loads(pickle.dumps(field)) for _ in range(2))
    assert first.file is second.file
    unverified = pickle.loads(pickle.dumps(ls.open(path, verify=False)[0]))
    assert unverified.file is not first.file
    unverified[0]
    first[0]


@pytest.mark.parametrize("is_verified", [True, False])
def test_distributed(ensemble: tuple[str, np.ndarray], is_verified: bool) -> None:
    distributed = pytest.importorskip("distributed")
    pattern, links = ensemble
    dataset = xr.open_mfdataset(pattern, engine="linkstream", concat_dim="cfg", combine="nested", chunks={})
    if is_verified:
        dataset.links[:, 0].values
    options = {"n_workers": 2, "threads_per_worker": 2, "processes": True, "dashboard_address": None}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster):
            np.testing.assert_array_equal(dataset.links.values, links)
            np.testing.assert_array_equal(dataset.links.isel(t=3, cfg=1).values, links[1, 3])


def test_distributed_finds_damage(ensemble: tuple[str, np.ndarray]) -> None:
    distributed = pytest.importorskip("distributed")
    pattern, _ = ensemble
    flip(pathlib.Path(pattern.replace("*", "1")), 50_000)
    dataset = xr.open_mfdataset(pattern, engine="linkstream", concat_dim="cfg", combine="nested", chunks={})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        with distributed.LocalCluster(n_workers=1, processes=True, dashboard_address=None) as cluster:
            with distributed.Client(cluster), pytest.raises(ls.ChecksumError) as raised:
                dataset.links.isel(t=0).compute()
    # It is sent with all that describes it.
    assert raised.value.class_ == "checksum" and raised.value.rule and raised.value.offset is not None


def _sources(folder: pathlib.Path, form: str) -> pathlib.Path:
    path = folder / form
    texts = {"lfn": "lfn://a/190", "update": 190, "record_xml": "<run><beta>6.0</beta></run>"}
    if form == "nersc":
        ls.write(path, GAUGE["su3gauge"], form="nersc", header={"ENSEMBLE_ID": "mine", "SEQUENCE_NUMBER": "190"})
    elif form == "set":
        ls.write(path, GAUGE["su3gauge"], set=2, record_xml=texts["record_xml"])
    elif form == "propagator":
        ls.write(path, numbers(4, 4, 3, 3), kind="propagator")
    else:
        ls.write(path, GAUGE["su3gauge"], **texts)
    return path


@pytest.mark.parametrize("form", ["lime", "nersc", "set", "propagator"])
@pytest.mark.parametrize("kept_in", ["netcdf", "zarr 2", "zarr 3"])
@pytest.mark.filterwarnings("ignore:.*(specification|fixed_length_utf32|FixedLengthUTF32).*")
def test_datasets_come_back_from_netcdf_and_zarr(tmp_path: pathlib.Path, form: str, kept_in: str) -> None:
    source = _sources(tmp_path, form)
    dataset = xr.open_dataset(source, engine="linkstream")
    name = next(iter(dataset.data_vars))
    # netCDF has neither truth values nor `None`.
    for attrs in (dataset.attrs, dataset[name].attrs):
        assert all(isinstance(value, (int, float, str, list)) and not isinstance(value, bool) for value in attrs.values()), attrs
    if kept_in == "netcdf":
        pytest.importorskip("h5netcdf")
        dataset.to_netcdf(tmp_path / "kept", engine="h5netcdf", invalid_netcdf=True)
        again = xr.open_dataset(tmp_path / "kept", engine="h5netcdf")
    else:
        pytest.importorskip("zarr")
        dataset.to_zarr(tmp_path / "kept", zarr_format=int(kept_in[-1]))
        again = xr.open_zarr(tmp_path / "kept")
    xr.testing.assert_equal(again, dataset)
    assert again[name].dims == dataset[name].dims and again[name].dtype == dataset[name].dtype
    for attrs, of in ((again.attrs, dataset.attrs), (again[name].attrs, dataset[name].attrs)):
        assert {key: np.array(value).tolist() for key, value in attrs.items()} == of
    # A new file gets the texts of the first one.
    ls.write(tmp_path / "back", again.load())
    back, first = ls.open(tmp_path / "back"), ls.open(source)
    assert np.array_equal(back[0].numpy(), first[0].numpy())
    if form == "lime":
        assert [back.attrs[key] for key in ("lfn", "update", "record_xml")] == ["lfn://a/190", 190, "<run><beta>6.0</beta></run>"]


def test_an_ensemble_comes_back_from_netcdf(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("h5netcdf")
    for update in (10, 20):
        ls.write(tmp_path / f"lat.{update}", GAUGE["su3gauge"], update=update, lfn=f"lfn://a/{update}")
    ensemble = ls.open_ensemble(tmp_path / "lat.*")
    ensemble.to_netcdf(tmp_path / "all.h5", engine="h5netcdf", invalid_netcdf=True)
    again = xr.open_dataset(tmp_path / "all.h5", engine="h5netcdf")
    assert again["lfn"].values.tolist() == ["lfn://a/10", "lfn://a/20"]
    one = again.set_xindex("update") if "update" not in again.indexes else again
    ls.write(tmp_path / "twenty", one.sel(update=20).load())
    assert ls.open(tmp_path / "twenty").attrs["update"] == 20
