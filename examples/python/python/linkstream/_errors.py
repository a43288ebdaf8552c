"""Exceptions and warnings."""

from __future__ import annotations


class Error(Exception):
    """A file breaks a rule of its format, or its data cannot be verified.

    ``str(error)`` is a sentence that says what is wrong and where.

    Attributes
    ----------
    message : str
        The sentence without the place.
    rule : str
        Name of the broken rule; ``linkstream explain RULE`` explains it. Empty if no rule is broken.
    class_ : str
        Class of the rule, such as ``"checksum"`` or ``"truncated"``.
    clause : str
        Clause of the specification, or an empty string.
    offset : int or None
        Absolute offset in the file, in bytes.
    file : str or None
        The volume of a file set.

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
    ) -> None:
        super().__init__(message, rule, class_, clause, offset, file)
        self.message = message
        self.rule = rule
        self.class_ = class_
        self.clause = clause
        self.offset = offset
        self.file = file

    def __str__(self) -> str:
        rule = self.rule + (f", {self.clause}" if self.rule and self.clause else "")
        return f"{self.message} [{rule}]" if rule else self.message


class FormatError(Error):
    """The file has no format that can be read. The message says what it seems to be."""


class ChecksumError(Error):
    """The data contradict the checksum in the file."""


class ChangedError(Error):
    """The file has changed since it was opened."""


class UnverifiedError(Error):
    """The file has no checksum that could verify the data. Pass ``verify=False`` to read them nevertheless."""


class UnverifiedWarning(UserWarning):
    """Data were read that no checksum has verified. Given once for each field."""


class DataError(Error, ValueError):
    """The numbers of an array cannot be what the call says that they are: links that are not unitary, numbers that are
    not finite, or a file that the program could not read. Nothing was written."""


class WriteWarning(UserWarning):
    """The new file lacks something, or programs cannot read it."""
