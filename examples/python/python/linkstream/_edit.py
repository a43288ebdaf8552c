"""Changing what a file says, without changing its data."""

from __future__ import annotations

import os
import warnings
from typing import Any, Callable

from . import _linkstream
from ._errors import WriteWarning
from ._file import File
from ._open import open as _open
from ._options import integer, text, text_or_integer
from ._paths import absolute, existing_path
from ._text import plural


class Edit:
    """The new texts of a file, which they replace at the end of a ``with`` block: see :func:`linkstream.edit`."""

    def __init__(self, path: str, field: int, progress: Callable[[int, int], object] | None) -> None:
        self._path = path
        self._field = field
        self._progress = progress
        self._new: dict[str, str] = {}
        with _open(path, verify=False) as file:
            if file.format != "lime" or file.is_set:
                raise ValueError(f"only a single LIME file has texts that can be changed, not {path}")
            self._old = self._texts(file)

    def _texts(self, file: File) -> dict[str, Any]:
        attrs = {**file[self._field].attrs, "file_xml": file.attrs.get("file_xml")}
        return {name: attrs.get(name) for name in ("lfn", "update", "record_xml", "file_xml")}

    def _get(self, name: str) -> Any:
        return self._new.get(name, self._old[name])

    def _set(self, name: str, value: Any) -> None:
        given = text_or_integer(name, value) if name == "update" else text(name, value)
        if given is None:
            raise ValueError(f"{name} cannot be removed: give a text")
        self._new[name] = given

    lfn = property(lambda self: self._get("lfn"), lambda self, value: self._set("lfn", value), doc="Logical file name.")
    update = property(
        lambda self: self._get("update"), lambda self, value: self._set("update", value), doc="Update number of the field."
    )
    record_xml = property(
        lambda self: self._get("record_xml"),
        lambda self, value: self._set("record_xml", value),
        doc="The user's text about the field.",
    )
    file_xml = property(
        lambda self: self._get("file_xml"),
        lambda self, value: self._set("file_xml", value),
        doc="The user's text about the file.",
    )

    def write(self) -> None:
        """Writes the new texts. A file that has them stays as it is."""
        if self._new:
            new = self._new.get
            links = os.stat(self._path).st_nlink - 1
            is_replaced = _linkstream.edit_texts(
                self._path,
                new("lfn"),
                new("update"),
                new("record_xml"),
                new("file_xml"),
                self._field,
                self._progress,
            )
            self._new.clear()
            if is_replaced and links > 0:
                message = f"{plural(links, 'other hard link')} to {self._path} lead to the old file"
                warnings.warn(message, WriteWarning, stacklevel=3)

    def __enter__(self) -> Edit:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.write()


def edit(path: str | os.PathLike[str], *, field: int = 0, progress: Callable[[int, int], object] | None = None) -> Edit:
    """Changes the texts of a LIME file: logical file name, update number, and the user's texts. All data stay what they are.

    The file is copied with the new texts, checked, and then replaced by its copy: at every moment there is the old file
    or the new one. After an exception, also in the ``with`` block, it is the old one. Other hard links to the file lead to
    the old one afterwards, which is a :class:`WriteWarning`.

    Parameters
    ----------
    path :
        A single LIME file.
    field : int
        The index of the field that the texts are about.
    progress : callable, optional
        Called with the number of bytes copied and checked so far, and their total number. An exception ends the call.

    Raises
    ------
    ValueError
        A text is not possible, or the file has no place for it.
    linkstream.DataError
        A new text is not well-formed XML, or records a plaquette that the links do not have, for instance.

    Examples
    --------
    >>> import linkstream as ls
    >>> with ls.edit("lat.ildg") as edit:
    ...     edit.lfn = "lfn://mine/lat.190"
    ...     edit.update = 190
    >>> ls.open("lat.ildg")[0].attrs["update"], ls.check("lat.ildg")["verdict"]
    (190, 'ok')
    """
    return Edit(absolute(existing_path(path)), integer("field", field), progress)
