"""References: all programs read through them what linkstream reads."""

from __future__ import annotations

import copy
import json
import pathlib
import struct
from typing import Any

import numpy as np
import pytest
from conftest import FIXTURES
from lattices import random_links, write
from servers import Server

import linkstream as ls

xr = pytest.importorskip("xarray")
zarr = pytest.importorskip("zarr")
pytest.importorskip("kerchunk")
pytest.importorskip("aiohttp")

QIO = FIXTURES / "qio"
LATTICE = (4, 4, 6, 8)


def in_zarr(reference: dict[str, Any], zarr_format: int) -> Any:
    store = {"fo": copy.deepcopy(reference)}
    return zarr.open_group("reference://", storage_options=store, mode="r", zarr_format=zarr_format)


def in_xarray(reference: dict[str, Any], is_http: bool = False, **options: Any) -> Any:
    remote = {"remote_protocol": "http", "remote_options": {"asynchronous": True}} if is_http else {}
    backend = {"storage_options": {"fo": copy.deepcopy(reference)} | remote, "consolidated": False}
    return xr.open_dataset("reference://", engine="zarr", backend_kwargs=backend, **options)


FILES = [
    "ildg/ildg_f_4x4x4x8.lime",
    "ildg/ildg_d_2x3x4x5.lime",
    "single/gauge_d3_2x3x4x5.lime",
    "single/dirac_f3_2x3x4x5.lime",
    "single/complex_f_2x3x4x5.lime",
    "single/real_d_2x3x4x5.lime",
    "single/int_2x3x4x5.lime",
    "single/type2_U3x5_2x3x4x5.lime",
    "single/hyper_2x3x4x5.lime",
    "single/global.lime",
    "single/many_records.lime",
    "single/mixed_2x3x4x5.lime",
    "single/dim8_2x2x2x2x2x2x2x2.lime",
    "nersc/n3x3_d.nersc",
    "nersc/n3x3_f.nersc",
]


@pytest.mark.parametrize("zarr_format", [2, 3])
@pytest.mark.parametrize("name", FILES)
def test_all_values_are_the_same(name: str, zarr_format: int) -> None:
    file = ls.open(QIO / name)
    reference = ls.reference(file, (QIO / name).as_uri(), zarr_format=zarr_format)
    json.dumps(reference)
    group = in_zarr(reference, zarr_format)
    lazy = in_xarray(reference, chunks={})
    direct = xr.open_dataset(QIO / name, engine="linkstream")
    assert sorted(group.array_keys()) == sorted(direct.data_vars)
    for variable, field in zip(direct.data_vars, file, strict=True):
        expected = field.numpy()
        for read in (group[variable][...], lazy[variable].values, lazy[variable].compute(), direct[variable].values):
            np.testing.assert_array_equal(read, expected)
        assert lazy[variable].dims == direct[variable].dims
        assert lazy[variable].dtype == field.dtype


@pytest.mark.parametrize("zarr_format", [2, 3])
def test_one_request_for_each_chunk(zarr_format: int, server: Server, tmp_path: pathlib.Path) -> None:
    links = random_links(LATTICE)
    start = write(tmp_path / "lat.lime", LATTICE, links)
    url = f"{server.url}/lat.lime"
    field = ls.open(tmp_path / "lat.lime")[0]
    lazy = in_xarray(ls.reference(field, url, zarr_format=zarr_format), True, chunks={})
    server.requests.clear()
    size = links[0].nbytes
    np.testing.assert_array_equal(lazy.links.isel(t=5).values, links[5])
    at = start + 5 * size
    assert server.requests == [(f"bytes={at}-{at + size - 1}", size)]
    # A chunk of some z.
    parts = in_xarray(ls.reference(field, url, {"t": 1, "z": 2}, zarr_format=zarr_format), True, chunks={})
    server.requests.clear()
    np.testing.assert_array_equal(parts.links.isel(t=5, z=[2, 3]).values, links[5, 2:4])
    at += size // 3
    assert server.requests == [(f"bytes={at}-{at + size // 3 - 1}", size // 3)]
    np.testing.assert_array_equal(parts.links.values, links)


def test_kerchunk_opens_a_file_of_json(tmp_path: pathlib.Path) -> None:
    links = random_links(LATTICE)
    write(tmp_path / "lat.lime", LATTICE, links)
    reference = ls.reference(ls.open(tmp_path / "lat.lime"), str(tmp_path / "lat.lime"), {"t": 2})
    (tmp_path / "lat.json").write_text(json.dumps(reference))
    lazy = xr.open_dataset(str(tmp_path / "lat.json"), engine="kerchunk", chunks={})
    assert lazy.links.chunksizes["t"] == (2, 2, 2, 2)
    np.testing.assert_array_equal(lazy.links.values, links)


def test_kerchunk_requests_chunks(server: Server, tmp_path: pathlib.Path) -> None:
    links = random_links(LATTICE)
    write(tmp_path / "lat.lime", LATTICE, links)
    reference = ls.reference(ls.open(tmp_path / "lat.lime"), f"{server.url}/lat.lime")
    lazy = xr.open_dataset(reference, engine="kerchunk", chunks={}, storage_options={"remote_protocol": "http"})
    np.testing.assert_array_equal(lazy.links[2].values, links[2])
    assert [sent for _, sent in server.requests] == [links[2].nbytes]


def test_chunks_that_are_in_one_place(tmp_path: pathlib.Path) -> None:
    links = random_links(LATTICE)
    write(tmp_path / "lat.lime", LATTICE, links)
    field = ls.open(tmp_path / "lat.lime")[0]
    for chunks in ({}, {"t": 8}, {"t": 4}, {"t": 1, "z": -1}, {"t": 1, "z": 1, "y": 2}, {"t": 1, "z": 1, "y": 1, "x": 1}):
        reference = ls.reference(field, str(tmp_path / "lat.lime"), chunks)
        np.testing.assert_array_equal(in_zarr(reference, 2)["links"][...], links)


@pytest.mark.parametrize(
    ("chunks", "message"),
    [
        ({"z": 2}, "'t' must be 1"),
        ({"t": 2, "z": 2}, "'t' must be 1"),
        ({"t": 1, "y": 2}, "'z' must be 1"),
        ({"t": 3}, "do not divide"),
        ({"t": 0}, "do not divide"),
        ({"t": -2}, "do not divide"),
        ({"t": 16}, "do not divide"),
        ({"time": 1}, "no axis 'time'"),
    ],
)
def test_other_chunks_are_refused(chunks: dict[str, int], message: str, tmp_path: pathlib.Path) -> None:
    write(tmp_path / "lat.lime", LATTICE)
    with pytest.raises(ValueError, match=message):
        ls.reference(ls.open(tmp_path / "lat.lime"), "lat.lime", chunks)


def site_list() -> bytes:
    """A file of MILC whose sites are in the order of a list."""
    ranks = struct.pack("<16i", *reversed(range(16)))
    header = struct.pack("<5i64si", 20103, 2, 2, 2, 2, b"Fri Nov 20 12:00:00 2026", 1)
    return header + ranks + bytes(8) + bytes(16 * 288)


def unnamed_order() -> bytes:
    content = (QIO / "nersc" / "n3x3_f.nersc").read_bytes()
    start = content.index(b"FLOATING_POINT")
    return content.replace(content[start : content.index(b"\n", start)], b"FLOATING_POINT = IEEE32")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (QIO / "convert" / "ildg_part4.lime.vol0000", "several files"),
        (QIO / "nersc" / "n3x2_d.nersc", "two rows"),
        (site_list(), "order of a list"),
        (unnamed_order(), "byte order"),
    ],
)
def test_what_is_not_in_one_place_is_refused(source: Any, reason: str) -> None:
    file = ls.open(source)
    for what in (file, file[0]):
        with pytest.raises(ls.Error, match=reason):
            ls.reference(what, "lat")


def test_an_archive_whose_checksum_shows_the_order(tmp_path: pathlib.Path) -> None:
    (tmp_path / "lat").write_bytes(unnamed_order())
    field = ls.open(tmp_path / "lat")[0]
    field.verify()
    group = in_zarr(ls.reference(field, str(tmp_path / "lat")), 2)
    np.testing.assert_array_equal(group["links"][...], field.numpy())
    # Data without a checksum show nothing.
    lines = [line for line in unnamed_order().split(b"\n") if not line.startswith(b"CHECKSUM")]
    field = ls.open(b"\n".join(lines), verify=False)[0]
    field.numpy()
    with pytest.raises(ls.Error, match="byte order"):
        ls.reference(field, "lat")


def test_references_say_that_they_are_not_verified(sample: pathlib.Path) -> None:
    field = ls.open(sample)[0]
    attrs = json.loads(ls.reference(field, "lat")["refs"]["links/.zattrs"])
    assert attrs["verification"].startswith("unverified")
    assert attrs["file_bytes"] == sample.stat().st_size
    assert not {"verified_at", "suma", "sumb"} & set(attrs)
    field.verify()
    for zarr_format, key in ((2, "links/.zattrs"), (3, "links/zarr.json")):
        attrs = json.loads(ls.reference(field, "lat", zarr_format=zarr_format)["refs"][key])
        attrs = attrs.get("attributes", attrs)
        assert attrs["verification"].startswith("unverified")
        assert (attrs["suma"], attrs["sumb"]) == ("43c9818d", "1f29d948")
        assert attrs["verified_file"] == str(sample)
        assert attrs["verified_at"].endswith("+00:00")


@pytest.mark.parametrize("zarr_format", [2, 3])
def test_a_chunk_that_cannot_be_read_is_no_number(zarr_format: int, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "lat.lime"
    write(path, LATTICE)
    reference = ls.reference(ls.open(path), str(path), zarr_format=zarr_format)
    array = in_zarr(reference, zarr_format)["links"]
    assert not array[1].any()
    # The fill value: a program takes the chunk for one that was never written.
    del reference["refs"]["links/1.0.0.0.0.0.0" if zarr_format == 2 else "links/c/1/0/0/0/0/0/0"]
    assert np.isnan(in_zarr(reference, zarr_format)["links"][1]).all()
    path.unlink()
    reference_filesystem = pytest.importorskip("fsspec.implementations.reference")
    with pytest.raises(reference_filesystem.ReferenceNotReachable):
        array[2]


def test_only_formats_of_zarr(sample: pathlib.Path) -> None:
    with pytest.raises(ValueError, match="2 and 3"):
        ls.reference(ls.open(sample), "lat", zarr_format=1)


def test_files_without_fields(sample: pathlib.Path) -> None:
    matrix = next(path for path in sorted((FIXTURES / "inebin").iterdir()) if path.read_bytes()[:6] == b"INEBIN")
    with pytest.raises(ls.Error, match="no fields"):
        ls.reference(ls.open(matrix), "lat")


def test_a_small_reference(tmp_path: pathlib.Path) -> None:
    write(tmp_path / "lat.lime", (32, 32, 32, 64))
    reference = ls.reference(ls.open(tmp_path / "lat.lime"), "s3://bucket/lat.lime")
    assert len(json.dumps(reference)) < 6000
