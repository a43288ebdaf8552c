#!/usr/bin/env python3
"""Counts the public types and functions of the codec, and its lines.

    surface_count.py            prints the counts
    surface_count.py --unused   also lists the public functions whose names occur nowhere in the programs, bindings, fuzz
                                targets, tests and documentation

It reads what rustdoc writes as JSON, which needs a nightly compiler, called `nightly` or as the variable
LINKSTREAM_NIGHTLY says. A type is a struct, enum, trait or type alias, counted once however often it is re-exported. A
function is a free function, a method of a type or a method that a trait declares, for all features; implementations of
traits are not counted. Variants for asynchronous sources are functions like any other.

A function that only `host-tests/proofs` calls is unused: those programs call every public function by design.
"""

import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
IGNORED = re.compile(r"/(target|node_modules|\.git)(/|$)|^host-tests/proofs(/|$)|^codec/src(/|$)")


def rustdoc():
    """The index of all public items, as rustdoc writes it."""
    nightly = os.environ.get("LINKSTREAM_NIGHTLY", "nightly")
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    subprocess.run(
        ["cargo", "+" + nightly, "rustdoc", "--quiet", "-p", "linkstream", "--all-features", "--"]
        + ["-Z", "unstable-options", "--output-format", "json"],
        cwd=ROOT,
        check=True,
    )
    with open(os.path.join(target, "doc", "linkstream.json")) as file:
        return json.load(file)


def surface(doc):
    """The public types and functions: their names and where they are defined."""
    types, functions = [], []
    for key, item in doc["index"].items():
        if item["crate_id"] != 0 or item["name"] is None and "impl" not in item["inner"]:
            continue
        (kind, inner), = item["inner"].items()
        span = item["span"] and item["span"]["filename"]
        if kind in ("struct", "enum", "union", "trait", "type_alias"):
            types.append((item["name"], span))
        members = []
        if kind == "impl" and inner["trait"] is None and not inner["is_synthetic"]:
            owner, members = inner["for"].get("resolved_path", {}).get("path", "?"), inner["items"]
        elif kind in ("trait", "module"):
            owner, members = item["name"], inner["items"]
        for member in members:
            member = doc["index"].get(str(member)) or doc["index"].get(member)
            if member and "function" in member["inner"]:
                head = member["inner"]["function"]["header"]
                functions.append((owner, member["name"], head["is_async"], member["span"]["filename"]))
    return types, functions


def nameable(doc):
    """The number of types that have a public path. The others are states of a type, sealed traits and their like."""
    found, left = set(), {str(doc["root"])}
    types = 0
    while left:
        found.add(key := left.pop())
        item = doc["index"].get(key)
        if item is None or item["crate_id"] != 0:
            continue
        (kind, inner), = item["inner"].items()
        types += kind in ("struct", "enum", "union", "trait", "type_alias")
        inside = inner["items"] if kind == "module" else [inner["id"]] if kind == "use" else []
        left |= {str(key) for key in inside if key is not None} - found
    return types


def users():
    """All words of the code that uses the codec, and of the documentation inside the codec."""
    words = set()
    for folder, _, names in os.walk(ROOT):
        inside = os.path.relpath(folder, ROOT)
        source = inside.startswith("codec/src")
        if IGNORED.search(inside + "/") and not source:
            continue
        for name in names:
            if not name.endswith((".rs", ".md")) or name == "CHANGELOG.md":
                continue
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                text = file.read()
            if source and name.endswith(".rs"):
                text = "\n".join(line for line in text.split("\n") if re.match(r"\s*//[/!]", line))
                text = "\n".join(re.findall(r"```[a-z,_]*\n(.*?)```", text, re.DOTALL))
            words.update(re.findall(r"\w+", text))
    return words


def lines():
    """The lines of `codec/src`: of code, and of comments inside code, without documentation."""
    code = comments = 0
    for folder, _, names in os.walk(os.path.join(ROOT, "codec/src")):
        for name in names:
            if name.endswith(".rs"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    for line in map(str.strip, file):
                        if line.startswith(("///", "//!")) or not line:
                            continue
                        comment = line.startswith("//")
                        comments += comment
                        code += not comment
    return code, comments


def main():
    doc = rustdoc()
    types, functions = surface(doc)
    code, comments = lines()
    print(f"public types      {len(types)}")
    print(f"  with a path     {nameable(doc)}")
    print(f"public functions  {len(functions)}")
    print(f"  asynchronous    {sum(f[2] for f in functions)}")
    words = users()
    unused = sorted(f for f in functions if f[1] not in words)
    print(f"  named nowhere   {len(unused)}")
    print(f"lines of code     {code}")
    print(f"  comments        {comments} ({100 * comments / code:.1f} %)")
    if "--unused" in sys.argv:
        for owner, name, _, file in unused:
            print(f"{owner}::{name}  {file}")


main()
