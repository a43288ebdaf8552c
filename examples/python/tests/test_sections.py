"""Sections of scda files, and the matrices of INEBIN files."""

from __future__ import annotations

import hashlib
import pickle
import struct
from typing import Any

import numpy as np
import pytest
from conftest import FIXTURES, manifest
from formulas import payload, sizes, splitmix64

import linkstream as ls


# The elements of most sections, and matrices, have no checksum.
pytestmark = pytest.mark.filterwarnings("ignore::linkstream.UnverifiedWarning")


def logical(described: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The sections as they are listed: a compressed one is two in the file, and has the offset of the first."""
    result = []
    for section in described:
        if section.get("convention", "").endswith("-header"):
            offset, of_elements = section["offset"], {key: section[key] for key in ("U", "U_sizes") if key in section}
        elif "convention" in section:
            # The sizes of the elements in the file are the sizes of their text.
            plain = {"data_sha256": section["plain_sha256"], "type": section["convention"], "compressed": True}
            result.append({**section, **of_elements, **plain, "offset": offset})
        else:
            result.append(section)
    return result


def element_sizes(section: dict[str, Any]) -> list[int] | None:
    """The size of each element; None if they are more than memory can hold."""
    count = int(section.get("N", 1))
    if section["type"] == "I":
        return [32]
    if section["type"] == "V":
        return sizes(section.get("U_sizes", section.get("sizes")), count)
    size = int(section["U"] if "compressed" in section else section["E"])
    return [size] * count if count < 1 << 20 and size < 1 << 30 else None


@pytest.mark.parametrize("described", manifest("scda"), ids=lambda file: file["path"])
def test_sections_have_the_elements_of_the_manifest(described: dict[str, Any]) -> None:
    file = ls.open(FIXTURES / "scda" / described["path"], verify="if possible")
    listed = logical(described["section"])
    assert len(file.sections) == len(listed)
    for section, about in zip(file.sections, listed):
        assert section._raw.letter == about["type"]
        assert section._raw.user == bytes.fromhex(about["user_hex"])
        assert section.offset == about["offset"]
        if section.type == "header":
            assert (section.count, section.read()) == (0, b"")
            continue
        assert section.verification == "not read" and repr(section)
        of = element_sizes(about)
        if of is None and int(about["E"]) == 0:
            assert (section.count, section.nbytes, section.read()) == (int(about["N"]), 0, b"")
            continue
        if of is None:
            with pytest.raises(ls.Error, match="more bytes than 64 bits"):
                section.nbytes  # noqa: B018
            continue
        data = section.read()
        assert hashlib.sha256(data).hexdigest() == about["data_sha256"]
        assert section.sizes.tolist() == of
        elements = list(section)
        assert list(map(len, elements)) == of and b"".join(elements) == data
        assert section.is_compressed == ("compressed" in about)
        assert section.verification == ("verified" if section.is_compressed else "unverified")
        if of:
            assert section[-1] == elements[-1] and section[len(of) // 2] == elements[len(of) // 2]
            assert section[1:3] == elements[1:3]
        into = bytearray(len(data))
        section.read_into(into)
        assert into == data


@pytest.mark.parametrize("described", manifest("broken-scda"), ids=lambda file: file["path"])
def test_damaged_files_have_no_wrong_elements(described: dict[str, Any]) -> None:
    path = FIXTURES / "broken-scda" / described["path"]
    report = ls.check(path, observables=False)
    refused = False
    try:
        for section in ls.open(path, verify="if possible").sections:
            section.read()
            list(section)
    except ls.Error as error:
        refused = True
        if error.rule:
            assert error.rule in {finding["rule"] for finding in report["findings"]}
    # Errors that leave the data certain do not prevent reading, as for the program without --strict.
    if not refused:
        lenient = ls.check(path, lenient=True, observables=False)
        assert lenient["verdict"] != "wrong", lenient["findings"]


def test_sections_by_the_text_of_the_user() -> None:
    file = ls.open(FIXTURES / "scda" / "mixed-all.scda")
    texts = [section.user for section in file.sections]
    unique = next(text for text in texts if texts.count(text) == 1)
    assert file.sections[unique].index == texts.index(unique)
    with pytest.raises(KeyError, match="no section has the text"):
        file.sections["no such text"]
    with pytest.raises(IndexError):
        file.sections[len(texts)]
    again = pickle.loads(pickle.dumps(file))
    assert [section.user for section in again.sections] == texts


def test_arrays_of_numbers() -> None:
    path = FIXTURES / "scda" / "arrays-f64.scda"
    (section, *_) = [section for section in ls.open(path, verify="if possible").sections if section.type == "array" and section.count]
    numbers = section.numpy("<f8")
    assert numbers.shape == (section.count, section._raw.element_size // 8)
    assert numbers.tobytes() == section.read()
    with pytest.raises(ValueError, match="not numbers of 7 bytes"):
        section.numpy("V7")
    with pytest.raises(ValueError, match="the buffer has 3"):
        section.read_into(bytearray(3))
    with pytest.raises(ValueError, match="read-only"):
        section.read_into(bytes(section.nbytes))
    with pytest.raises(ValueError, match="not contiguous"):
        section.read_into(np.zeros(2 * section.nbytes, "u1")[::2])


def entries(formula: str, letter: str, count: int) -> np.ndarray:
    """The entries of a matrix that a formula stands for."""
    name, _, rest = formula.partition(":")
    listed = rest.split(",")
    if letter == "B":
        if name == "bits":
            return np.array([bit == "1" for bit in rest])
        if name == "bmod":
            p, m = map(int, listed)
            return np.arange(count) * p % m == 0
        stream = np.frombuffer(payload(formula, -(-count // 8)), "u1")
        return np.unpackbits(stream, bitorder="little")[:count].astype(bool)
    if letter == "Z":
        if name == "ints":
            return np.array(list(map(int, listed)), "i8")
        if name == "zlin":
            p, q = map(int, listed)
            return np.arange(count, dtype="i8") * p + q
        return splitmix64(int(rest), count).view("i8")
    numbers = count * (2 if letter == "C" else 1)
    if name == "nums":
        values = np.array(list(map(float, listed)), "f8")
    elif name == "f64hex":
        values = np.array([struct.unpack(">d", bytes.fromhex(word))[0] for word in listed], "f8")
    else:
        values = np.frombuffer(payload(formula, 8 * numbers), "<f8").astype("f8")
    return values.view("c16") if letter == "C" else values


@pytest.mark.parametrize("described", manifest("inebin"), ids=lambda file: file["path"])
def test_matrices_have_the_entries_of_the_manifest(described: dict[str, Any]) -> None:
    file = ls.open(FIXTURES / "inebin" / described["path"], verify="if possible")
    shape = (described["rows"], described["cols"])
    if shape[0] * shape[1] > 1 << 24:
        return
    matrix = file.matrix()
    assert matrix.shape == shape
    assert matrix.dtype == {"B": "?", "Z": "i8", "R": "f8", "C": "c16"}[described["type"]]
    if described["rows"] * described["cols"]:
        values = entries(described["values"], described["type"], matrix.size)
        # The bits are compared: a NaN is not equal to itself.
        assert matrix.tobytes() == values.reshape(shape).tobytes()


@pytest.mark.parametrize("described", manifest("broken-inebin"), ids=lambda file: file["path"])
def test_damaged_matrices_are_refused(described: dict[str, Any]) -> None:
    path = FIXTURES / "broken-inebin" / described["path"]
    try:
        file = ls.open(path, verify="if possible")
        file.matrix()
    except ls.Error:
        return
    assert ls.check(path, lenient=True)["verdict"] != "wrong"


def test_files_without_a_matrix(sample) -> None:
    with pytest.raises(TypeError, match="has no matrix"):
        ls.open(sample).matrix()
