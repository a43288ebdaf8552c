"""VirtualiZarr makes one dataset of many configurations."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
from conftest import FIXTURES
from lattices import random_links, write
from servers import Server

import linkstream as ls

vz = pytest.importorskip("virtualizarr")
xr = pytest.importorskip("xarray")

from obspec_utils.registry import ObjectStoreRegistry  # noqa: E402
from obstore.store import HTTPStore, LocalStore  # noqa: E402

from linkstream.virtualizarr import Parser  # noqa: E402

LATTICE = (4, 4, 4, 8)


@pytest.fixture
def ensemble(tmp_path: pathlib.Path) -> tuple[list[str], np.ndarray]:
    """The URLs and the links of three configurations."""
    paths = [tmp_path / f"lat.{number}.lime" for number in (10, 20, 30)]
    links = np.stack([random_links(LATTICE, seed) for seed in range(3)])
    for path, of_one in zip(paths, links):
        write(path, LATTICE, of_one)
    return [path.as_uri() for path in paths], links


@pytest.fixture
def registry() -> ObjectStoreRegistry:
    return ObjectStoreRegistry({"file://": LocalStore()})


def test_configurations_have_one_axis(ensemble, registry) -> None:
    urls, links = ensemble
    virtual = vz.open_virtual_mfdataset(
        urls, registry=registry, parser=Parser({"t": 2}), concat_dim="cfg", combine="nested"
    )
    assert virtual.links.dims[:2] == ("cfg", "t")
    assert virtual.links.attrs["verification"].startswith("unverified")
    reference = virtual.vz.to_kerchunk(format="dict")
    lazy = xr.open_dataset(reference, engine="kerchunk", chunks={})
    assert lazy.links.chunksizes["t"] == (2, 2, 2, 2)
    np.testing.assert_array_equal(lazy.links.values, links)


def test_virtual_datasets_are_concatenated(ensemble, registry) -> None:
    urls, links = ensemble
    each = [vz.open_virtual_dataset(url, registry=registry, parser=Parser()) for url in urls]
    virtual = xr.concat(each, dim="cfg", coords="minimal", compat="override")
    lazy = xr.open_dataset(virtual.vz.to_kerchunk(format="dict"), engine="kerchunk", chunks={})
    np.testing.assert_array_equal(lazy.links[1, 3].values, links[1, 3])


def test_the_store_is_read_by_zarr(ensemble, registry) -> None:
    urls, links = ensemble
    store = Parser()(urls[0], registry)
    lazy = xr.open_zarr(store, consolidated=False, zarr_format=3)
    np.testing.assert_array_equal(lazy.links.values, links[0])


def test_few_requests(server: Server, tmp_path: pathlib.Path) -> None:
    write(tmp_path / "lat.lime", (32, 32, 32, 64))
    registry = ObjectStoreRegistry({server.url: HTTPStore(server.url, client_options={"allow_http": True})})
    vz.open_virtual_dataset(f"{server.url}/lat.lime", registry=registry, parser=Parser())
    assert len(server.requests) <= 4
    assert server.sent <= 400_000


def test_what_is_not_in_one_place_is_refused(registry) -> None:
    archive = (FIXTURES / "qio" / "nersc" / "n3x2_d.nersc").as_uri()
    with pytest.raises(ls.Error, match="two rows"):
        vz.open_virtual_dataset(archive, registry=registry, parser=Parser())
    volume = (FIXTURES / "qio" / "convert" / "ildg_part4.lime.vol0000").as_uri()
    with pytest.raises(ls.Error):
        vz.open_virtual_dataset(volume, registry=registry, parser=Parser())
