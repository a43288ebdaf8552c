"""Names of files and fields in exceptions, wherever they are raised."""

from __future__ import annotations

import functools
import inspect
import os
from types import TracebackType
from typing import Any, Callable, TypeVar

from ._errors import Error
from ._explain import in_python

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Class = TypeVar("_Class", bound=type)

# Methods of Python that read or look up something.
_SPECIAL = {"__getitem__", "__array__", "__dlpack__", "__len__"}


def named(place: Callable[[Any], tuple[str, int | None, int | None]]) -> Callable[[_Class], _Class]:
    """A decorator of classes: exceptions of their methods get the name of the file, and the index of the field or
    section, that ``place`` returns for an object."""

    def of_class(of: _Class) -> _Class:
        for name, member in list(vars(of).items()):
            if name.startswith("_") and name not in _SPECIAL:
                continue
            if isinstance(member, property) and member.fget is not None:
                setattr(of, name, property(_wrapped(member.fget, place), doc=member.__doc__))
            elif inspect.isfunction(member):
                setattr(of, name, _wrapped(member, place))
        return of

    return of_class


def named_source(function: _Function) -> _Function:
    """The function, whose exceptions get the name of its first argument."""
    return _wrapped(function, lambda source: (source_name(source), None, None))  # type: ignore[return-value]


def source_name(source: Any) -> str:
    """The name of a source for messages."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return "bytes"
    if isinstance(source, (list, tuple)):
        return f"{len(source)} volumes"
    if isinstance(source, (str, os.PathLike)):
        return os.fsdecode(source)
    for attribute in ("name", "path"):
        name = getattr(source, attribute, None)
        if isinstance(name, str):
            return name
    return "file object" if hasattr(source, "read") else f"object of type {type(source).__name__}"


def _wrapped(function: Callable[..., Any], place: Callable[[Any], tuple[str, int | None, int | None]]) -> Callable[..., Any]:
    if inspect.isgeneratorfunction(function):

        @functools.wraps(function)
        def generator(self: Any, *arguments: Any, **options: Any) -> Any:
            try:
                yield from function(self, *arguments, **options)
            except Exception as error:
                _locate(error, place(self))
                raise

        return generator

    @functools.wraps(function)
    def wrapper(self: Any, *arguments: Any, **options: Any) -> Any:
        try:
            return function(self, *arguments, **options)
        except Exception as error:
            _locate(error, place(self))
            raise

    return wrapper


def _locate(error: Exception, place: tuple[str, int | None, int | None]) -> None:
    """Adds the place to an exception of this package, once. Those of callbacks and file objects stay what they are."""
    if getattr(error, "_is_located", False) or not _is_ours(error.__traceback__):
        return
    name, field, section = place
    if isinstance(error, Error):
        error._locate(name, field, section)
        error.message = in_python(error.message)
    else:
        if isinstance(error, OSError) and error.errno is not None and error.filename is None:
            error.filename = name
        elif len(error.args) == 1 and isinstance(error.args[0], str):
            error.args = (located_text(in_python(error.args[0]), name, field, section),)
    try:
        error._is_located = True  # type: ignore[attr-defined]
    except AttributeError:
        # An exception that has no dictionary.
        return


def located_text(text: str, name: str | None, field: int | None, section: int | None) -> str:
    """The text with its place in front, unless it names it."""
    if field is not None and f"field {field}" not in text:
        text = f"field {field}: {text}"
    if section is not None and f"section {section}" not in text:
        text = f"section {section}: {text}"
    return text if not name or name in text else f"{name}: {text}"


def _is_ours(trace: TracebackType | None) -> bool:
    """True if the exception was raised in this package: in its innermost frame, or in the extension that it called."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is None or trace.tb_frame.f_globals.get("__name__", "").partition(".")[0] == "linkstream"
