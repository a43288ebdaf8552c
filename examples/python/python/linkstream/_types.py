"""Types of arguments and results."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union

# A union of two, because the check of types against the running module knows no alias of a Literal alone.
Program = Union[
    Literal["any"],
    Literal[
        "qio", "milc", "chroma", "quda", "grid", "gpt", "tmlqcd", "cl2qcd", "simulateqcd", "lyncs", "pyquda", "gaugefields"
    ],
]
"""Programs that files are written for."""

Item = Union[
    Literal["propagator", "dirac_fermion", "half_fermion", "color_vector", "color_matrix"], Literal["complex", "real"]
]
"""Kinds of fields that are no links."""

Kind = Union[Item, Literal["su2gauge", "su3gauge", "u1gauge", "su4gauge", "sp4gauge", "so3gauge"], str]
"""Kinds of fields: items, and the gauge fields of ILDG 1.2 with any number of colors."""

VerdictName = Union[Literal["ok", "unverified"], Literal["wrong", "unreadable"]]
"""Verdicts of :func:`linkstream.check`."""


_Class = TypedDict("_Class", {"class": str})
"""An entry whose name is a word of Python."""


class Finding(_Class):
    """A broken rule."""

    severity: Literal["error", "warning"]
    rule: str
    clause: str | None
    offset: int
    message: str


class UnverifiedReason(TypedDict, total=False):
    """Why data are not verified."""

    reason: str
    message: str
    parts: int
    first: int


class Checksum(TypedDict):
    """A checksum of a field, as stored and as computed."""

    name: str
    stored: str | None
    computed: str | None


class Recorded(TypedDict):
    """A quantity that a text of the file records."""

    quantity: str
    record: str
    offset: int
    recorded: str
    computed: str | None
    agrees: bool | None


class FieldReport(TypedDict, total=False):
    """A field in a report: ``examples/report/JSON.md`` describes the entries. What a file does not have is absent, and so are
    observables that were not computed.
    """

    offset: int
    data_offset: int
    region: Literal["lattice", "hypercube", "global"]
    source: str
    extents: list[int]
    lower: list[int]
    upper: list[int]
    datatype: str
    precision: Literal[32, 64] | None
    bytes_per_site: int
    sites: int
    links: dict[str, Any]
    array: dict[str, Any]
    date: str
    record_type: str
    colors: int
    spins: int
    typesize: int
    datacount: int
    lfn: str
    update: str
    byte_order: Literal["big", "little"] | None
    site_list: bool
    checksums: list[Checksum]
    checksum: Literal["match", "mismatch", "absent"] | None
    cksum: int
    open: list[dict[str, Any]]
    gauge_kind: str
    plaquette: float
    spatial_plaquette: float
    temporal_plaquette: float
    planes: list[dict[str, Any]]
    link_trace: float
    directions: list[dict[str, Any]]
    polyakov_loop: list[float]
    max_unitarity_deviation: float
    max_determinant_deviation: float
    unitarity_threshold: float
    widened: bool
    slices: list[dict[str, Any]]
    recorded: list[Recorded]


class ManifestField(TypedDict, total=False):
    """A field in a manifest. What a file does not have is absent."""

    data_offset: int
    data_bytes: int
    region: str
    extents: list[int]
    precision: int
    datatype: str
    group: str
    boundary: str
    lfn: str
    update: str
    checksums: dict[str, str]
    checksum: str
    cksum: int
    plaquette: float
    spatial_plaquette: float
    temporal_plaquette: float
    link_trace: float
    polyakov_loop: list[float]
    recorded: list[dict[str, Any]]


class ManifestEntry(TypedDict, total=False):
    """A file in a manifest. What a file does not have is absent."""

    schema: int
    file: str
    file_hex: str
    bytes: int
    modified: str | None
    changed: str | None
    read: str
    format: str | None
    verdict: Literal["ok", "unverified", "other", "wrong", "unreadable"]
    sha256: str
    blake3: str
    md5: str
    texts: str
    data: str
    set: str
    error: str
    rules: list[str]
    was: dict[str, Any]
    fields: list[ManifestField]
    packing: list[str]
    members: list[ManifestEntry]
    members_left_out: int
    header: dict[str, str]
    xml: dict[str, str]


class Change(TypedDict, total=False):
    """A change of a store since its manifest was written."""

    schema: int
    file: str
    file_hex: str
    change: Literal["new", "gone", "modified", "moved", "copied", "damaged", "still-damaged", "repaired", "unreadable"]
    part: Literal["texts", "data", "both"]
    before: str | None
    verdict: str | None
    why: str | None
    ok: bool


class StoreFinding(TypedDict):
    """What does not fit in an ensemble, or in a store."""

    kind: str
    files: list[str]
    message: str


class Ensemble(TypedDict):
    """Files of a store whose names differ in a number."""

    schema: int
    ensemble: str
    files: int
    first: int | None
    last: int | None
    step: int | None
    plaquette_median: float | None
    plaquette_spread: float | None
    findings: list[StoreFinding]
    ok: bool
