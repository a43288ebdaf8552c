"""Texts of files are changed, and nothing else."""

from __future__ import annotations

import os
import pathlib
import shutil

import numpy as np
import pytest
from conftest import FIXTURES
from fields import GAUGE, numbers

import linkstream as ls

LINKS = GAUGE["su3gauge"]
PLAQUETTE = "<usqcdInfo><version>1.0</version><plaq>0.9</plaq><linktr>0.1</linktr><info>x</info></usqcdInfo>"
NEW = {"lfn": "lfn://new/name", "update": 190, "record_xml": "<new>text</new>", "file_xml": "<file>new</file>"}


def changed(path: pathlib.Path, **texts: object) -> ls.File:
    with ls.edit(path) as edit:
        for name, value in texts.items():
            setattr(edit, name, value)
    return ls.open(path)


@pytest.mark.parametrize("before", [{}, {"lfn": "lfn://old/one", "update": 7, "record_xml": "<old/>", "file_xml": "<o/>"}])
@pytest.mark.parametrize("names", [["lfn"], ["update"], ["record_xml"], ["file_xml"], list(NEW)])
def test_texts_are_replaced_or_inserted(tmp_path: pathlib.Path, before: dict, names: list[str]) -> None:
    path = tmp_path / "lat"
    ls.write(path, LINKS, **before)
    sums = ls.open(path)[0].attrs["suma"]
    os.chmod(path, 0o640)
    file = changed(path, **{name: NEW[name] for name in names})
    for name, value in NEW.items():
        if name in names:
            assert file.attrs[name] == value
        elif name in before:
            assert file.attrs[name] == before[name]
    assert np.array_equal(file[0].numpy(), LINKS) and file[0].attrs["suma"] == sums
    report = ls.check(path)
    assert report["verdict"] == "ok"
    assert {one["rule"] for one in report["findings"]} <= {"ildg-lfn-missing"}
    assert os.stat(path).st_mode & 0o777 == 0o640 and os.listdir(tmp_path) == ["lat"]


def test_files_of_ildg_alone(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "lat"
    with pytest.warns(ls.WriteWarning, match="logical file name"):
        ls.write(path, LINKS, form="ildg")
    content = path.read_bytes()
    file = changed(path, lfn="lfn://a/b")
    # The name is a message of its own at the end; the bytes before it are the same.
    assert path.read_bytes().startswith(content) and file.attrs["lfn"] == "lfn://a/b"
    file = changed(path, lfn="lfn://a/longer", update=3)
    assert (file.attrs["lfn"], file.attrs["update"]) == ("lfn://a/longer", 3)
    assert ls.check(path)["verdict"] == "ok" and np.array_equal(file[0].numpy(), LINKS)
    with pytest.raises(ValueError, match="scidac-private-record-xml"):
        changed(path, record_xml="<a/>")


def test_a_file_that_has_the_texts_stays(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "lat"
    ls.write(path, LINKS)
    changed(path, **NEW)
    os.link(path, tmp_path / "same")
    changed(path, **NEW)
    assert os.path.samefile(path, tmp_path / "same")
    with pytest.warns(ls.WriteWarning, match="1 other hard link"):
        changed(path, update=191)
    assert not os.path.samefile(path, tmp_path / "same")


def test_each_field_has_its_own_texts(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "two"
    ls.write(path, [LINKS, ls.NewField(numbers(4, 3), record_xml="<two/>")], record_xml="<one/>")
    with ls.edit(path, field=1) as edit:
        assert edit.record_xml == "<two/>" and edit.lfn is None
        edit.record_xml = "<second>field</second>"
        assert edit.record_xml == "<second>field</second>"
    assert [field.attrs["record_xml"] for field in ls.open(path)] == ["<one/>", "<second>field</second>"]
    with pytest.raises(IndexError):
        ls.edit(path, field=2)


def test_errors_leave_the_old_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "lat"
    ls.write(path, LINKS, record_xml="<old/>")
    content = path.read_bytes()
    for texts, error in (
        ({"lfn": "no name"}, ValueError),
        ({"update": "x"}, ValueError),
        ({"update": 1.5}, TypeError),
        ({"lfn": None}, ValueError),
        ({"record_xml": "<not closed>"}, ls.DataError),
        ({"file_xml": "<a></b>"}, ls.DataError),
        ({"record_xml": PLAQUETTE}, ls.DataError),
    ):
        with pytest.raises(error):
            changed(path, **texts)
        assert path.read_bytes() == content and os.listdir(tmp_path) == ["lat"]
    with pytest.raises(ZeroDivisionError), ls.edit(path) as edit:
        edit.update = 5
        raise ZeroDivisionError
    assert path.read_bytes() == content

    def stop(done: int, total: int) -> None:
        raise KeyError

    with pytest.raises(KeyError), ls.edit(path, progress=stop) as edit:
        edit.update = 5
    assert path.read_bytes() == content and os.listdir(tmp_path) == ["lat"]
    ls.write(tmp_path / "archive", LINKS, form="nersc")
    for name in ("archive", "set"):
        if name == "set":
            ls.write(tmp_path / name, LINKS, set=2)
        with pytest.raises(ValueError, match="single LIME file"):
            ls.edit(tmp_path / name)


def test_other_hard_links_keep_the_old_file(tmp_path: pathlib.Path) -> None:
    path, other = tmp_path / "lat", tmp_path / "other"
    ls.write(path, LINKS)
    content = path.read_bytes()
    os.link(path, other)
    with pytest.warns(ls.WriteWarning, match="1 other hard link"):
        changed(path, update=7)
    assert other.read_bytes() == content and changed(path, update=8).attrs["update"] == 8


def test_files_of_other_programs(tmp_path: pathlib.Path) -> None:
    count = 0
    for path in sorted((FIXTURES / "qio").glob("*/*.lime")):
        try:
            file = ls.open(path, verify="if possible")
            if not len(file) or ls.check(path)["verdict"] != "ok" or "scidac-record-xml" not in {r.type for r in file.records}:
                continue
        except ls.Error:
            continue
        copy = tmp_path / path.name
        shutil.copy(path, copy)
        try:
            changed(copy, record_xml="<mine/>")
        except ls.DataError as error:
            print(path.name, error)
            continue
        count += 1
        new = ls.open(copy, verify="if possible")
        assert new[0].attrs["record_xml"] == "<mine/>"
        assert [(one.type, one.begins_message, one.ends_message) for one in new.records] == [
            (one.type, one.begins_message, one.ends_message) for one in file.records
        ]
        for one, other in zip(file, new, strict=True):
            assert one.numpy().tobytes() == other.numpy().tobytes()
    assert count > 10
