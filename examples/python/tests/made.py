"""Files that are made for tests, also such that claim what they do not have."""

from __future__ import annotations

import pathlib
import struct

import numpy as np


def record(kind: str, payload: bytes, *, begin: bool = False, end: bool = False, length: int | None = None) -> bytes:
    """A LIME record, which can claim another length."""
    claimed = len(payload) if length is None else length
    flags = (begin << 15) | (end << 14)
    header = struct.pack(">IHHQ128s", 0x456789AB, 1, flags, claimed, kind.encode())
    return header + payload + bytes(-len(payload) % 8 if length is None else 0)


def document(name: str, **elements: object) -> bytes:
    inside = "".join(f"<{key}>{value}</{key}>" for key, value in elements.items())
    return f'<?xml version="1.0" encoding="UTF-8"?><{name}>{inside}</{name}>'.encode()


def scidac(
    dims: tuple[int, ...], data: bytes = b"", *, length: int | None = None, sums: tuple[int, int] | None = None, **about: object
) -> bytes:
    """A SciDAC file with one field, or its beginning up to the data if these have another length. `about` are elements of
    the record document."""
    described = {
        "version": "1.1",
        "date": "today",
        "recordtype": 0,
        "datatype": "QDP_D3_ColorMatrix",
        "precision": "D",
        "colors": 3,
        "typesize": 144,
        "datacount": 4,
    } | about
    sites = " ".join(map(str, dims))
    file = record(
        "scidac-private-file-xml",
        document("scidacFile", version="1.1", spacetime=len(dims), dims=sites, volfmt=0),
        begin=True,
    )
    file += record("scidac-file-xml", b"file", end=True)
    file += record("scidac-private-record-xml", document("scidacRecord", **described), begin=True)
    file += record("scidac-record-xml", b"record", end=False)
    file += record("scidac-binary-data", data, end=sums is None and length is None, length=length)
    if sums is not None:
        suma, sumb = sums
        file += record("scidac-checksum", checksum(suma, sumb), end=True)
    return file


def checksum(suma: int, sumb: int) -> bytes:
    return document("scidacChecksum", version="1.0", suma=f"{suma:x}", sumb=f"{sumb:x}")


def milc(links: np.ndarray, byte_order: str) -> bytes:
    """A file of MILC, version 5, with these links in single precision, in the byte order ``"<"`` or ``">"``."""
    data = links.astype(f"{byte_order}c8").tobytes()
    words = np.frombuffer(data, f"{byte_order}u4").astype("u8")
    places = np.arange(len(words), dtype="u8")
    # The exclusive or of the words, each rotated to the left by its place modulo 29 and 31.
    rotated = [words << places % modulus | words >> 32 - places % modulus for modulus in (29, 31)]
    sums = [int(np.bitwise_xor.reduce(one)) & 0xFFFFFFFF for one in rotated]
    header = struct.pack(f"{byte_order}5i64si", 20103, *links.shape[3::-1], b"Fri Nov 20 12:00:00 2026", 0)
    return header + struct.pack(f"{byte_order}2I", *sums) + data


def sparse(path: pathlib.Path, dims: tuple[int, ...], nbytes: int) -> pathlib.Path:
    """A file of zeros with this number of bytes of links, which occupies no space, and a wrong checksum."""
    start = scidac(dims, length=nbytes)
    with path.open("wb") as file:
        file.write(start)
        file.truncate(len(start) + nbytes)
        file.seek(0, 2)
        file.write(record("scidac-checksum", checksum(1, 2), end=True))
    return path
