"""Arrays of any library, as numbers to be written."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple

import numpy as np

# NumPy would load it at its first use, which fails in odd ways where memory is short.
from numpy.ma import MaskedArray

from ._field import Field
from ._memory import reals

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PIECE = 1 << 20
"""Size in bytes of the pieces of an array that is converted."""
_BLOCK = 16 << 20
"""Size in bytes of the blocks of an array that is not in memory, if its slices are not larger."""
_HOST = (1, 3, 11, 13)
"""The devices of DLPack whose memory the host can read: its own, pinned for CUDA and ROCm, and managed memory."""


class Given(NamedTuple):
    """An array to be written."""

    numbers: NDArray[Any] | Pieces
    """Its real numbers: an array with one axis in native byte order, or pieces of bytes."""
    shape: tuple[int, ...]
    names: tuple[str, ...] | None
    """The names of its axes, if it has any."""
    is_complex: bool


class Pieces:
    """Numbers as big-endian bytes, in the order of C, converted piece by piece while they are written."""

    def __init__(self, source: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self._source = source
        self._shape = shape
        self._dtype = dtype
        parts = 2 if dtype.kind == "c" else 1
        self.count = math.prod(shape) * parts
        """Number of real numbers."""
        self.bits = 8 * dtype.itemsize // parts
        """Bits of a real number."""

    def __iter__(self) -> Iterator[bytes]:
        for block in self._blocks():
            yield from _big_endian(block)

    def _blocks(self) -> Iterator[NDArray[Any]]:
        """The arrays of which the whole one consists along its first axis."""
        if isinstance(self._source, np.ndarray):
            yield self._source
            return
        first, *others = self._shape
        slice_ = math.prod(others) * self._dtype.itemsize
        step = max(_BLOCK // max(slice_, 1), 1)
        for start in range(0, first, step):
            stop = min(start + step, first)
            block = host(self._source[start:stop])
            if block.shape != (stop - start, *others) or block.dtype.newbyteorder("=") != self._dtype:
                what = f"{block.dtype} of the shape {block.shape}"
                raise ValueError(f"the array yields {what}, but has {self._dtype} of the shape {self._shape}")
            yield block


def _big_endian(array: NDArray[Any]) -> Iterator[bytes]:
    count = _PIECE // array.dtype.itemsize
    # Converts the byte order, and copies what is not contiguous, through a buffer.
    chunks: Any = np.nditer(  # type: ignore[call-overload]  # the stubs call the flag "config"
        array,
        flags=["external_loop", "buffered", "zerosize_ok"],
        op_flags=[["readonly", "contig"]],
        op_dtypes=[array.dtype.newbyteorder(">")],
        order="C",
        casting="equiv",
        buffersize=count,
    )
    for chunk in chunks:
        for start in range(0, len(chunk), count):
            yield chunk[start : start + count].tobytes()


def given(source: Any) -> Given:
    """Returns the numbers of an array: of NumPy, in any layout and byte order; of another library, through
    ``__dlpack__`` or ``__array__``, on the host; or of an object with ``shape``, ``dtype`` and slices, such as a
    :class:`linkstream.Field` or an array of Dask, h5py or zarr, which is read in blocks of its first axis.

    Raises ``TypeError`` for other objects, and for numbers that are not real or complex ones of single or double
    precision.
    """
    dims = getattr(source, "dims", None)
    names = dims if isinstance(dims, tuple) and all(isinstance(name, str) for name in dims) else None
    if _is_lazy(source):
        shape, dtype = tuple(source.shape), np.dtype(source.dtype).newbyteorder("=")
        _check(dtype)
        return Given(Pieces(source, shape, dtype), shape, names, dtype.kind == "c")
    array = host(source)
    dtype = array.dtype.newbyteorder("=")
    _check(dtype)
    in_memory = array.flags.c_contiguous and array.flags.aligned and array.dtype.isnative
    numbers = reals(array) if in_memory else Pieces(array, array.shape, dtype)
    return Given(numbers, array.shape, names, dtype.kind == "c")


def _check(dtype: np.dtype[Any]) -> None:
    if dtype not in (np.float32, np.float64, np.complex64, np.complex128):
        raise TypeError(f"numbers of type {dtype} are not written as fields: convert them to c8, c16, f4 or f8")


def _is_lazy(source: Any) -> bool:
    """True for arrays that are not in memory."""
    if isinstance(source, Field):
        return bool(source.lattice)
    if isinstance(source, (np.ndarray, np.generic)) or hasattr(source, "__dlpack__"):
        return False
    if not all(hasattr(source, name) for name in ("shape", "dtype", "__getitem__")):
        return False
    try:
        np.dtype(source.dtype)
    except TypeError:
        return False
    return len(source.shape) > 0


def host(source: Any) -> NDArray[Any]:
    """Returns an array as one of NumPy, without a copy if its memory is that of the host."""
    if not isinstance(source, np.ndarray):
        if hasattr(source, "__dlpack__"):
            return _from_dlpack(source)
        # An array of xarray drops the mask of the array that it wraps.
        wrapped = getattr(source, "data", None)
        if not isinstance(source, np.generic) and hasattr(wrapped, "__array__"):
            return host(wrapped)
        # So does `__array__` of Dask.
        if hasattr(source, "__dask_graph__") and hasattr(source, "compute"):
            return host(source.compute())
    return _without_mask(source)


def _without_mask(source: Any) -> NDArray[Any]:
    if not hasattr(source, "__array__"):
        raise TypeError(f"expected an array, not an object of type {type(source).__name__}")
    # `asarray` would drop a mask that `__array__` returns.
    array = np.asanyarray(source)
    if isinstance(array, MaskedArray):
        raise TypeError("an array with masked numbers is not written: fill them")
    return np.asarray(array)


def _from_dlpack(source: Any) -> NDArray[Any]:
    device = source.__dlpack_device__()[0] if hasattr(source, "__dlpack_device__") else _HOST[0]
    try:
        if device in _HOST:
            return np.from_dlpack(source)
        # NumPy 2.1 and later; the other library copies.
        return np.from_dlpack(source, device="cpu", copy=True)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        kind = type(source).__name__
        if device in _HOST and hasattr(source, "__array__"):
            return _without_mask(source)
        where = "" if device in _HOST else ", which is not in the memory of the host: copy it there first"
        raise TypeError(f"the {kind} cannot be read{where} ({error})") from error
