"""Runs the Python blocks of the guide, with the commands that precede them on the same page.

    guide.py PROGRAM DIRECTORY PAGE...

Each page is run in a new directory in DIRECTORY, from its top to its end: the lines "$ COMMAND" of ```console blocks in
bash, each ```python block as a program of its own, as a reader does who copies it. The lines of a ```text block must be
among what the ```console block before it has printed; an … stands for any text.
"""

import os
import re
import subprocess
import sys
from pathlib import Path


def blocks(page):
    """The language, the number of the first line, and the lines of each fenced block."""
    found = None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("```"):
            if found:
                found[2].append(line)
        elif found:
            yield found
            found = None
        else:
            found = (line[3:], number + 1, [])


def commands(lines):
    return [line[2:] for line in "\n".join(lines).replace("\\\n", "").split("\n") if line.startswith("$ ")]


def main():
    program, directory, pages = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), [Path(page) for page in sys.argv[3:]]
    path = os.pathsep.join([str(program.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    count = 0
    for page in pages:
        own = directory / page.stem
        own.mkdir(parents=True)
        printed = []
        for language, number, lines in blocks(page):
            if language == "text":
                for line in filter(None, map(str.strip, lines)):
                    pattern = re.compile(re.escape(line).replace("…", ".*"))
                    if not any(map(pattern.fullmatch, printed)):
                        sys.exit(f"error: {page}:{number}: this line is not printed: {line}")
                continue
            if language == "console":
                runs = [["bash", "-o", "pipefail", "-c", command] for command in commands(lines)]
            elif language == "python":
                # Messages have the line numbers of the page.
                runs = [[sys.executable, "-c", "\n" * (number - 1) + "\n".join(lines)]]
                count += 1
            else:
                continue
            printed = []
            for run in runs:
                print(f"-- {page}:{number} ({language})", flush=True)
                ran = subprocess.run(run, cwd=own, env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                print(ran.stdout, end="", flush=True)
                printed += map(str.strip, ran.stdout.splitlines())
                if ran.returncode:
                    sys.exit(f"error: {page}:{number}: this {language} block fails with status {ran.returncode}")
    if not count:
        sys.exit("error: the pages have no ```python block")
    print(f"{count} Python blocks of the guide were run")


main()
