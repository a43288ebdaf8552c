"""The packages of Rust that are part of an artefact: what is compiled into it for a target, without tools of the build."""

import json
import subprocess
import tomllib
from pathlib import Path


def _cargo(manifest, *arguments):
    command = ["cargo", *arguments, "--locked", "--manifest-path", str(manifest)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def shipped(manifest, roots, targets):
    """The manifest of each package, by its name and version; and the names and versions that each one depends on."""
    known = {}
    for package in json.loads(_cargo(manifest, "metadata", "--format-version", "1"))["packages"]:
        known[package["name"], package["version"]] = package
    packages, needs = {}, {}
    for target in targets:
        options = ["--edges=normal,no-proc-macro", "--prefix=depth", "--format= {p}", f"--target={target}", "--no-dedupe"]
        tree = _cargo(manifest, "tree", *options, *[f"--package={root}" for root in roots])
        path = []
        for line in filter(None, tree.splitlines()):
            depth, name, version, *_ = line.split(" ")
            key = name, version.removeprefix("v")
            packages[key] = known[key]
            del path[int(depth) :]
            needs.setdefault(key, set())
            if path:
                needs[path[-1]].add(key)
            path.append(key)
    return dict(sorted(packages.items())), needs


def checksums(manifest):
    """SHA-256 of the sources of each package that comes from a registry, as the lock file has it."""
    directory = Path(manifest).resolve().parent
    while not (lock := directory / "Cargo.lock").exists():
        directory = directory.parent
    entries = tomllib.loads(lock.read_text(encoding="utf-8"))["package"]
    return {(entry["name"], entry["version"]): entry["checksum"] for entry in entries if "checksum" in entry}
