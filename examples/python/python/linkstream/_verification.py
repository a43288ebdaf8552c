"""Verification: what a call demands, and what is known about the data afterwards."""

from __future__ import annotations

import datetime
import sys
import warnings
from contextlib import contextmanager
from typing import Any, Iterator, Literal, NamedTuple, Union

import numpy as np

from ._errors import ChangedError, Error, UnverifiedWarning
from ._locks import Lock

Verify = Union[bool, Literal["if possible", "once"]]
"""``True``, ``"if possible"`` for data whose file has no checksum of them, ``"once"``, or ``False``."""

HINT = "verify='if possible' reads data that have no checksum, verify=False verifies nothing"


class Demand(NamedTuple):
    """What a call demands of the data that it reads."""

    verify: bool
    """They are compared with their checksum."""
    is_strict: bool
    """Data that cannot be verified are an error."""
    is_once: bool = False
    """What one pass has verified stays verified as long as the file has not changed."""
    is_chosen: bool = False
    """The caller wants no verification, and knows it."""


def demanded(verify: Verify | None, default: Verify | None = None) -> Verify:
    """The choice of the caller, or the default.

    Raises ``ValueError`` for anything else: it must not decide whether data are verified.
    """
    chosen = default if verify is None else verify
    if isinstance(chosen, (bool, np.bool_)):
        return bool(chosen)
    if isinstance(chosen, str) and chosen in ("if possible", "once"):
        return chosen
    raise ValueError(f"verify must be True, 'if possible', 'once' or False, not {chosen!r}")


class Judgement:
    """The verification of some data of a file, and the one warning about them."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._is_warned = False
        self._lock = Lock()
        self.verification = "not read"
        self.verified_at: datetime.datetime | None = None
        """When all of the data were verified, unless something contradicts it since then."""

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Keeps what an error says about the data."""
        try:
            yield
        except ChangedError:
            # Nothing is known about the new data.
            self.verification, self.verified_at = "not read", None
            raise
        except Error as error:
            self.verification, self.verified_at = "wrong" if error.rule else "not read", None
            raise

    def verified(self, is_all: bool) -> None:
        """Keeps that data are verified: all of them, or a part."""
        if is_all:
            self.verified_at = datetime.datetime.now(datetime.timezone.utc)
        # A part does not show that another one is right again.
        if is_all or self.verification != "wrong":
            self.verification = "verified"

    def unverified(self, reason: str, *, is_chosen: bool = False) -> None:
        """Keeps that data were read which nothing verifies, and warns once unless the caller has chosen it."""
        if is_chosen:
            self.verification = self.verification if self.verification == "wrong" else "unverified"
            return
        with self._lock:
            is_first, self._is_warned = not self._is_warned, True
        if self.verification != "wrong":
            self.verification = "unverified"
        if is_first:
            warnings.warn(f"{self._where} is unverified: {reason}", UnverifiedWarning, frames_outside())


def frames_outside() -> int:
    """The level of the first frame that is not in this package, for warnings."""
    frame: Any = sys._getframe(1)
    level = 1
    while frame is not None and frame.f_globals.get("__name__", "").startswith("linkstream"):
        frame, level = frame.f_back, level + 1
    return level
