#!/usr/bin/env python3
"""Checks that every file that names the version of this project names the same one.

    .ci/version.py [VERSION]       fails if a file names another one, or if it is not VERSION
    .ci/version.py --print         prints the version only

The version is the one of the main workspace, in Cargo.toml. Packages with the version 0.0.0 have none: nobody gets them.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Files, and patterns whose group is a version. Each pattern must be found.
TEXTS = [
    (".github/CITATION.cff", r"^version: (\S+)$"),
    ("CHANGELOG.md", r"\A# Changes\n(?:[^#\n].*\n|\n)*## ([\d.]+)[,\n]"),
    ("examples/c/libraries.sh", r"^version=(\S+)$"),
    ("examples/c/README.md", r"its\s+version is ([\d.]+\d)"),
    ("examples/c/linkstream/include/linkstream.h", r'^/\* The version of the library: "([^"]*)"'),
    ("examples/web/codec/package.json", r'^  "version": "([^"]*)"'),
    ("examples/web/package-lock.json", r'^    "codec": \{\n      "name": "linkstream",\n      "version": "([^"]*)"'),
    ("examples/web/codec/README.md", r"linkstream-(\d[\d.]*)\.tgz"),
]


def manifests():
    listed = subprocess.run(["git", "ls-files", "*Cargo.toml"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return listed.split()


def own_versions(path):
    """What a manifest says of its own packages: their version, and the one it demands of others of this project."""
    manifest = tomllib.loads((ROOT / path).read_text(encoding="utf-8"))
    workspace = manifest.get("workspace", {})
    for place in (workspace.get("package", {}), manifest.get("package", {})):
        if isinstance(number := place.get("version"), str) and number != "0.0.0":
            yield number
    tables = [workspace, manifest, *manifest.get("target", {}).values()]
    for table in tables:
        for kind in ("dependencies", "dev-dependencies", "build-dependencies"):
            for needed in table.get(kind, {}).values():
                if isinstance(needed, dict) and "path" in needed and "version" in needed:
                    yield needed["version"]


def main(wanted=None):
    version = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]
    if wanted == "--print":
        print(version)
        return False
    problems = []
    if wanted not in (None, version):
        problems.append(f"the version in Cargo.toml is {version}, not {wanted}")
    places = [(path, number) for path in manifests() for number in own_versions(path)]
    for path, pattern in TEXTS:
        found = re.findall(pattern, (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
        if not found:
            problems.append(f"{path} does not name the version: {pattern}")
        places += [(path, number) for number in found]
    problems += [f"{path} says {number}, not {version}" for path, number in places if number != version]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"version {version}, named in {len(places)} places")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
