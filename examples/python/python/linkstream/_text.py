"""Texts from files, for people."""

from __future__ import annotations

_KEPT = frozenset("\n\t")


def printable(text: object, longest: int = 4096) -> str:
    """Returns a text that cannot control a terminal, or the direction of other text: such characters are replaced. More
    than ``longest`` characters are cut.
    """
    text = str(text)
    cut = len(text) > longest
    text = "".join(c if c.isprintable() or c in _KEPT else "\N{REPLACEMENT CHARACTER}" for c in text[:longest])
    return text + " …" if cut else text


def one_line(text: object, longest: int = 128) -> str:
    """Like :func:`printable`, with spaces for line feeds."""
    return " ".join(printable(text, longest).split())


def plural(count: int, noun: str) -> str:
    """Returns ``"1 field"``, ``"2 fields"``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
