"""Paths of files that exist, and of new ones."""

from __future__ import annotations

import errno
import os
from typing import Any


def existing_path(source: Any) -> str:
    """The path of a file that is opened."""
    try:
        return os.fsdecode(source)
    except TypeError:
        raise TypeError(f"a file cannot be opened from an object of type {type(source).__name__}") from None


def absolute(name: str) -> str:
    """The absolute path. The empty one would be the current directory, and one with NUL names no file."""
    if not name:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    if "\0" in name:
        raise ValueError(f"a path has no NUL: {name!r}")
    return os.path.abspath(name)


def new_path(path: Any) -> str:
    """The path of a new file."""
    try:
        name = os.fsdecode(path)
    except TypeError:
        raise TypeError(f"a file is written to a path, not to an object of type {type(path).__name__}") from None
    if not name:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    if "\0" in name:
        raise ValueError(f"a path has no NUL: {name!r}")
    if "://" in name:
        raise ValueError(f"{name} is a URL: files are written to local paths")
    return name
