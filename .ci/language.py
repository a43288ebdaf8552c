#!/usr/bin/env python3
"""Counts turns of phrase that make comments and documents hard to read, and fails if there are more than the ceiling.

A comment is to name the noun: "Result of…", "Reason…", "Position of…", "True if…", not "What a call gives that…" or
"Those of…". Whether a sentence is good, no program can say; that such sentences do not come back, this one can. Run it
with a folder or files to see the lines: `.ci/language.py codec/src/lime`. Without arguments it counts all tracked files
and compares with the ceilings below, which are only ever lowered.
"""

import re
import subprocess
import sys
from pathlib import Path

# Name, pattern, and the most lines that may match.
PATTERNS = [
    ("opens with what, which, whether, how, where, who", r"^(What|Which|Whether|How|Where|Who|Whose)\b", 0),
    # A question in the middle of a line ends in a question mark.
    ("the same inside a line", r"[.;:] (?:What|Which|Whether|How|Where|Who|Whose)\b(?![^.]*\?)", 1),
    ("the own", r"\b[Tt]he own\b", 0),
    ("that is no", r"\bthat (?:is|are) no\b", 4),
    ("also if, for even if", r"\balso if\b", 2),
    ("that of, those of", r"\b(?:[Tt]hat|[Tt]hose) of\b", 2),
    ("those that, those which", r"\b[Tt]hose (?:that|which|with|in|whose)\b", 1),
    ("preposition and which", r"\b(?:of|in|to|from|by|with|on|at|after|before|behind|under|for|into) (?:which|whom|whose)\b", 3),
    ("whole comment is a link: As […]", r"^As \[", 0),
    ("judge, for check", r"\b(?:judges|judged|judging|(?:to|not|would|they) judge)\b", 0),
    ("tells, stands, goes by, behind", r"\b(?:tells|told|stands|goes by|behind)\b", 0),
]
SUFFIXES = {".rs", ".ts", ".js", ".mjs", ".py", ".sh", ".md"}
# Texts of others, generated files, and this file, which has the patterns themselves.
LEFT_OUT = ("host-tests/fixtures/", "fuzz/seeds/", "fuzz/corpus/", "LICENSE", "CHANGELOG.md", "examples/report/JSON.md", ".ci/language.py")
COMMENT = {
    ".rs": r"^\s*//[/!]?\s?(.*)",
    ".ts": r"^\s*(?://|/\*\*?|\*)\s?(.*)",
    ".py": r"^\s*#\s?(.*)",
    ".sh": r"^\s*#\s?(.*)",
    ".md": r"^(.*)",
}
COMMENT[".js"] = COMMENT[".mjs"] = COMMENT[".ts"]


def files(arguments):
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *arguments],
        capture_output=True, text=True, check=True,
    ).stdout.split("\n")
    for name in filter(None, listed):
        if Path(name).suffix in SUFFIXES and not name.startswith(LEFT_OUT):
            yield Path(name)


def texts(path):
    """The number and the text of each line that people read."""
    comment = re.compile(COMMENT[path.suffix])
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
        if found := comment.match(line):
            # Names in backticks are not words.
            yield number, re.sub(r"(?<!`)`[^` ]+`(?!`)", "``", found.group(1))


def main():
    arguments = sys.argv[1:]
    counts = [0] * len(PATTERNS)
    lines = 0
    for path in files(arguments):
        if not path.exists():
            continue
        for number, text in texts(path):
            lines += 1
            for index, (name, pattern, _) in enumerate(PATTERNS):
                if re.search(pattern, text):
                    counts[index] += 1
                    if arguments:
                        print(f"{path}:{number}: [{name}] {text.strip()}")
    failed = False
    for (name, _, ceiling), count in zip(PATTERNS, counts):
        note = ""
        if not arguments:
            note = f"  (at most {ceiling})"
            if count > ceiling:
                failed = True
                note += "  TOO MANY: name the noun instead; see the head of .ci/language.py"
            elif count < ceiling:
                note += f"  lower the ceiling to {count}"
        print(f"{count:6}  {name}{note}")
    print(f"{lines:6}  lines of comments and documents")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
