"""Arrays with properties of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence

from ._types import Kind


@dataclass(frozen=True)
class NewField:
    """An array with properties of its own, for :func:`linkstream.write`.

    Attributes
    ----------
    array :
        The numbers, with the axes of the lattice first: ``t, z, y, x``.
    kind : str, optional
        What the numbers are; see :func:`linkstream.write`.
    dims : sequence of str, optional
        The name of each axis, as in :attr:`linkstream.Field.dims`. They are compared with the axes of the kind.
    datatype : str, optional
        The name of the type in the SciDAC record, instead of the usual one.
    record_xml : str, optional
        The text about this field, instead of the one for all fields.
    update : str or int, optional
        The update number of this field.
    lower : sequence of int, optional
        The array is a hypercube of the lattice: the place ``(t, z, y, x)`` of its first site.
    is_global : bool
        The array has no axes of the lattice: the numbers belong to no site.
    """

    array: Any
    kind: Kind | None = None
    dims: Sequence[str] | None = None
    datatype: str | None = None
    record_xml: str | None = None
    update: str | int | None = None
    lower: Sequence[int] | None = None
    is_global: bool = False
