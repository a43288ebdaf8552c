#!/usr/bin/env python3
"""Prints the published packages of the main workspace, and their directories: each after those that it depends on."""

import json
import subprocess
from graphlib import TopologicalSorter
from pathlib import Path

command = ["cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"]
metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
published = {package["name"]: package for package in metadata["packages"] if package["publish"] != []}
graph = {}
for name, package in sorted(published.items()):
    # Cargo leaves out dependencies of tests that have no version.
    needed = [one for one in package["dependencies"] if one.get("path") and not (one["kind"] == "dev" and one["req"] == "*")]
    graph[name] = sorted(one["name"] for one in needed)
    for other in set(graph[name]) - set(published):
        raise SystemExit(f"{name} depends on {other}, which is not published")
for name in TopologicalSorter(graph).static_order():
    print(name, Path(published[name]["manifest_path"]).parent)
