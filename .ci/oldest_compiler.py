"""Checks that no dependency of a workspace needs a newer compiler than the workspace says: oldest_compiler.py MANIFEST..."""

import json
import subprocess
import sys


def version(text):
    return tuple(map(int, text.split(".")))[:2]


def too_new(manifest):
    """The packages that are compiled with the default features and need a newer compiler, and the version they promise."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--manifest-path", manifest]
    metadata = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    members = [packages[identifier] for identifier in metadata["workspace_members"]]
    missing = [member["name"] for member in members if not member["rust_version"]]
    if missing:
        sys.exit(f"{manifest}: no rust-version: {', '.join(missing)}")
    promised = min((member["rust_version"] for member in members), key=version)
    compiled = [packages[node["id"]] for node in metadata["resolve"]["nodes"]]
    found = [
        f"{package['name']} {package['version']} ({package['rust_version']})"
        for package in compiled
        if package["rust_version"] and version(package["rust_version"]) > version(promised)
    ]
    return found, promised


failed = False
for manifest in sys.argv[1:]:
    found, promised = too_new(manifest)
    print(f"{manifest}: Rust {promised}", *[f"is too old for {package}" for package in found], sep="\n    ")
    failed |= bool(found)
sys.exit(failed)
