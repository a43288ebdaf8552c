"""Exceptions and warnings."""

from __future__ import annotations

from typing import Any


class Error(Exception):
    """A file breaks a rule of its format, or its data cannot be verified.

    ``str(error)`` is a sentence that says what is wrong and where.

    Attributes
    ----------
    message : str
        The sentence without the place.
    rule : str
        Name of the broken rule; :func:`linkstream.explain` explains it. Empty if no rule is broken.
    class_ : str
        Class of the rule, such as ``"checksum"`` or ``"truncated"``.
    clause : str
        Clause of the specification, or an empty string.
    offset : int or None
        Absolute offset in the file, in bytes.
    file : str or None
        The name of the file, or of the volume of a file set that has the offset; ``"bytes"`` or ``"file object"`` for
        sources without a name.
    field : int or None
        Index of the field.
    section : int or None
        Index of the section of an scda file.

    Examples
    --------
    >>> import linkstream as ls
    >>> try:
    ...     ls.open("damaged.ildg")[0].numpy()
    ... except ls.Error as error:
    ...     print(type(error).__name__, error.rule, error.offset)
    ChecksumError checksum-mismatch 149688
    """

    def __init__(
        self,
        message: str,
        rule: str = "",
        class_: str = "",
        clause: str = "",
        offset: int | None = None,
        file: str | None = None,
        field: int | None = None,
        section: int | None = None,
    ) -> None:
        super().__init__(message, rule, class_, clause, offset, file, field, section)
        self.message = message
        self.rule = rule
        self.class_ = class_
        self.clause = clause
        self.offset = offset
        self.file = file
        self.field = field
        self.section = section

    def __str__(self) -> str:
        text = self.message
        for what, index in (("section", self.section), ("field", self.field)):
            if index is not None and f"{what} {index}" not in text:
                text = f"{what} {index}: {text}"
        if self.file and self.file not in text:
            text = f"{self.file}: {text}"
        rule = self.rule + (f", {self.clause}" if self.rule and self.clause else "")
        return f"{text} [{rule}]" if rule else text

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (
            self.message,
            self.rule,
            self.class_,
            self.clause,
            self.offset,
            self.file,
            self.field,
            self.section,
        )

    def _locate(self, file: str, field: int | None, section: int | None) -> None:
        """Adds what is not known so far."""
        self.file = self.file or file
        self.field = field if self.field is None else self.field
        self.section = section if self.section is None else self.section


class FormatError(Error, ValueError):
    """The file has no format that can be read. The message says what it seems to be."""


class TruncatedError(Error):
    """The file ends before the end of what it describes."""


class ChecksumError(Error):
    """The data contradict the checksum in the file."""


class ChangedError(Error):
    """The file has changed since it was opened."""


class InternalError(Error):
    """linkstream has a defect. Nothing is known about the file; please report the message."""


class UnverifiedError(Error):
    """The file has no checksum that could verify the data. Pass ``verify=False`` to read them nevertheless."""


class UnverifiedWarning(UserWarning):
    """Data were read that no checksum has verified. Given once for each field."""


class DataError(Error, ValueError):
    """The numbers of an array cannot be what the call says that they are: links that are not unitary, numbers that are
    not finite, or a file that the program could not read. Nothing was written."""

    _broken = ""
    """The rule that the new file would break."""


class WriteWarning(UserWarning):
    """The new file lacks something, or programs cannot read it."""
