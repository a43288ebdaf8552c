"""Writing matrices and scda files."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Callable, Iterable, NamedTuple

import numpy as np

from . import _linkstream
from ._arrays import host
from ._options import flag, integer
from ._paths import new_path

if TYPE_CHECKING:
    from typing import Literal

    from numpy.typing import NDArray

_LETTERS = {"inline": "I", "block": "B", "array": "A", "varray": "V"}
_LEVEL = 9
"""The level of compression that the paper on scda recommends."""


def write_matrix(
    path: Any,
    array: Any,
    *,
    replace: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> None:
    """Writes a matrix as an INEBIN file, which appears under its name only when it is complete and was read back.

    Parameters
    ----------
    path :
        The new file.
    array :
        An array with two axes, rows and columns, of ``bool``, ``int64``, ``float64`` or ``complex128``.
    replace :
        Whether an existing file may be replaced.
    progress : callable, optional
        Called with the number of bytes written and read back so far, and their total number. An exception ends the
        call, and nothing is written.

    Raises
    ------
    FileExistsError
        The file exists, and ``replace`` is false.
    TypeError, ValueError
        The array has another type, or another number of axes.
    """
    matrix = host(array)
    if matrix.ndim != 2:
        raise ValueError(f"a matrix has two axes, rows and columns; the array has the shape {matrix.shape}")
    dtype = matrix.dtype.newbyteorder("=")
    if dtype not in (np.bool_, np.int64, np.float64, np.complex128):
        raise TypeError(f"a matrix has entries of bool, int64, float64 or complex128, not {dtype}: convert the array")
    rows, columns = matrix.shape
    if max(rows, columns) >= 1 << 32:
        raise ValueError("a matrix has less than 2^32 rows and columns")
    entries = np.require(matrix, dtype, ["C", "A"]).reshape(-1)
    if dtype == np.bool_:
        # NumPy takes every byte but 0 for true, also bytes that are not 1.
        entries = entries.view("u1") != 0
    _linkstream.write_matrix(new_path(path), entries, rows, columns, flag("replace", replace), progress)


class NewSection(NamedTuple):
    """A section for :func:`linkstream.write_scda`.

    Attributes
    ----------
    type : str
        ``"inline"``, ``"block"``, ``"array"`` or ``"varray"``.
    user : str or bytes
        The text of the user: at most 58 bytes.
    data :
        ``"inline"``: 32 bytes. ``"block"``: bytes, or an array. ``"array"``: an array, whose first axis counts the
        elements, or bytes. ``"varray"``: a list of bytes or arrays, which are the elements.
    size : int, optional
        Size of an element in bytes, for an ``"array"`` of bytes.
    compress : bool or int, optional
        Whether the section is compressed, or the level; by default, as the file.
    """

    type: Literal["inline", "block", "array", "varray"]
    user: str | bytes
    data: Any
    size: int | None = None
    compress: bool | int | None = None


def write_scda(
    path: Any,
    sections: Iterable[NewSection | tuple[Any, ...]],
    *,
    vendor: str | bytes = "linkstream",
    user: str | bytes = "",
    compress: bool | int = False,
    mime: bool = False,
    replace: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> None:
    """Writes an scda file, which appears under its name only when it is complete and was read back.

    The file has the bytes of arrays as they are in memory: numbers in the byte order of this machine, unless the type of
    the array has another one.

    Parameters
    ----------
    path :
        The new file.
    sections :
        Its sections: :class:`NewSection`, or tuples ``(type, user, data)``.
    vendor, user :
        The name of the writing program (at most 20 bytes), and a text about the file (at most 58 bytes).
    compress :
        Whether blocks and arrays are compressed, on all cores, which also gives them checksums; or the level, from 0
        (none) to 9 (the best, and the default).
    mime :
        Use carriage return and line feed as line breaks in padding.
    replace :
        Whether an existing file may be replaced.
    progress : callable, optional
        Called with the number of bytes written and read back so far, and their total number. An exception ends the
        call, and nothing is written.

    Raises
    ------
    FileExistsError
        The file exists, and ``replace`` is false.
    TypeError, ValueError
        A section has other data than its type demands, or a text is too long.
    """
    header = (_text("vendor", vendor), _text("user", user), flag("mime", mime))
    described = [_section(NewSection(*section), compress) for section in sections]
    _linkstream.write_sections(new_path(path), header, described, flag("replace", replace), progress)


def _section(section: NewSection, compress: bool | int) -> tuple[str, bytes, list[NDArray[Any]], int, int, int | None]:
    letter = _LETTERS.get(section.type)
    if letter is None:
        raise ValueError(f"a section is one of {', '.join(_LETTERS)}, not {section.type!r}")
    if section.size is not None and letter != "A":
        raise ValueError("size is for the elements of an array")
    is_bytes = isinstance(section.data, (bytes, bytearray, memoryview, str))
    # Once: a far array is fetched, and one of Dask computed, each time.
    data = section.data if is_bytes or letter == "V" else host(section.data)
    level = _level(compress if section.compress is None else section.compress)
    count, size = 0, 0
    if letter == "V":
        if is_bytes:
            raise TypeError("the data of a varray are a list of its elements")
        parts = [_bytes(element) for element in section.data]
    else:
        parts = [_bytes(data)]
    if letter == "A":
        count, size = _elements(data, section.size, parts[0].size)
    return letter, _text("user", section.user), parts, count, size, level


def _elements(data: Any, size: int | None, nbytes: int) -> tuple[int, int]:
    """Number and size of the elements of an array."""
    if size is not None:
        size = integer("size", size)
        if size <= 0 or nbytes % size:
            raise ValueError(f"{nbytes} bytes are no elements of {size} bytes")
        return nbytes // size, size
    if isinstance(data, (bytes, bytearray, memoryview)):
        raise ValueError("an array of bytes needs the size of an element: size=")
    if not data.shape:
        raise ValueError("an array without axes has no elements: write it as a block")
    if data.shape[0] == 0:
        return 0, data.dtype.itemsize * math.prod(data.shape[1:])
    return data.shape[0], nbytes // data.shape[0]


def _level(compress: bool | int) -> int | None:
    if isinstance(compress, (bool, np.bool_)):
        return _LEVEL if compress else None
    level = integer("compress", compress, "True, False, or a level from 0 to 9")
    if not 0 <= level <= 9:
        raise ValueError(f"a level of compression is 0 to 9, not {level}")
    return level


def _text(name: str, text: Any) -> bytes:
    if isinstance(text, str):
        return text.encode()
    # `bytes(5)` would be five null bytes.
    if not isinstance(text, (bytes, bytearray)):
        raise TypeError(f"{name} is a text or bytes, not an object of type {type(text).__name__}")
    return bytes(text)


def _bytes(data: Any) -> NDArray[Any]:
    """The memory of an object as an array of bytes."""
    if isinstance(data, str):
        raise TypeError("data are bytes or arrays: encode the text")
    if isinstance(data, (bytes, bytearray, memoryview)):
        return np.frombuffer(data, "u1") if len(data) else np.zeros(0, "u1")
    array = host(data)
    if array.dtype.hasobject:
        raise TypeError("an array of Python objects has no bytes")
    return np.ascontiguousarray(array).reshape(-1).view("u1")
