#!/usr/bin/env python3
"""Prints the licences of all packages of Rust in an artefact.

    licences.py MANIFEST PACKAGE[,PACKAGE...] TARGET...

Each text is printed once. Where a package may be used under the MIT licence, this one is printed. A package without a
file of its licence gets the standard text, with the authors of its manifest. The standard library has a page of its own.
"""

import re
import sys
from pathlib import Path

from shipped import shipped

FILES = re.compile(r"(?i)(licen[sc]e|copying|copyright|notice|unlicense)([-._].*)?$")
STANDARD = Path(__file__).resolve().parents[2] / "LICENSE-MIT"


def texts(package):
    """The names and texts of the files that must go with a copy."""
    directory = Path(package["manifest_path"]).parent
    files = sorted(path for path in directory.iterdir() if path.is_file() and FILES.match(path.name))
    mit = [path for path in files if re.search(r"(?i)\bmit\b", path.name.replace("_", "-"))]
    if mit and re.search(r"\bMIT\b", package["license"] or "") and " AND " not in package["license"]:
        # A notice belongs to every licence.
        files = mit + [path for path in files if re.match(r"(?i)notice", path.name)]
    found = [path.read_text(encoding="utf-8", errors="replace").strip() for path in files]
    if not found:
        if package["license"] not in ("MIT", "MIT OR Apache-2.0", "Apache-2.0 OR MIT", "MIT/Apache-2.0"):
            sys.exit(f"{package['name']} has no file of its licence, {package['license']}")
        holder = ", ".join(package["authors"]) or f"the authors of {package['name']}"
        found = [re.sub(r"Copyright .*", lambda _: f"Copyright (c) {holder}", STANDARD.read_text(), count=1).strip()]
    return found


def main(manifest, roots, *targets):
    packages, _ = shipped(manifest, roots.split(","), targets)
    others = {key: package for key, package in packages.items() if package["source"]}
    used = {}
    for key, package in others.items():
        for text in texts(package):
            used.setdefault(re.sub(r"\s+", " ", text), (text, []))[1].append(" ".join(key))
    print("This file lists the packages of others that are compiled into the files beside it, and their licences.\n")
    for (name, version), package in others.items():
        print(f"{name} {version}: {package['license']}; {package['repository'] or 'https://crates.io/crates/' + name}")
    for text, names in used.values():
        print(f"\n{'=' * 78}\n{', '.join(names)}\n{'=' * 78}\n\n{text}")


if __name__ == "__main__":
    main(*sys.argv[1:])
