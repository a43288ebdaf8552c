#!/usr/bin/env python3
"""Compares the program for another system with the native one: statuses, output, and the bytes of written files.

    .ci/systems.py [--digits] [--every N] NATIVE FOREIGN...

FOREIGN is a command that runs the other program, such as "wine64 linkstream.exe" or "qemu-s390x linkstream". Each command
of the table below runs on each file of host-tests/fixtures whose name matches, in an empty directory. Messages on
standard error are not compared: systems name their errors in other words. With --every, only each N-th file is used.
With --digits, numbers of the output may differ in their last digits, and numbers that are nothing but rounding (below
1e-12) in all digits, as the results of a processor without fused multiplication do. Prints what differs; status 1 if
anything does.
"""

import argparse
import concurrent.futures
import fnmatch
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "host-tests/fixtures"
SAMPLE = FIXTURES.parent.parent / "examples/su3-4x4x4x8.lime"

# Pattern of paths, and the arguments. {} is the file.
COMMANDS = [
    ("*", "check --json {}"),
    ("*", "check --lenient {}"),
    ("*", "inspect {}"),
    ("*", "diff --json {} sample"),
    ("qio/*", "convert --date DATE --to scidac {} out"),
    ("qio/*", "convert --to ildg --lfn lfn://a/b {} out"),
    ("qio/*", "convert --date DATE --precision 32 {} out"),
    ("qio/*", "convert --date DATE --precision 64 {} out"),
    ("qio/*", "convert --date DATE --volumes 1x1x1x2 {} out"),
    ("qio/*", "export {} out.npy"),
    ("qio/*", "export --slice 1 {} out.npy"),
    ("qio/*", "lime unpack {} out"),
    ("qio/*", "lime extract {} 1 1 out"),
    ("*nersc*", "convert --date DATE --to both {} out"),
    ("*nersc*", "convert --to nersc {} out"),
    ("*nersc*", "export {} out.npy"),
    ("*milc*", "convert --date DATE --to both {} out"),
    ("inebin/*", "inebin to-csv {} out"),
    ("inebin/*", "export {} out.npy"),
    ("scda/*", "scda cat {} 1"),
    ("scda/*", "scda cat {} 2"),
    ("scda/*", "export --section 1 {} out.npy"),
    ("scda/*", "check --slices {}"),
]
# Without a file.
ONCE = [
    "--version",
    "sample out",
    "convert --to nersc sample out",
    "convert --to nersc --rows 2 sample out",
    "convert --date DATE --volumes 2x1x1x2 sample out",
    "convert --date DATE --force --precision 64 sample sample",
    "ildg make out --date DATE --from sample --lfn lfn://a/b",
    "ildg set-lfn --force sample lfn://a/other",
    "export sample out.npy",
    "export --slice 3 sample out.npy",
    "lime unpack sample out",
    "check missing",
    "check --json .",
    "explain checksum-mismatch",
    "completions bash",
    "volumes copy sample out",
    "convert sample sample",
    "check --wrong sample",
]
NUMBER = re.compile(rb"-?\d+\.\d+(?:e[-+]?\d+)?")


def rounded(text):
    def digits(number):
        value = float(number[0])
        return b"%.5e" % value if abs(value) >= 1e-12 else b"below 1e-12"

    return NUMBER.sub(digits, text)


def outcome(program, arguments, digits):
    """Status, standard output, and the files in the directory afterwards, by name."""
    with tempfile.TemporaryDirectory() as folder:
        sample = pathlib.Path(folder, "sample")
        sample.write_bytes(SAMPLE.read_bytes())
        done = subprocess.run(
            [*program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=600, check=False
        )
        output = done.stdout.replace(b"linkstream.exe", b"linkstream").replace(b"\\", b"/").replace(b"//", b"/")
        if digits:
            output = rounded(output)
        files = {}
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.is_file():
                files[path.relative_to(folder).as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()
        return done.returncode & 0xFF, output, files


def words(command, path=""):
    """The arguments of a command. The date of new documents would be another one in each run."""
    return [{"{}": path, "DATE": "Tue Jan  2 03:04:05 2024 UTC"}.get(word, word) for word in command.split(" ")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--digits", action="store_true")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("native", metavar="NATIVE", type=os.path.abspath)
    parser.add_argument("foreign", metavar="FOREIGN", nargs=argparse.REMAINDER)
    chosen = parser.parse_args()
    foreign = [os.path.abspath(word) if os.path.exists(word) else word for word in chosen.foreign]
    paths = sorted(path for path in FIXTURES.rglob("*") if path.is_file() and path.name != "MANIFEST.toml")
    runs = [words(command) for command in ONCE]
    for path in paths[:: chosen.every]:
        name = path.relative_to(FIXTURES).as_posix()
        for pattern, command in COMMANDS:
            if fnmatch.fnmatch(name, pattern):
                runs.append(words(command, str(path)))

    def both(run):
        return run, outcome([chosen.native], run, chosen.digits), outcome(foreign, run, chosen.digits)

    differ = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for run, one, other in pool.map(both, runs):
            if one == other:
                continue
            differ += 1
            print("differs:", " ".join(run))
            for what, a, b in zip(("status", "output", "files"), one, other):
                if a != b:
                    a, b = str(a), str(b)
                    begin = max(0, len(os.path.commonprefix([a, b])) - 60)
                    print(f"    {what}: {a[begin : begin + 200]}\n    other:  {b[begin : begin + 200]}")
    print(f"{len(runs)} commands, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
