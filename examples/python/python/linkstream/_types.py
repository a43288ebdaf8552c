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


class Finding(TypedDict):
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


class FieldReport(TypedDict, total=False):
    """A field of a LIME file in a report. Observables are absent unless they were computed."""

    offset: int
    kind: str
    source: Literal["scidac", "ildg"]
    dims: list[int]
    datatype: str
    precision: Literal[32, 64] | None
    bytes_per_site: int
    sites: int
    array: dict[str, Any]
    suma: str | None
    sumb: str | None
    checksum: str | None
    plaquette: float
    link_trace: float
    slices: list[dict[str, Any]]
