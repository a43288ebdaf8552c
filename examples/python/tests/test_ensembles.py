"""Stores of many files: the same results as the program."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import tarfile
import threading
from typing import Any

import numpy as np
import pytest
from fields import GAUGE

import linkstream as ls

LINKS = GAUGE["su3gauge"]
PROGRAM = os.environ.get("LINKSTREAM", "")
of_program = pytest.mark.skipif(not PROGRAM, reason="LINKSTREAM is not the path of the program")


def program(*arguments: object) -> list[Any]:
    run = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.fixture
def store(tmp_path: pathlib.Path) -> pathlib.Path:
    """Four configurations and a gap, one of which is damaged; an archive, a set, and a text file."""
    folder = tmp_path / "store"
    (folder / "a").mkdir(parents=True)
    for place, number in enumerate((10, 20, 30, 50)):
        text = f"<run><beta>{5.5 + number / 100}</beta></run>"
        links = LINKS * np.exp(2j * np.pi / 3 * place)
        ls.write(folder / "a" / f"lat.{number}.lime", links, update=number, lfn=f"lfn://a/{number}", record_xml=text)
    content = bytearray((folder / "a" / "lat.30.lime").read_bytes())
    content[len(content) // 2] ^= 1
    (folder / "a" / "lat.30.lime").write_bytes(content)
    ls.write(folder / "old.nersc", LINKS, form="nersc", header={"ENSEMBLE_ID": "mine", "SEQUENCE_NUMBER": "5"})
    ls.write(folder / "set", LINKS[..., :2, :, :, :, :], set=2)
    (folder / "notes.txt").write_text("beta 5.7")
    return folder


def without_times(entries: Any) -> Any:
    return [{key: value for key, value in entry.items() if key != "read"} for entry in entries]


@of_program
@pytest.mark.parametrize("hash", ["sha256", "blake3"])
def test_a_manifest_is_the_one_of_the_program(store: pathlib.Path, tmp_path: pathlib.Path, hash: str) -> None:
    manifest = ls.manifest(store, hash=hash, xml=["beta", ".//run"])
    *expected, _ = program("manifest", store, "--hash", hash, "--xml", "beta", "--xml", ".//run")
    assert without_times(manifest.values()) == without_times(expected)
    assert manifest["a/lat.10.lime"]["fields"][0]["polyakov_loop"] and manifest["a/lat.30.lime"]["verdict"] == "wrong"
    manifest.write(tmp_path / "manifest")
    *entries, end = [json.loads(line) for line in (tmp_path / "manifest").read_text().splitlines()]
    assert entries == list(manifest.values()) and end["entries"] == len(manifest) == len(expected)
    assert ls.manifest(tmp_path / "manifest") == manifest
    assert program("ensemble", tmp_path / "manifest", "--json") == program("ensemble", store, "--json")


@of_program
def test_ensembles_are_those_of_the_program(store: pathlib.Path) -> None:
    *ensembles, of_store = program("ensemble", store, "--json")
    found = ls.ensemble(store)
    assert (found["ensembles"], found["findings"], found["ok"]) == (ensembles, of_store["findings"], of_store["ok"])
    assert {one["kind"] for one in found["ensembles"][0]["findings"]} >= {"gap", "wrong"}
    assert ls.ensemble(ls.manifest(store)) == found
    assert "lat.{n}.lime" in repr(found) and "gap" in repr(found)
    named = ls.ensemble(store, name="lat.{n}.lime")
    assert named["ensembles"] == program("ensemble", store, "--name", "lat.{n}.lime", "--json")[:-1]


@of_program
def test_tables_are_those_of_the_program(store: pathlib.Path) -> None:
    columns = ["file", "verdict", "rules", "extents", "update", "lfn", "suma", "plaquette", "temporal_plaquette", "link_trace",
               "polyakov_loop_re", "polyakov_loop_im", "xml:beta", "header:ENSEMBLE_ID", "sha256"]
    table = ls.manifest(store).table(*columns)
    rows = program("table", store, "--columns", ",".join(columns), "--json")
    assert list(table.rows()) == rows
    assert table["xml:beta"][0] == "5.6" and table["header:ENSEMBLE_ID"].count("mine") == 1
    with pytest.raises(ValueError, match="there is no column 'dims'"):
        ls.manifest(store).table("dims")


@of_program
def test_the_files_of_an_archive_are_those_of_the_program(store: pathlib.Path) -> None:
    with tarfile.open(store / "old.tar.gz", "w:gz") as archive:
        for path in (store / "a").iterdir():
            archive.add(path, f"run.{path.name}")
    before = ls.manifest(store)
    table = before.table("file", "verdict", "update", "plaquette")
    assert list(table.rows()) == program("table", store, "--columns", ",".join(table), "--json")
    assert any(name.startswith("old.tar.gz!run.") for name in table["file"]) and "old.tar.gz" not in table["file"]
    assert ls.ensemble(before)["ensembles"] == program("ensemble", store, "--json")[:-1]
    assert any(one["ensemble"].startswith("old.tar.gz!run.") for one in ls.ensemble(before)["ensembles"])


@of_program
def test_changes_are_those_of_the_program(store: pathlib.Path, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "manifest"
    ls.manifest(store).write(path)
    content = bytearray((store / "a" / "lat.20.lime").read_bytes())
    content[len(content) // 2] ^= 1
    (store / "a" / "lat.20.lime").write_bytes(content)
    (store / "old.nersc").rename(store / "new.nersc")
    (store / "a" / "lat.50.lime").unlink()
    ls.write(store / "a" / "lat.60.lime", LINKS, update=60)
    *expected, counts = program("check", store, "--manifest", path, "--json")
    changes = ls.check(store, manifest=path)
    assert changes["changes"] == expected
    assert {one["change"] for one in expected} >= {"damaged", "moved", "gone"}
    for key in ("files", "gone", "damaged", "moved", "copied", "ok"):
        assert changes[key] == counts[key], key
    assert not changes["ok"] and "damaged: a/lat.20.lime" in repr(changes)
    changes.manifest.write(path, replace=True)
    again = ls.check(store, manifest=path)
    assert [one["change"] for one in again["changes"]] == ["still-damaged", "still-damaged"]
    assert ls.check(store, manifest=ls.manifest(path), scrub=1)["trusted"] == 0
    # A manifest in its store is no part of it.
    ls.manifest(store).write(store / "m")
    assert {one["change"] for one in ls.check(store, manifest=store / "m")["changes"]} == {"still-damaged"}


def test_files_can_be_left_out(store: pathlib.Path) -> None:
    assert [*ls.manifest(store, exclude=["a", "*.txt"])] == ["old.nersc", "set.vol0000", "set.vol0001"]
    assert [*ls.manifest(store, exclude="*.lime")] == ["notes.txt", "old.nersc", "set.vol0000", "set.vol0001"]
    before = ls.manifest(store)
    assert "gone" not in {one["change"] for one in ls.check(store, manifest=before, exclude="a")["changes"]}


def test_wrong_arguments_are_refused(store: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError):
        ls.manifest(tmp_path / "none")
    with pytest.raises(ls.FormatError, match="not a line of a manifest"):
        ls.manifest(store / "notes.txt")
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(ls.FormatError, match="the last line"):
        ls.ensemble(tmp_path / "empty")
    ls.manifest(store).write(tmp_path / "m")
    altered = (tmp_path / "m").read_text().replace('"verdict":"wrong"', '"verdict":"ok"')
    (tmp_path / "altered").write_text(altered)
    with pytest.raises(ls.FormatError, match="altered"):
        ls.manifest(tmp_path / "altered")
    with pytest.raises(FileExistsError):
        ls.manifest(store).write(tmp_path / "m")
    for wrong, error in (
        ({"hash": "md5"}, ValueError),
        ({"xml": 5}, TypeError),
        ({"exclude": b"a"}, TypeError),
        ({"observables": 1}, TypeError),
        ({"verify": True}, TypeError),
    ):
        with pytest.raises(error):
            ls.manifest(store, **wrong)
    for wrong, error in (
        ({"scrub": 0}, ValueError),
        ({"scrub": "7d"}, TypeError),
        ({"lenient": True}, TypeError),
        ({"slices": True}, TypeError),
        ({"token": "x"}, TypeError),
    ):
        with pytest.raises(error):
            ls.check(store, manifest=tmp_path / "m", **wrong)
    with pytest.raises(ValueError, match="directory"):
        ls.manifest(tmp_path / "m", xml="beta")
    with pytest.raises(NotADirectoryError):
        ls.check(store / "notes.txt", manifest=tmp_path / "m")
    with pytest.raises(ValueError, match="{n}"):
        ls.ensemble(store, name="lat.10.lime")
    for wrong in (5, None, ["a"]):
        with pytest.raises(TypeError):
            ls.manifest(wrong)


def test_an_empty_store_has_nothing(tmp_path: pathlib.Path) -> None:
    (tmp_path / "empty").mkdir()
    manifest = ls.manifest(tmp_path / "empty")
    assert len(manifest) == 0 and repr(manifest) == "<linkstream.Manifest of 0 files>"
    assert ls.ensemble(manifest) == {"ensembles": [], "findings": [], "ok": True}
    assert manifest.table("file") == {"file": []}


def test_an_exception_of_a_callback_ends_the_call(store: pathlib.Path) -> None:
    numbers = []
    ls.manifest(store, progress=lambda done, total: numbers.append((done, total)))
    assert numbers[-1][0] == numbers[-1][1] > 0

    def stop(done: int, total: int) -> None:
        raise KeyError(done)

    with pytest.raises(KeyError):
        ls.ensemble(store, progress=stop)


def test_threads_share_a_manifest(store: pathlib.Path) -> None:
    manifest = ls.manifest(store)
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(ls.ensemble(manifest))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [ls.ensemble(store)] * 8


@pytest.mark.skipif(os.name != "posix", reason="names need not be UTF-8")
def test_names_that_are_no_text_are_kept(tmp_path: pathlib.Path) -> None:
    name = os.fsdecode(b"lat.\xff.lime")
    ls.write(tmp_path / name, LINKS)
    manifest = ls.manifest(tmp_path)
    assert [*manifest] == [name] and (tmp_path / next(iter(manifest))).exists()
