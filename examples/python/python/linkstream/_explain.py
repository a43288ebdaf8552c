"""Explanations of rules, and advice for users of Python."""

from __future__ import annotations

import difflib
import re
import textwrap
from typing import Any

from . import _linkstream

# Commands of a shell in messages and texts, and the calls that do the same. Nobody has the program after `pip install`.
_CALLS: tuple[tuple[str, str], ...] = (
    (r": `(\w+(?: -p)?) (\S+) \| linkstream check -` reads what is in it", r": unpack it (`\1 \2`), then open the result"),
    (r"`(\w+) (\S+) \| linkstream check -`", r"`linkstream.check(subprocess.check_output(['\1', '\2']))`"),
    (
        r"`linkstream lime extract --damaged FILE \d+ \d+ \| linkstream ildg make OUT [^`]*` wraps the data",
        "`linkstream.write(OUT, array)` wraps the data, an array `numpy.fromfile(FILE, '>c8' or '>c16', offset=…)` of"
        " the shape (t, z, y, x, mu, row, column) in native byte order",
    ),
    (
        "Aion would read it as CSV, and so does `linkstream inebin from-csv`",
        "Aion would read it as CSV; `linkstream.write_matrix(OUT, numpy.loadtxt(FILE, delimiter=','))` makes a matrix",
    ),
    (
        "`linkstream ildg make` makes a gauge field of an array of links",
        "`linkstream.write(OUT, numpy.load(FILE))` makes a gauge field of an array of links",
    ),
    (
        r"`linkstream ildg make OUT --data DATA --little-endian`",
        "`linkstream.write(OUT, numpy.fromfile(DATA, '<c8' or '<c16').reshape(…))`",
    ),
    (r"`linkstream explain (\S+)`", r"`linkstream.explain('\1')`"),
    (r"`linkstream (?:check|inspect) FILE`", "`linkstream.check(FILE)`"),
    (r"`linkstream convert FILE OUT`", "`linkstream.write(OUT, linkstream.open(FILE)[0])`"),
    (r"`linkstream convert --checksum FILE OUT`", "`linkstream.write(OUT, linkstream.open(FILE)[0])`"),
    (r"`linkstream convert --for any FILE OUT`", "`linkstream.write(OUT, linkstream.open(FILE)[0], for_='any')`"),
    (
        r"`linkstream convert --to (nersc|ildg|both) FILE OUT`",
        r"`linkstream.write(OUT, linkstream.open(FILE)[0], form='\1')`",
    ),
)


def in_python(text: str) -> str:
    """The text with calls of Python in place of commands of the program, as far as there are such calls."""
    for command, call in _CALLS if "linkstream " in text else ():
        text = re.sub(command, call, text)
    return text


def _explanations() -> dict[str, dict[str, Any]]:
    return {rule["rule"]: rule for rule in _linkstream.explanations()}


def explain(rule: str | None = None) -> str:
    """Explains a rule: its messages, its meaning, usual causes, and what to do, like ``linkstream explain``.

    Parameters
    ----------
    rule : str, optional
        The name of a rule: the ``rule`` of an :class:`linkstream.Error` or of a finding. Without it, all rules are
        listed.

    Raises
    ------
    KeyError
        There is no such rule.

    Examples
    --------
    >>> import linkstream as ls
    >>> print(ls.explain("checksum-mismatch"))
    checksum-mismatch: error
    <BLANKLINE>
    message
      ...
    """
    known = _explanations()
    if rule is None:
        lines = [f"{one['rule']}: {one['severity']}: {one['meaning'].split('. ')[0]}" for one in known.values()]
        return "\n".join(lines)
    if rule not in known:
        similar = difflib.get_close_matches(rule, known, n=5)
        hint = f"similar names: {', '.join(similar)}" if similar else "linkstream.explain() lists all rules"
        raise KeyError(f"there is no rule {rule!r}; {hint}")
    one = known[rule]
    parts = [f"{rule}: {one['severity']}\n"]
    for case in one["cases"]:
        severity = f"{case['severity']}: " if len(one["cases"]) > 1 else ""
        of_case = f"message\n{_wrapped(severity + case['message'])}"
        parts.append(f"{of_case}class   {case['class']}\nclause  {case['clause'] or 'none'}\n")
    texts = {title: in_python(one[title]) for title in ("meaning", "causes", "remedy")}
    parts += [f"{title}\n{_wrapped(text)}" for title, text in texts.items()]
    if any("`linkstream " in text for text in texts.values()):
        parts.append("Commands `linkstream …` are those of the program, which is in examples/cli of the repository.\n")
    return "\n".join(parts).rstrip("\n")


def _wrapped(text: str) -> str:
    """Lines of at most 80 columns, in which commands in backquotes are not divided."""
    kept = re.sub(r"`[^`]*`", lambda command: command[0].replace(" ", "\0"), text)
    lines = textwrap.wrap(
        kept, 80, initial_indent="  ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines).replace("\0", " ") + "\n"
