"""Options of the functions that write: another type than expected is an error that names the option."""

from __future__ import annotations

import operator
from typing import Any, Sequence

import numpy as np


def flag(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is True or False, not {value!r}")
    return bool(value)


def text(name: str, value: Any) -> str | None:
    """A text, or nothing."""
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} is a text, not an object of type {type(value).__name__}")
    return value


def text_or_integer(name: str, value: Any) -> str | None:
    """A text, or an integer as text, or nothing."""
    return value if value is None or isinstance(value, str) else str(integer(name, value, "a text or an integer"))


def integer(name: str, value: Any, what: str = "an integer") -> int:
    """An integer. True and False are none."""
    if not isinstance(value, (bool, np.bool_)):
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise TypeError(f"{name} is {what}, not {value!r}")


def integers(name: str, value: Any, what: str = "(t, z, y, x)") -> list[int] | None:
    """Integers that are not negative, or nothing."""
    if value is None:
        return None
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise TypeError(f"{name} has an integer for each axis, {what}; not {value!r}")
    found = [integer(f"each number of {name}", number) for number in value]
    if not all(0 <= number < 1 << 32 for number in found):
        raise ValueError(f"{name} has numbers from 0 to 2^32 - 1, not {value!r}")
    return found


def texts(name: str, value: Any) -> list[str]:
    """A text, or several."""
    several = [value] if isinstance(value, str) else value
    if isinstance(several, bytes) or not hasattr(several, "__iter__") or not all(isinstance(one, str) for one in several):
        raise TypeError(f"{name} is a text or several of them, not {value!r}")
    return list(several)


def names(name: str, value: Any) -> list[str] | None:
    """A name for each axis, or nothing."""
    if value is None:
        return None
    is_sequence = isinstance(value, Sequence) and not isinstance(value, (str, bytes))
    if not is_sequence or not all(isinstance(one, str) for one in value):
        raise TypeError(f"{name} is a tuple of names such as ('t', 'z', 'y', 'x', 'mu', 'row', 'column'), not {value!r}")
    return list(value)


def difference(name: str, value: Any) -> float | None:
    """A number that is not negative, or nothing."""
    if value is None:
        return None
    if isinstance(value, (bool, np.bool_, str)) or not hasattr(value, "__float__"):
        raise TypeError(f"{name} is a number, not {value!r}")
    number = float(value)
    if not 0 <= number < float("inf"):
        raise ValueError(f"{name} is a finite number that is not negative, not {value!r}")
    return number


def number_text(name: str, value: Any) -> str:
    """A finite number as a text, with the digits that the caller gives."""
    number = value if isinstance(value, str) else difference(name, value)
    try:
        if abs(float(number)) < float("inf"):  # type: ignore[arg-type]
            return str(value if isinstance(value, str) else float(value))
    except ValueError:
        pass
    raise ValueError(f"{name} is a finite number, not {value!r}")
