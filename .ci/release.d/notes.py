#!/usr/bin/env python3
"""Prints the note of a release: notes.py VERSION DIRECTORY, from CHANGELOG.md and the files in the directory."""

import fnmatch
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Patterns of files, what they are, and where the script that made them has used them.
FILES = [
    ("linkstream-c-*-x86_64-*", "C libraries, headers, packages for pkg-config and CMake", "glibc 2.17 and newer, by the versions of its symbols"),
    ("linkstream-c-*-aarch64-*", "C libraries, headers, packages for pkg-config and CMake", "an example in C under QEMU"),
    ("liblinkstream*_amd64.deb", "C libraries for Debian", "installed in a new Debian 12; examples in C were built and run there"),
    ("liblinkstream*_arm64.deb", "C libraries for Debian", "an example in C under QEMU"),
    ("linkstream-*-x86_64-unknown-linux-*", "the program, its manual pages and completions", "run on Linux"),
    ("linkstream-*-aarch64-unknown-linux-*", "the program, its manual pages and completions", "run under QEMU"),
    ("linkstream-*-x86_64-pc-windows-*", "the program, its manual pages and completions", "run under Wine"),
    ("linkstream-page-*", "the page: files for any server", "built; the gate tests the same page in browsers"),
    ("linkstream-*.tgz", "the package for npm", "installed in a new project, and used by Node"),
    ("crates/*", "packages for crates.io", "compiled from their own files"),
    ("python/*manylinux*_x86_64.whl", "the Python package", "installed in a new environment, and used"),
    ("python/*manylinux*_aarch64.whl", "the Python package", "used under QEMU"),
    ("python/*.whl", "the Python package", "built, never run"),
    ("python/*.tar.gz", "the Python package: sources", "a wheel was built from it"),
    ("*.cdx.json", "bills of materials, CycloneDX", ""),
]


def section(version):
    """The section of a version, without its heading."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if not found:
        sys.exit(f"CHANGELOG.md has no section {version}")
    return found[1].strip()


def main(version, directory):
    directory = Path(directory)
    paths = sorted(path.relative_to(directory) for path in directory.rglob("*") if path.is_file())
    page = [path for path in paths if path.parts[0].startswith("linkstream-page-")]
    print(f"# linkstream {version}\n\n{section(version)}\n\n## Files\n")
    print("`SHA256SUMS` has the sum of each file.\n\n| file | bytes | contents | tried |\n|---|---|---|---|")
    known = {"SHA256SUMS", "NOTES.md", "crates/ORDER.txt"}
    for path in paths:
        name = path.as_posix()
        if name in known or path in page:
            continue
        contents, tried = next((row[1:] for row in FILES if fnmatch.fnmatch(name, row[0])), (None, None))
        if contents is None:
            sys.exit(f"{name} does not belong to a release")
        print(f"| `{name}` | {(directory / path).stat().st_size:,} | {contents} | {tried} |")
    if page:
        size = sum((directory / path).stat().st_size for path in page)
        print(f"| `{page[0].parts[0]}/` | {size:,} | {len(page)} files for any server: the page | the gate tests the same page in browsers |")


if __name__ == "__main__":
    main(*sys.argv[1:])
