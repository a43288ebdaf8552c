"""Locks that are made anew in a forked process: a thread that holds one does not exist there."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any, Callable


class Lock:
    """A lock for ``with``."""

    def __init__(self, make: Callable[[], Any] = threading.Lock) -> None:
        self._make = make
        self._lock = make()
        self._owner: int | None = None
        self._depth = 0
        _ALL.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()
        self._owner = threading.get_ident()
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._owner = None
        self._lock.release()

    def _renew(self) -> None:
        # The thread that forks is the one that goes on. It releases the locks that it holds.
        if self._owner != threading.get_ident():
            self._lock, self._owner, self._depth = self._make(), None, 0


_ALL: weakref.WeakSet[Lock] = weakref.WeakSet()


def _renew_all() -> None:
    for lock in list(_ALL):
        lock._renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
