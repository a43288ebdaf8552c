"""Files are, byte for byte, those that the program `linkstream` writes.

The environment variable LINKSTREAM is the path of the program.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import warnings
from typing import Any

import numpy as np
import pytest
from fields import GAUGE, numbers, unitary

import linkstream as ls

PROGRAM = os.environ.get("LINKSTREAM", "")
TEXTS = {"date": "Thu Nov 26 12:00:00 2026 UTC", "record_xml": "<record/>", "file_xml": "<file/>"}

pytestmark = pytest.mark.skipif(not PROGRAM, reason="LINKSTREAM is not the path of the program")


def program(*arguments: object) -> str:
    run = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stderr


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    ls.write(tmp_path / "in", GAUGE["su3gauge"], lfn="lfn://a/b", **TEXTS)
    return tmp_path


@pytest.mark.parametrize("precision", [32, 64])
@pytest.mark.parametrize("form", ["both", "ildg", "scidac"])
@pytest.mark.parametrize("rows", [None, "reduced"])
def test_forms(folder: pathlib.Path, form: Any, rows: str | None, precision: int) -> None:
    if (form, rows) == ("scidac", "reduced"):
        return
    texts = {} if form == "ildg" else TEXTS
    lfn = None if form == "scidac" else "lfn://a/b"
    options = ["--rows", rows] if rows else []
    program("convert", folder / "in", folder / "theirs", "--to", form, "--precision", precision, *options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ls.WriteWarning)
        ls.write(folder / "ours", GAUGE["su3gauge"], form=form, precision=precision, rows=rows, lfn=lfn, **texts)
    assert (folder / "ours").read_bytes() == (folder / "theirs").read_bytes()


@pytest.mark.parametrize("rows", ["full", "reduced"])
@pytest.mark.parametrize("byte_order", ["big", "little"])
def test_archives(folder: pathlib.Path, rows: str, byte_order: str) -> None:
    options = ["--rows", rows, "--byte-order", byte_order, "--precision", 32]
    program("convert", folder / "in", folder / "theirs", "--to", "nersc", *options)
    links = GAUGE["su3gauge"]
    ls.write(folder / "ours", links, form="nersc", rows=rows, byte_order=byte_order, precision="c8")
    assert (folder / "ours").read_bytes() == (folder / "theirs").read_bytes()


@pytest.mark.parametrize("audience", ["any", "gpt", "chroma", "grid", "tmlqcd", "qio"])
def test_other_programs(folder: pathlib.Path, audience: str) -> None:
    cube = unitary(3, (4, 4, 4, 4, 4))
    for links, dtype in ((cube, "c8"), (cube, "c16"), (GAUGE["su3gauge"], "c16")):
        for name in ("in", "ours", "theirs"):
            (folder / name).unlink(missing_ok=True)
        ls.write(folder / "in", links.astype(dtype), lfn="lfn://a/b")
        said = program("convert", folder / "in", folder / "theirs", "--for", audience)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            names = ("t", "z", "y", "x", "mu", "row", "column")
            ls.write(folder / "ours", links.astype(dtype), lfn="lfn://a/b", for_=audience, dims=names)
        assert (folder / "ours").read_bytes() == (folder / "theirs").read_bytes()
        # The same programs are named.
        assert len(caught) == said.count("warning: ") >= (audience == "any" and links is not cube)
        assert all(issubclass(warning.category, ls.WriteWarning) for warning in caught)
        assert all(str(warning.message) in said for warning in caught)
        assert all(warning.filename == __file__ for warning in caught)


def test_a_file_that_the_program_could_not_read_is_refused(tmp_path: pathlib.Path) -> None:
    links = unitary(3, (4, 4, 4, 4, 4))
    with pytest.raises(ls.DataError, match="Grid cannot read the file: there is no ildg-data-lfn"):
        ls.write(tmp_path / "no", links, for_="grid")
    with pytest.raises(ls.DataError, match="CL2QCD cannot read the file"):
        ls.write(tmp_path / "no", GAUGE["su3gauge"], for_="cl2qcd")
    with pytest.raises(ValueError, match="gauge field"):
        ls.write(tmp_path / "no", numbers(4, 3), for_="gpt")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", ["both", "scidac"])
def test_file_sets(folder: pathlib.Path, form: Any) -> None:
    volumes = ["--volumes", "5x1x2x2", "--io", "1x1x2x2", "--to", form]
    program("convert", folder / "in", folder / "theirs", *volumes)
    lfn = "lfn://a/b" if form == "both" else None
    which = ls.Volumes((2, 2, 1, 5), io=(2, 2, 1, 1))
    ls.write(folder / "ours", GAUGE["su3gauge"], set=which, form=form, lfn=lfn, **TEXTS)
    theirs = sorted(folder.glob("theirs*"))
    assert len(theirs) == 4
    for volume in theirs:
        assert volume.read_bytes() == (folder / f"ours{volume.suffix}").read_bytes()


def test_matrices(tmp_path: pathlib.Path) -> None:
    random = np.random.default_rng(1)
    for letter, array in {
        "B": random.integers(0, 2, (3, 5)).astype(bool),
        "Z": random.integers(-9, 9, (3, 5)),
        "R": random.normal(size=(3, 5)),
        "C": random.normal(size=(3, 5)) + 1j,
    }.items():
        ls.write_matrix(tmp_path / f"{letter}.ours", array)
        program("inebin", "to-csv", tmp_path / f"{letter}.ours", tmp_path / f"{letter}.csv")
        program("inebin", "from-csv", "--type", letter, tmp_path / f"{letter}.csv", tmp_path / f"{letter}.theirs")
        assert (tmp_path / f"{letter}.ours").read_bytes() == (tmp_path / f"{letter}.theirs").read_bytes()


@pytest.mark.parametrize("mime", [False, True])
@pytest.mark.parametrize("compress", [None, 0, 5, 9])
def test_sections(tmp_path: pathlib.Path, compress: int | None, mime: bool) -> None:
    data = np.random.default_rng(1).integers(0, 9, (1000, 3), "u2")
    for name, content in {"a": data.tobytes(), "b": b"", "c": bytes(32)}.items():
        (tmp_path / name).write_bytes(content)
    a, b, c = (tmp_path / name for name in "abc")
    sections = [f"inline:i={c}", f"block:bl={a}", f"array:ar:6={a}", f"varray:va={a},{b},{c}", f"block:empty={b}"]
    options = ["--mime"] * mime + (["--compress", "--level", compress] if compress is not None else [])
    program("scda", "create", tmp_path / "theirs", *sections, "--user", "mine", *options)
    ls.write_scda(
        tmp_path / "ours",
        [
            ("inline", "i", bytes(32)),
            ("block", "bl", data),
            ls.NewSection("array", "ar", data),
            ("varray", b"va", [data, b"", bytearray(32)]),
            ("block", "empty", b""),
        ],
        user="mine",
        mime=mime,
        compress=False if compress is None else compress,
    )
    assert (tmp_path / "ours").read_bytes() == (tmp_path / "theirs").read_bytes()
