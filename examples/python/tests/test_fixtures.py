"""Every fixture is read as the program `linkstream export` reads it, or refused with the rule that the program names.

The environment variable LINKSTREAM is the path of the program.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import warnings
from typing import Any

import numpy as np
import pytest
from conftest import FIXTURES, LONG, REPOSITORY

import linkstream as ls

PROGRAM = os.environ.get("LINKSTREAM", "")
OTHERS = pathlib.Path(os.environ.get("LINKSTREAM_FIXTURES", REPOSITORY.parent / "shared" / "fixtures"))
"""Files of other projects, which are no part of the repository."""

pytestmark = pytest.mark.skipif(not PROGRAM, reason="LINKSTREAM is not the path of the program")

NUMBERS = {"links-not-finite"}
"""Rules about the numbers of links, which no checksum shows: `linkstream.check` reports them."""
MEANING = {"links-not-finite", "links-not-unitary", "recorded-plaquette-differs", "recorded-link-trace-differs"}
"""Rules about links that agree with their SciDAC checksum, but that nobody can have meant: likewise."""


def files() -> list[Any]:
    """The files of the repository, and those that only other projects have; a quarter of them, unless all are wanted."""
    found = {path.relative_to(FIXTURES): path for path in FIXTURES.rglob("*") if path.is_file()}
    if OTHERS.is_dir():
        others = {path.relative_to(OTHERS): path for path in OTHERS.rglob("*") if path.is_file()}
        found = others | found
    data = [(str(name), path) for name, path in sorted(found.items()) if path.suffix != ".toml" and name.stem[0] != "."]
    if not LONG:
        data = data[::4]
    listed = [pytest.param(path, id=name) for name, path in data]
    if not OTHERS.is_dir():
        missing = pytest.mark.skip(reason="there are no files of other projects: LINKSTREAM_FIXTURES")
        listed.append(pytest.param(OTHERS, id="files of other projects", marks=missing))
    return listed


def program(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)


def report(path: pathlib.Path) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(program("check", "--json", "--lenient", path).stdout)
    return parsed


def errors(found: dict[str, Any]) -> set[str]:
    """The rules whose violations are errors."""
    return {finding["rule"] for finding in found["findings"] if finding["severity"] == "error"}


def rules(found: dict[str, Any]) -> set[str]:
    """The rules that the file breaks."""
    of_volumes = [finding for volume in found.get("volumes", []) for finding in volume["findings"]]
    return {finding["rule"] for finding in found["findings"] + of_volumes}


def exported(path: pathlib.Path, folder: pathlib.Path, *more: object) -> np.ndarray | str:
    """The array that the program exports, or the message with which it refuses."""
    out = folder / "exported.npy"
    run = program("export", path, out, "--force", *more)
    if run.returncode != 0:
        return run.stderr
    try:
        with np.errstate(invalid="ignore"):
            return np.load(out)
    except ValueError as error:
        # NumPy has no arrays of shapes such as (2**64 - 1, 0).
        assert "dimension" in str(error)
        return str(error)


def unverified(field: ls.Field) -> np.ndarray:
    return field.numpy(verify=False)


def assert_same(array: np.ndarray, expected: np.ndarray) -> None:
    assert array.dtype.isnative
    assert (array.shape, array.dtype) == (expected.shape, expected.dtype.newbyteorder("="))
    assert array.tobytes() == expected.astype(array.dtype).tobytes()


@pytest.mark.parametrize("path", files())
def test_a_file_is_read_as_the_program_exports_it(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    try:
        file = ls.open(path)
    except ls.Error as error:
        assert error.rule and error.class_ and error.message
        # The state of random numbers has no field: only the report knows it.
        # The program reads what is packed, the package names the packing.
        found = report(path)
        is_packed = error.rule == "format-not-read" and rules(found) & {"compression-damaged", "archive-damaged"}
        assert error.rule in rules(found) or is_packed or "state" in found
        assert isinstance(exported(path, tmp_path), str)
        return
    found = report(path)
    assert len(file) == (len(found["fields"]) if file.format == "lime" else file.format in ("nersc", "milc", "openqcd"))
    for field in file:
        assert_field(field, path, tmp_path)
    if file.format == "inebin":
        expected = exported(path, tmp_path)
        assert isinstance(expected, np.ndarray)
        with pytest.raises(ls.UnverifiedError, match="no checksum"):
            file.matrix()
        with pytest.warns(ls.UnverifiedWarning):
            assert_same(file.matrix(verify="if possible"), expected)
    # Sections have the same numbers in the program, compressed ones too.
    assert [section["offset"] for section in found.get("sections", [])] == [section.offset for section in file.sections]
    for section in file.sections[1:]:
        assert_section(section, section.index, path, tmp_path)


def assert_field(field: ls.Field, path: pathlib.Path, folder: pathlib.Path) -> None:
    expected = exported(path, folder, "--field", field.index)
    if isinstance(expected, np.ndarray):
        try:
            array = field.numpy()
        except ls.UnverifiedError as error:
            # The program warns of it, and `linkstream` wants to be asked.
            assert error.class_ == "unverified" and report(path)["verdict"] == "unverified"
            array = unverified(field)
        else:
            assert field.verification == "verified"
        assert_same(array, expected)
        return
    found = report(path)
    damaged = exported(path, folder, "--field", field.index, "--damaged")
    assert isinstance(damaged, np.ndarray)
    try:
        array = field.numpy()
    except ls.UnverifiedError as error:
        # The only proof of an openQCD file is its plaquette, which reading does not compute: it is never "verified".
        numbers = NUMBERS | ({"recorded-plaquette-differs"} if found["format"] == "openqcd" else set())
        assert f"[{error.rule}]" in expected or not error.rule and rules(found) & numbers
        assert_same(unverified(field), damaged)
    except ls.Error as error:
        assert f"[{error.rule}]" in expected
        # A verdict on the data does not depend on the way that they are read.
        for read in (field.verify, lambda: field[...], lambda: field[:1] if field.lattice else field[...]):
            with pytest.raises(type(error)) as other:
                read()
            assert other.value.rule == error.rule
    else:
        # The program refuses the file because of another field, or checks whether a program can have meant the links.
        assert found["fields"][field.index]["checksum"] == "match"
        assert any(other.get("checksum") != "match" for other in found["fields"]) or (
            field.verified_by == ("checksum",)
            and errors(found) <= MEANING
            and any(f"[{rule}]" in expected for rule in MEANING)
        )
        assert_same(array, damaged)


def assert_section(section: ls.Section, number: int, path: pathlib.Path, folder: pathlib.Path) -> None:
    expected = exported(path, folder, "--section", number)
    try:
        content = section.read()
    except ls.UnverifiedError:
        assert not section.is_compressed
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                content = section.read(verify="if possible")
        except ls.Error as error:
            assert isinstance(expected, str) and (not error.rule or f"[{error.rule}]" in expected)
            return
        assert any(issubclass(warning.category, ls.UnverifiedWarning) for warning in caught)
    except ls.Error as error:
        # Claimed sizes are refused before an element shows that they are wrong.
        assert isinstance(expected, str) and (not error.rule or f"[{error.rule}]" in expected)
        return
    if isinstance(expected, str):
        # Elements of various sizes are no array, and the program exports neither compressed ones nor 2^64 empty ones.
        assert section.type == "varray" or section.is_compressed or not content, expected
    else:
        assert content == expected.tobytes()


def test_a_report_is_that_of_the_program(tmp_path: pathlib.Path) -> None:
    for path in (FIXTURES / "qio").rglob("*.*"):
        if path.suffix == ".toml":
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            made = ls.check(path, lenient=True)
        assert made == report(path)
