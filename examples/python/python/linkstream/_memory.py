"""Memory of the caller, which receives the numbers of a field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray


def writable(out: Any, shape: tuple[int, ...], dtype: np.dtype[Any], wanted: DTypeLike | None) -> NDArray[Any]:
    """An array over memory of the caller for a field of this shape and type."""
    if isinstance(out, np.ndarray):
        # Matrices and masked arrays have other rules for shapes.
        array = np.asarray(out)
    elif hasattr(out, "__dlpack__"):
        array = np.from_dlpack(out)
    else:
        array = np.frombuffer(out, dtype=dtype if wanted is None else wanted)
        size = int(np.prod(shape, dtype=object))
        if array.size != size:
            raise ValueError(f"the memory has {array.size} numbers, the field has {size}")
        array = array.reshape(shape)
    if wanted is not None and array.dtype != np.dtype(wanted):
        raise TypeError(f"the array has numbers of type {array.dtype}, not {np.dtype(wanted)}")
    if array.shape != shape:
        raise ValueError(f"the array has the shape {array.shape}, the field has {shape}")
    if not array.flags.writeable:
        raise ValueError("the memory is read-only")
    if not array.flags.c_contiguous:
        raise ValueError("the array is not contiguous in the order of C")
    return array


def reals(array: NDArray[Any]) -> NDArray[Any]:
    """The memory of a contiguous array as real numbers in native byte order, with one axis."""
    if not array.dtype.isnative:
        raise TypeError(f"the array has the byte order of another machine: {array.dtype.str}")
    kind = {"c": "f", "f": "f", "i": "i", "u": "u"}.get(array.dtype.kind)
    size = array.dtype.itemsize // (2 if array.dtype.kind == "c" else 1)
    if kind is None:
        raise TypeError(f"numbers of type {array.dtype} cannot be read")
    return array.reshape(-1).view(np.dtype(f"{kind}{size}"))
