"""Far files: what is requested, and what is refused."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import pathlib
import pickle
import warnings
from typing import Any, Callable, Iterator

import numpy as np
import pytest
from conftest import FIXTURES
from lattices import random_links, write
from servers import Server

import linkstream as ls

fsspec = pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")

LATTICE = (4, 4, 4, 6)


@pytest.fixture
def links(tmp_path: pathlib.Path) -> np.ndarray:
    """Links in the file `lat.lime`, which the server has."""
    links = random_links(LATTICE)
    write(tmp_path / "lat.lime", LATTICE, links)
    return links


@pytest.fixture
def memory() -> Any:
    filesystem = fsspec.filesystem("memory")
    yield filesystem
    filesystem.store.clear()


def test_a_large_file_is_opened_by_few_requests(server: Server, tmp_path: pathlib.Path) -> None:
    start = write(tmp_path / "large.lime", (32, 32, 32, 64))
    size = 32**3 * 576
    assert (tmp_path / "large.lime").stat().st_size > 1_200_000_000
    file = ls.open(f"{server.url}/large.lime", verify=False)
    assert file[0].shape == (64, 32, 32, 32, 4, 3, 3)
    assert len(server.requests) <= 4
    assert server.sent <= 400_000
    # Documents are not requested again.
    opened = len(server.requests)
    assert file.attrs["record_xml"].endswith("<info>test</info>")
    assert file.texts("scidac-checksum")
    assert len(server.requests) == opened
    for t in (5, 63, 0):
        server.requests.clear()
        assert not file[0][t].any()
        at = start + t * size
        assert server.requests == [(f"bytes={at}-{at + size - 1}", size)]
    # A part of a slice, and a column through all of them.
    server.requests.clear()
    file[0][7, 8:10]
    at = start + 7 * size + 8 * size // 32
    assert server.requests == [(f"bytes={at}-{at + size // 16 - 1}", size // 16)]
    server.requests.clear()
    file[0][:, 3, 2, 1]
    assert len(server.requests) == 64
    assert server.sent == 64 * 576


def test_verified_slices_need_one_request_each(server: Server, tmp_path: pathlib.Path) -> None:
    links = random_links((8, 8, 8, 16))
    write(tmp_path / "lat.lime", (8, 8, 8, 16), links)
    field = ls.open(f"{server.url}/lat.lime")[0]
    np.testing.assert_array_equal(field[3], links[3])
    assert field.verification == "verified"
    # The pass and the slice.
    assert server.sent < links.nbytes + links[0].nbytes + 400_000
    for t in (15, 3, 4):
        server.requests.clear()
        np.testing.assert_array_equal(field[t], links[t])
        assert [sent for _, sent in server.requests] == [links[0].nbytes]
    np.testing.assert_array_equal(field.numpy(), links)


@pytest.mark.parametrize("verify", [True, False])
def test_threads_do_not_take_requests_of_each_other(server: Server, tmp_path: pathlib.Path, verify: bool) -> None:
    lattice = (8, 8, 8, 16)
    links = random_links(lattice)
    write(tmp_path / "lat.lime", lattice, links)
    field = ls.open(f"{server.url}/lat.lime", verify=verify)[0]
    field.verify()
    server.requests.clear()
    times = [*range(16), *range(16)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool, warnings.catch_warnings():
        warnings.simplefilter("ignore", ls.UnverifiedWarning)
        for t, read in zip(times, pool.map(lambda t: field[t], times)):
            np.testing.assert_array_equal(read, links[t])
    # Two threads that want the same slice may share a request.
    assert 16 <= len(server.requests) <= 32
    assert {sent for _, sent in server.requests} == {links[0].nbytes}


def test_threads_make_one_pass(server: Server, links: np.ndarray) -> None:
    field = ls.open(f"{server.url}/lat.lime")[0]
    server.requests.clear()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for t, read in enumerate(pool.map(lambda t: field[t], range(6))):
            np.testing.assert_array_equal(read, links[t])
    assert server.sent <= 2 * links.nbytes


def test_whole_fields_read_by_threads(server: Server, links: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads that read the same data at different places do not request them again and again."""
    monkeypatch.setattr("linkstream._sources.LARGEST_PLANNED", links.nbytes // 2)
    file = ls.open(f"{server.url}/lat.lime")
    server.requests.clear()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for read in pool.map(lambda _: file[0].numpy(), range(4)):
            np.testing.assert_array_equal(read, links)
    # Four to six times, by the order of the threads; without kept windows always ten times.
    assert server.sent <= 8 * links.nbytes


# --- Servers that misbehave ---


def test_a_server_without_ranges(server: Server, links: np.ndarray, tmp_path: pathlib.Path) -> None:
    server.has_ranges = False
    field = ls.open(f"{server.url}/lat.lime")[0]
    np.testing.assert_array_equal(field.numpy(), links)
    assert len(server.requests) == 1
    # A large file would be sent for each part.
    write(tmp_path / "large.lime", (16, 16, 16, 32))
    with pytest.raises(OSError, match="cannot send a part"):
        ls.open(f"{server.url}/large.lime")


@pytest.mark.parametrize("verify", [True, False])
def test_a_connection_that_ends_early(server: Server, links: np.ndarray, verify: bool) -> None:
    url = f"{server.url}/lat.lime"
    field = ls.open(url, verify=verify)[0]
    server.cut_after = links[0].nbytes - 1
    with pytest.raises(OSError, match="lat.lime"):
        field[2]
    with pytest.raises(OSError, match="lat.lime"):
        field.numpy()
    server.cut_after = 40
    with pytest.raises(OSError, match="lat.lime"):
        ls.open(url)
    server.cut_after = None
    np.testing.assert_array_equal(field[2], links[2]) if verify else None


@pytest.mark.parametrize("claims", [True, False])
def test_other_bytes_than_the_requested_ones(server: Server, links: np.ndarray, claims: bool) -> None:
    field = ls.open(f"{server.url}/lat.lime")[0]
    server.shift, server.claims_shift = 16, claims
    # A lie shows in the checksum.
    with pytest.raises(OSError if claims else ls.ChecksumError):
        field.numpy()


def test_a_compressed_answer(server: Server, links: np.ndarray) -> None:
    server.headers = {"Content-Encoding": "br"}
    with pytest.raises(OSError):
        ls.open(f"{server.url}/lat.lime")


@pytest.mark.parametrize("status", [403, 500])
def test_answers_that_are_errors(server: Server, links: np.ndarray, status: int) -> None:
    field = ls.open(f"{server.url}/lat.lime")[0]
    server.status = status
    with pytest.raises(OSError, match=str(status)):
        field.numpy()


def test_missing_files(server: Server, memory: Any) -> None:
    for url in (f"{server.url}/none.lime", "memory://none.lime"):
        with pytest.raises(FileNotFoundError):
            ls.open(url)
        report = ls.check(url)
        assert report["verdict"] == "unreadable"
        assert "none.lime" in report["error"]
    with pytest.raises(OSError):
        ls.open("http://127.0.0.1:1/lat.lime")


def test_reports(server: Server, links: np.ndarray) -> None:
    assert ls.check(f"{server.url}/lat.lime", observables=False)["fields"][0]["checksum"] == "match"


# --- Files that change ---


def changed_time(path: pathlib.Path) -> None:
    os.utime(path, (1, 1))


def changed_length(path: pathlib.Path) -> None:
    with open(path, "ab") as file:
        file.write(bytes(144))


def removed(path: pathlib.Path) -> None:
    path.unlink()


@pytest.mark.parametrize("change", [changed_time, changed_length, removed])
def test_a_file_that_changes(server: Server, links: np.ndarray, tmp_path: pathlib.Path, change: Callable[[pathlib.Path], None]) -> None:
    field = ls.open(f"{server.url}/lat.lime", verify=False)[0]
    again = pickle.dumps(field)
    change(tmp_path / "lat.lime")
    expected = FileNotFoundError if change is removed else ls.ChangedError
    for _ in range(2):
        with pytest.raises(expected):
            field[0]
    with pytest.raises(expected):
        pickle.loads(again)


def test_a_file_with_another_tag(server: Server, links: np.ndarray) -> None:
    server.headers = {"ETag": '"1"'}
    field = ls.open(f"{server.url}/lat.lime", verify=False)[0]
    server.headers = {"ETag": '"2"'}
    with pytest.raises(ls.ChangedError):
        field[0]


def test_a_file_in_memory_that_changes(memory: Any, links: np.ndarray, tmp_path: pathlib.Path) -> None:
    bytes_ = (tmp_path / "lat.lime").read_bytes()
    memory.pipe_file("/lat.lime", bytes_)
    field = ls.open("memory://lat.lime", verify=False)[0]
    memory.pipe_file("/lat.lime", bytes_[:-200] + bytes(200))
    with pytest.raises(ls.ChangedError):
        field[0]
    memory.rm("/lat.lime")
    with pytest.raises(ls.ChangedError):
        field[0]


# --- Other processes ---


def slice_of(field: ls.Field, t: int) -> tuple[str, np.ndarray]:
    data = field[t]
    return field.verification, data


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_other_processes_request_only_what_they_read(method: str, server: Server, tmp_path: pathlib.Path) -> None:
    lattice = (8, 8, 8, 16)
    links = random_links(lattice)
    write(tmp_path / "lat.lime", lattice, links)
    field = ls.open(f"{server.url}/lat.lime")[0]
    field.verify()
    # A copy that this process has made already.
    pickle.loads(pickle.dumps(field))[0]
    server.requests.clear()
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context(method)) as pool:
        for t in (3, 15, 4):
            verdict, read = pool.submit(slice_of, field, t).result(60)
            assert verdict == "verified"
            np.testing.assert_array_equal(read, links[t])
    # The file is opened once.
    assert len(server.requests) == 3 + 2
    assert [sent for _, sent in server.requests].count(links[0].nbytes) == 3


# --- Other filesystems, and sets ---


@pytest.fixture
def store(tmp_path: pathlib.Path, links: np.ndarray) -> Iterator[list[tuple[int, int]]]:
    """The requests of a filesystem `counted`, which has the file of `links` as an object store has it."""
    requests: list[tuple[int, int]] = []
    content = (tmp_path / "lat.lime").read_bytes()

    class File(fsspec.spec.AbstractBufferedFile):
        def _fetch_range(self, start: int, end: int) -> bytes:
            requests.append((start, end))
            return content[start:end]

    class Store(fsspec.spec.AbstractFileSystem):
        protocol = "counted"
        async_impl = True

        def info(self, path: str, **_: Any) -> dict[str, Any]:
            requests.append((0, 0))
            return {"name": path, "size": len(content), "type": "file", "ETag": "1"}

        def _open(self, path: str, mode: str = "rb", **options: Any) -> File:
            return File(self, path, mode, **options)

    fsspec.register_implementation("counted", Store, clobber=True)
    yield requests


def test_an_object_store(store: list[tuple[int, int]], links: np.ndarray) -> None:
    field = ls.open("counted://lat.lime")[0]
    assert len(store) <= 4
    field.verify()
    for t in (4, 0):
        store.clear()
        np.testing.assert_array_equal(field[t], links[t])
        assert [end - start for start, end in store] == [links[0].nbytes]


def test_all_kinds_of_sources(memory: Any, server: Server, links: np.ndarray, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "lat.lime"
    memory.pipe_file("/lat.lime", path.read_bytes())
    url = f"{server.url}/lat.lime"
    with open(path, "rb") as file, fsspec.open(url) as of_http, fsspec.open(str(path)) as local:
        sources = [
            "memory://lat.lime",
            path.as_uri(),
            fsspec.open("memory://lat.lime"),
            fsspec.open(url),
            fsspec.open(str(path)),
            f"simplecache::{url}",
            pytest.importorskip("upath").UPath("memory://lat.lime"),
            file,
            of_http,
            local,
            path,
            path.read_bytes(),
        ]
        for source in sources:
            np.testing.assert_array_equal(ls.open(source)[0].numpy(), links)
        # The cache of the open file is not used, which requests 5 MiB at a time.
        server.requests.clear()
        ls.open(of_http)
        assert len(server.requests) == 2
        assert server.sent < 100_000


def test_a_local_url_is_a_local_file(links: np.ndarray, tmp_path: pathlib.Path) -> None:
    file = ls.open((tmp_path / "lat.lime").as_uri())
    np.testing.assert_array_equal(file[0].memmap(), links)


def test_compressed_files_of_fsspec(links: np.ndarray, tmp_path: pathlib.Path) -> None:
    path = str(tmp_path / "lat.lime.gz")
    with fsspec.open(path, "wb", compression="gzip") as file:
        file.write((tmp_path / "lat.lime").read_bytes())
    source = fsspec.open(path, compression="infer")
    file = ls.open(source)
    np.testing.assert_array_equal(file[0].numpy(), links)
    assert ls.check(source)["verdict"] == ls.check(file)["verdict"] == "ok"
    assert ls.scan([source], check=True)["verdict"] == ["ok"]


def test_a_scan_requests_no_more_than_opening(server: Server, tmp_path: pathlib.Path) -> None:
    write(tmp_path / "large.lime", (32, 32, 32, 8))
    url = f"{server.url}/large.lime"
    ls.open(url).attrs
    opened = len(server.requests)
    server.requests.clear()
    table = ls.scan([url], xml={"info": "info"})
    assert len(server.requests) == opened
    local = ls.scan([tmp_path / "large.lime"], xml={"info": "info"})
    assert table == local | {"file": [url]} and table["info"] == ["test"]


@pytest.mark.parametrize("protocol", ["http", "memory", "mixed"])
def test_volumes_of_a_set(protocol: str, tmp_path: pathlib.Path, memory: Any) -> None:
    folder = FIXTURES / "qio" / "convert"
    paths = [folder / f"ildg_part4.lime.vol000{volume}" for volume in range(4)]
    expected = ls.open(paths)[0].numpy()
    for path in paths:
        memory.pipe_file(f"/{path.name}", path.read_bytes())
    with Server(folder) as server:
        urls = {
            "http": [f"{server.url}/{path.name}?token=1" for path in paths],
            "memory": [f"memory://{path.name}" for path in paths],
            "mixed": [str(paths[0]), f"memory://{paths[1].name}", f"{server.url}/{paths[2].name}", paths[3]],
        }[protocol]
        if protocol != "mixed":
            urls = urls[::-1]
        file = ls.open(urls)
        assert file.is_set
        np.testing.assert_array_equal(file[0].numpy(), expected)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(file))[0][1], expected[1])
        with pytest.raises(ls.Error):
            ls.open(urls[1:])
        if protocol != "memory":
            server.status = 404
            with pytest.raises(FileNotFoundError, match="ildg_part4"):
                ls.open(urls)


def test_options_are_for_urls(links: np.ndarray, tmp_path: pathlib.Path, server: Server) -> None:
    with pytest.raises(TypeError, match="for URLs: anon"):
        ls.open(tmp_path / "lat.lime", anon=True)
    ls.open(f"{server.url}/lat.lime", headers={"Authorization": "x"})


def test_only_allowed_servers_are_asked(server: Server, links: np.ndarray) -> None:
    url = f"{server.url}/lat.lime"
    np.testing.assert_array_equal(ls.open(url, allowed=["https://example.org", server.url])[0].numpy(), links)
    assert ls.check(url, allowed=[server.url])["verdict"] == "ok"
    asked = len(server.requests)
    host = server.url.removeprefix("http://")
    for other in [
        f"{server.url}.example.org/lat.lime",
        f"http://user@{host}/lat.lime",
        f"https://{host}/lat.lime",
        f"filecache::{url}",
        f"zip://*.lime::{url}",
        "file:///etc/hostname",
        "/etc/hostname",
        f"http:\\\\{host}/lat.lime://",
    ]:
        with pytest.raises((ValueError, TypeError)):
            ls.open(other, allowed=[server.url])
        with pytest.raises((ValueError, TypeError)):
            ls.open([url, other], allowed=[server.url])
        with pytest.raises((ValueError, TypeError)):
            ls.check(other, allowed=[server.url])
    with pytest.raises(TypeError, match="a list of servers"):
        ls.open(url, allowed=server.url)
    with pytest.raises(ValueError, match="not the address of an allowed server"):
        ls.open(url, allowed=[])
    assert len(server.requests) == asked


def test_redirections_of_allowed_servers_are_not_followed(server: Server, links: np.ndarray) -> None:
    server.redirects["/other.lime"] = "/lat.lime"
    np.testing.assert_array_equal(ls.open(f"{server.url}/other.lime")[0].numpy(), links)
    with pytest.raises(OSError, match="redirects to another address"):
        ls.open(f"{server.url}/other.lime", allowed=[server.url])
