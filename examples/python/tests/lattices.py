"""Gauge fields of any size, which need no space on the disk if they are zero."""

from __future__ import annotations

import pathlib
import zlib

import numpy as np
from made import checksum, record


def text(name: str, content: str, begin: bool = False, end: bool = False) -> bytes:
    """A record with a document."""
    return record(name, f'<?xml version="1.0" encoding="UTF-8"?>{content}'.encode(), begin=begin, end=end)


def sums(array: np.ndarray) -> tuple[int, int]:
    """The SciDAC checksum of an array with the sites in its first four axes, in the byte order of the file."""
    suma = sumb = 0
    for place, site in enumerate(array.reshape(-1, *array.shape[4:])):
        suma, sumb = added(suma, sumb, place, zlib.crc32(site.tobytes()))
    return suma, sumb


def added(suma: int, sumb: int, place: int, crc: int) -> tuple[int, int]:
    return suma ^ rotated(crc, place % 29), sumb ^ rotated(crc, place % 31)


def rotated(word: int, by: int) -> int:
    return ((word << by) | (word >> (32 - by))) & 0xFFFFFFFF if by else word


def sums_of_zeros(sites: int) -> tuple[int, int]:
    """The SciDAC checksum of links in double precision that are zero."""
    crc, found = zlib.crc32(bytes(576)), [0, 0]
    for which, modulus in enumerate((29, 31)):
        for by in range(modulus):
            if len(range(by, sites, modulus)) % 2:
                found[which] ^= rotated(crc, by)
    return found[0], found[1]


def write(
    path: pathlib.Path,
    lattice: tuple[int, int, int, int],
    links: np.ndarray | None = None,
    *,
    has_checksum: bool = True,
) -> int:
    """Writes an ILDG file with a lattice (x, y, z, t), and returns the offset of its data. Without links, the data are
    zeros in a hole of the file.
    """
    x, y, z, t = lattice
    sites = x * y * z * t
    length = 576 * sites
    stored = None if links is None else links.astype(">c16")
    begin = (
        text(
            "scidac-private-file-xml",
            f"<scidacFile><version>1.1</version><spacetime>4</spacetime><dims>{x} {y} {z} {t}</dims><volfmt>0</volfmt>"
            "</scidacFile>",
            begin=True,
        )
        + text("scidac-file-xml", "<title>test</title>", end=True)
        + text(
            "scidac-private-record-xml",
            "<scidacRecord><version>1.1</version><date>Fri Nov 20 12:00:00 2026 UTC</date><recordtype>0</recordtype>"
            "<datatype>USQCD_D3_ColorMatrix</datatype><precision>D</precision><colors>3</colors>"
            "<typesize>144</typesize><datacount>4</datacount></scidacRecord>",
            begin=True,
        )
        + text("scidac-record-xml", "<info>test</info>")
        + text(
            "ildg-format",
            '<ildgFormat xmlns="http://www.lqcd.org/ildg"><version>1.0</version><field>su3gauge</field>'
            f"<precision>64</precision><lx>{x}</lx><ly>{y}</ly><lz>{z}</lz><lt>{t}</lt></ildgFormat>",
        )
        + record("ildg-binary-data", b"", end=not has_checksum, length=length)
    )
    with open(path, "wb") as file:
        file.write(begin)
        if stored is not None:
            file.write(stored.tobytes())
        file.seek(len(begin) + length)
        if has_checksum:
            suma, sumb = sums_of_zeros(sites) if stored is None else sums(stored)
            file.write(record("scidac-checksum", checksum(suma, sumb), end=True))
        file.truncate(max(file.tell(), len(begin) + length))
    return len(begin)


def random_links(lattice: tuple[int, int, int, int], seed: int = 1) -> np.ndarray:
    """Numbers that are all different."""
    x, y, z, t = lattice
    random = np.random.default_rng(seed)
    shape = (t, z, y, x, 4, 3, 3)
    return random.normal(size=shape) + 1j * random.normal(size=shape)
