"""Writing fields."""

from __future__ import annotations

import os
import warnings
from typing import Any, Callable, Literal, Mapping, NamedTuple, Sequence

import numpy as np

from . import _linkstream
from ._arrays import given
from ._carried import Carried, carry, without_texts
from ._errors import DataError, WriteWarning
from ._layouts import LayoutName
from ._new_field import NewField
from ._options import difference, flag, integer, integers, names, number_text, text, text_or_integer
from ._paths import new_path
from ._taken import Taken, arranged, assumption, taken
from ._types import Kind, Program
from ._verification import frames_outside

_FORMS = ("both", "ildg", "scidac", "nersc")


class Volumes(NamedTuple):
    """The volumes of a new file set.

    Attributes
    ----------
    nodes : int or sequence of int
        Number of nodes along each axis ``t, z, y, x``. A number alone divides ``t``.
    io : sequence of int, optional
        Number of volumes along each axis ``t, z, y, x``. By default, each node has one.
    in_directories : bool
        The volumes are ``volNNNN/NAME`` instead of ``NAME.volNNNN``.
    """

    nodes: int | Sequence[int]
    io: Sequence[int] | None = None
    in_directories: bool = False


def write(
    path: Any,
    arrays: Any,
    *,
    like: Any = None,
    for_: Program | None = None,
    form: Literal["both", "ildg", "scidac", "nersc"] = "both",
    kind: Kind | None = None,
    dims: Sequence[str] | None = None,
    precision: Any = None,
    rows: str | int | None = None,
    tolerance: float | None = None,
    lfn: str | None = None,
    update: str | int | None = None,
    date: str | None = None,
    file_xml: str | None = None,
    record_xml: str | None = None,
    header: Mapping[str, str] | None = None,
    byte_order: str = "big",
    checksum: bool = True,
    lattice: Sequence[int] | None = None,
    layout: LayoutName | None = None,
    plaquette: float | str | None = None,
    set: int | Sequence[int] | Volumes | None = None,  # noqa: A002
    replace: bool = False,
    unitary: bool = True,
    finite: bool = True,
    progress: Callable[[int, int], object] | None = None,
) -> None:
    """Writes fields as a new file, which appears under its name only when it is complete and was read back.

    The axes of an array are ``t, z, y, x`` and then those of the numbers of a site, as :func:`linkstream.open` returns
    them:

    ==================  ==============================================================  ========
    kind                axes of a site                                                  numbers
    ==================  ==============================================================  ========
    ``"su3gauge"``      ``mu``: x, y, z, t; ``row``, ``column``: 3, or 2 rows           complex
    ``"propagator"``    ``spin`` (of the sink) 4, ``spin_source`` 4,                    complex
                        ``color`` (of the sink), ``color_source``
    ``"dirac_fermion"`` ``spin`` 4, ``color``                                           complex
    ``"half_fermion"``  ``spin`` 2, ``color``                                           complex
    ``"color_vector"``  ``color``                                                       complex
    ``"color_matrix"``  ``row``, ``column``                                             complex
    ``"complex"``       any: they are one axis ``item`` in the file                     complex
    ``"real"``          any: they are one axis ``item`` in the file                     real
    ==================  ==============================================================  ========

    All kinds of ILDG 1.2 are written: ``su2gauge``, ``sp4gauge``, ``u1gauge``, ``so3gauge`` (real) and so on. An axis
    ``item`` can precede those of the kind if a site has several. NumPy cannot tell whether axes of equal extents are in
    the right order: give ``dims``, or an array that has them (of xarray), and they are compared. Spinors keep the basis
    of the gamma matrices that they have: files do not say which it is.

    Parameters
    ----------
    path :
        The new file.
    arrays :
        An array, a :class:`NewField`, or a list of them, which become the fields of the file in this order. An array is
        one of NumPy in any layout and byte order; of another library, through ``__dlpack__`` or ``__array__``; or an
        object with slices that is read in blocks, such as a :class:`linkstream.Field` or an array of Dask. Also a
        :class:`linkstream.File` or a dataset of xarray, with all of its fields.

        The new file says what the file of a field says, as far as its form can hold it: logical file name, update number,
        texts of the user, date, header lines. What it cannot hold is a warning, unless an option replaces it.
    like :
        A field, a file, or a list of them: the arrays have its axes, and the new file says what it says.
    for_ :
        The program that reads the file: ``"qio"``, ``"milc"``, ``"chroma"``, ``"quda"``, ``"grid"``, ``"gpt"``,
        ``"tmlqcd"``, ``"cl2qcd"``, ``"simulateqcd"``, ``"lyncs"``, ``"pyquda"``, ``"gaugefields"``, or ``"any"`` for
        nearly all of them. One gauge field is written as ILDG in the form that the program reads. What it could
        not read is an error. For file sets, use ``set``.
    form :
        ``"both"``: SciDAC documents, and an ildg-format for each gauge field, as QIO writes them. ``"ildg"``: ILDG 1.2.
        ``"scidac"``: SciDAC. ``"nersc"``: an archive of one SU(3) field.
    kind :
        What the numbers are. By default, it follows from the names of the axes; or from their extents, for links of
        SU(N), and for Dirac fermions and propagators of three colors.
    dims :
        The name of each axis.
    precision :
        32 or 64, or a type of NumPy. By default, as in the array.
    rows :
        Stored rows of each link: ``"full"``, ``"reduced"`` or a number. By default, as in the array.
    tolerance :
        Largest difference between rows that are left out and the ones computed from the others. By default, 1e-6 in
        single precision and 1e-12 in double precision.
    lfn, update :
        Logical file name, and update number, of ILDG.
    date, file_xml, record_xml :
        Date and texts of SciDAC documents. Without ``record_xml``, links of SU(3) get a ``usqcdInfo`` with their plaquette
        and link trace.
    header :
        Header lines of a NERSC archive, such as ``{"ENSEMBLE_ID": "my ensemble"}``.
    byte_order :
        Of a NERSC archive: ``"big"`` or ``"little"``.
    checksum :
        False for an ILDG file without one. Other files always have one.
    lattice :
        The extents ``(t, z, y, x)``, if no field is on the whole lattice, or if the arrays have a layout that does not
        show them.
    layout :
        The arrays have the order of axes, sites and directions of a program: one of :data:`linkstream.layouts`.
    plaquette :
        The average plaquette of the links, to as many digits as are given: links in the wrong order do not have it, and
        are a :class:`linkstream.DataError`.
    set :
        Writes a file set: the number of nodes along ``t``, or along each axis ``t, z, y, x``, or :class:`Volumes`.
    replace :
        Whether an existing file may be replaced.
    unitary, finite :
        Whether links that are not unitary, and numbers that are infinite or NaN, are an error.
    progress : callable, optional
        Called with the number of bytes written and read back so far, and their total number. An exception ends the
        call, and nothing is written.

    Raises
    ------
    FileExistsError
        The file exists, and ``replace`` is false.
    OSError
        The file cannot be written.
    TypeError, ValueError
        An array does not have the axes or the numbers of its kind, or no file has the requested form.
    linkstream.DataError
        The numbers are not finite or not unitary, or the program could not read the file.
    linkstream.Error
        The written file does not read back as expected.

    Warns
    -----
    linkstream.WriteWarning
        The new ILDG file (``for_`` or ``form="ildg"``) has no logical file name, or no checksum; or some programs
        cannot read it. If the warning is an exception, nothing is written.
    """
    if isinstance(arrays, (list, tuple)) and not arrays:
        raise ValueError("there are no arrays to write")
    if form not in _FORMS:
        raise ValueError(f"form is one of {', '.join(_FORMS)}, not {form!r}")
    if byte_order not in ("big", "little"):
        raise ValueError(f"byte_order is 'big' or 'little', not {byte_order!r}")
    if isinstance(set, (bool, np.bool_)):
        raise TypeError(f"set is a number of nodes, a number for each axis (t, z, y, x), or Volumes; not {set!r}")
    volumes = set if isinstance(set, Volumes) or set is None else Volumes(set)
    checksum = flag("checksum", checksum)
    _check_options(
        for_=for_,
        form=form,
        is_set=set is not None,
        rows=rows,
        tolerance=tolerance,
        lfn=lfn,
        update=update,
        date=date,
        file_xml=file_xml,
        record_xml=record_xml,
        header=header,
        byte_order=byte_order if byte_order != "big" else None,
        checksum=None if checksum else False,
    )
    if layout is not None:
        arrays = arranged(arrays, layout, kind, like, integers("lattice", lattice))
    new = taken(arrays, like, kind, dims, precision)
    assumed = [] if plaquette is not None or layout is not None else filter(None, map(assumption, new.fields))
    how = {
        "lattice": integers("lattice", lattice) or new.lattice,
        "form": form,
        "audience": text("for_", for_),
        "bits": None if precision is None else bits(precision),
        "rows": text_or_integer("rows", rows),
        "tolerance": difference("tolerance", tolerance),
        "lfn": text("lfn", lfn),
        "update": text_or_integer("update", update),
        "date": text("date", date),
        "file_xml": text("file_xml", file_xml),
        "record_xml": text("record_xml", record_xml),
        "header": _header(header),
        "is_little_endian": byte_order == "little",
        "checksum": checksum,
        "replace": flag("replace", replace),
        "nodes": _nodes(volumes),
        "io": None if volumes is None else integers("io", volumes.io),
        "in_directories": volumes is not None and flag("in_directories", volumes.in_directories),
        "unitary": flag("unitary", unitary),
        "finite": flag("finite", finite),
        "plaquette": None if plaquette is None else number_text("plaquette", plaquette),
    }
    given_options = {"lfn": lfn, "update": update, "date": date, "file_xml": file_xml, "record_xml": record_xml}
    carried = carry(new.texts, new.fields, {**given_options, "header": header}, "ildg" if for_ is not None else form)
    carried.lost += assumed
    path = new_path(path)
    try:
        _write(path, new, carried, how, progress)
    except DataError as error:
        # The texts of another file record other observables than these links have.
        if not carried.texts or not error._broken.startswith("recorded-"):
            raise
        left = without_texts(carried, new.fields)
        left.lost.append(f"{', '.join(carried.texts)} is left out, because it is about other numbers: {error.message}")
        _write(path, new, left, how, progress)


def _write(
    path: str, new: Taken, carried: Carried, how: dict[str, Any], progress: Callable[[int, int], object] | None
) -> None:
    how = {**how, "copies_texts": bool(carried.texts) and how["record_xml"] is None and how["file_xml"] is None}
    how |= {name: _header(value) if name == "header" else value for name, value in carried.options.items()}
    lacking = list(carried.lost)
    if (how["audience"] is not None or how["form"] == "ildg") and how["lfn"] is None:
        lacking.append("the ILDG file has no logical file name: lfn= sets it, linkstream.edit() sets it later")
    if not how["checksum"]:
        lacking.append("the file has no checksum: nothing can verify its data")

    def warn(messages: list[str]) -> None:
        # Before the file has its name: the caller can turn warnings into exceptions.
        unverified = [
            f"{field.file.name}: field {field.index} is unverified: the checksum of the new file is that of what was read"
            for field in new.sources
            if field.verification != "verified"
        ]
        for message in lacking + unverified + messages:
            warnings.warn(message, WriteWarning, frames_outside())

    _linkstream.write_fields(path, [_described(*of_field) for of_field in zip(carried.fields, carried.notes)], how, progress, warn)


def _header(header: Mapping[str, str] | None) -> list[tuple[str, str]]:
    if header is None:
        return []
    if not isinstance(header, Mapping):
        raise TypeError(f"header is a dictionary of lines, not {header!r}")
    if not all(isinstance(key, str) for key in header):
        raise TypeError("the keys of header are texts")
    return [(key, text_or_integer(f"header[{key!r}]", value) or "") for key, value in header.items()]


def _described(field: NewField, notes: list[str]) -> dict[str, Any]:
    array = given(field.array)
    dims = names("dims", field.dims)
    return {
        "numbers": array.numbers,
        "shape": list(array.shape),
        "names": dims if dims is not None or array.names is None else list(array.names),
        "is_complex": array.is_complex,
        "is_global": flag("is_global", field.is_global),
        "kind": text("kind", field.kind),
        "datatype": text("datatype", field.datatype),
        "lower": integers("lower", field.lower),
        "record_xml": text("record_xml", field.record_xml),
        "update": text_or_integer("update", field.update),
        "notes": notes,
    }


def _check_options(*, for_: str | None, form: str, is_set: bool, **options: Any) -> None:
    """Refuses options that would have no effect."""
    present = [name for name, value in options.items() if value is not None]

    def refuse(names: Sequence[str], reason: str) -> None:
        found = [name for name in names if name in present]
        if found:
            raise ValueError(f"{', '.join(found)}: {reason}")

    if for_ is not None:
        if form != "both" or is_set:
            raise ValueError("for_ chooses the form of a single file: leave out form and set")
        refuse(["rows"], "for_ writes all rows")
    if is_set:
        if form in ("ildg", "nersc"):
            raise ValueError("volumes have SciDAC documents: form is 'both' or 'scidac'")
        refuse(["rows"], "only a single file can have other rows than the array")
    if for_ is not None or form != "ildg":
        refuse(["checksum"], "only an ILDG file can have none")
    texts = ["date", "file_xml", "record_xml"]
    if for_ is not None:
        refuse(texts, "for_ writes an ILDG file without SciDAC documents, which have the place for it: leave out for_")
    if form == "ildg":
        refuse(texts, "without SciDAC documents, there is no place for it")
    if form == "scidac":
        refuse(["lfn", "update"], "only ILDG files have it")
    if form == "nersc":
        others = ["lfn", "update", "date", "file_xml", "record_xml"]
        refuse(others, "a NERSC archive has no place for it; header has its lines")
    else:
        refuse(["header", "byte_order"], "for form='nersc'")
    if "rows" not in present or options["rows"] == "full":
        refuse(["tolerance"], "for rows that are left out: rows='reduced'")


def _nodes(volumes: Volumes | None) -> list[int] | None:
    if volumes is None:
        return None
    if hasattr(volumes.nodes, "__iter__"):
        return integers("set", volumes.nodes)
    return [integer("set", volumes.nodes, "a number of nodes, a number for each axis (t, z, y, x), or Volumes")]


def bits(precision: Any) -> int:
    """The bits of a real number: from 32 or 64, or a type of NumPy."""
    if isinstance(precision, (int, np.integer)) and precision in (32, 64):
        return int(precision)
    names = {"f4": 32, "c8": 32, "f8": 64, "c16": 64}
    try:
        dtype = np.dtype(precision)
    except TypeError:
        dtype = np.dtype("V1")
    if isinstance(precision, (int, np.integer)) or dtype.str[1:] not in names:
        raise ValueError(f"precision is 32 or 64, or a type such as 'c16', not {precision!r}")
    return names[dtype.str[1:]]
