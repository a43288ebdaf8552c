#!/usr/bin/env python3
"""Checks that everything that the project takes from others is named by its hash, has a licence that fits, and is known.

    .ci/supply.py MANIFEST...

Packages of Rust: their sources, checksums, licences, versions of the same package, and the advisories in
.ci/advisories.toml. Packages of npm and Python: their hashes. Actions of workflows: their commits. The rules are those of
`cargo deny`, which takes minutes to compile.
"""
import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

REGISTRY = "registry+https://github.com/rust-lang/crates.io-index"
# Licences that demand no more than their text in a copy.
LICENCES = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "bzip2-1.0.6", "ISC", "MIT", "MIT-0",
    "NCSA", "Unicode-3.0", "Unlicense", "Zlib",
}


def version(text):
    """Numbers of a version, for comparisons. What follows a hyphen or plus is left out."""
    return tuple(int(number) for number in re.split("[-+]", text)[0].split("."))


def compatible(text):
    """Cargo takes versions for compatible whose first number other than 0 is the same."""
    numbers = version(text)
    return numbers[: next((index for index, number in enumerate(numbers) if number), 2) + 1]


def is_affected(number, advisory):
    """True for a version that is neither older than the fault, nor corrected in its series, nor of a newer series."""
    if version(number) < version(advisory.get("since", "0.0.0")):
        return False
    series = [compatible(patched) for patched in advisory["patched"]]
    if compatible(number) > max(series):
        return False
    return not any(
        compatible(number) == one and version(number) >= version(patched)
        for one, patched in zip(series, advisory["patched"])
    )


def is_allowed(licence):
    """True if a licence expression of SPDX can be satisfied. A slash is an old form of `OR`."""
    words = re.findall(r"[()]|[^\s()]+", (licence or "").replace("/", " OR "))
    position = 0

    def atom():
        nonlocal position
        if position < len(words) and words[position] == "(":
            position += 1
            value = either()
            position += 1
            return value
        name = words[position] if position < len(words) else ""
        position += 1
        if words[position : position + 1] == ["WITH"]:
            name += " WITH " + words[position + 1]
            position += 2
        return name in LICENCES

    def both():
        nonlocal position
        value = atom()
        while words[position : position + 1] == ["AND"]:
            position += 1
            value = atom() and value
        return value

    def either():
        nonlocal position
        value = both()
        while words[position : position + 1] == ["OR"]:
            position += 1
            value = both() or value
        return value

    return either() and position == len(words)


def locked_crates(lock, rules):
    """Sources, checksums, duplicates and advisories of a Cargo.lock."""
    versions = defaultdict(set)
    for package in lock.get("package", []):
        name = f"{package['name']} {package['version']}"
        source = package.get("source")
        if source is None:
            continue
        if source != REGISTRY:
            yield f"{name} comes from {source}, and not from crates.io"
        elif not re.fullmatch("[0-9a-f]{64}", package.get("checksum", "")):
            yield f"{name} has no checksum"
        versions[package["name"]].add(package["version"])
        for advisory in rules["advisory"]:
            if advisory["crate"] != package["name"] or "accepted" in advisory:
                continue
            if is_affected(package["version"], advisory):
                yield f"{name}: {advisory['id']}, corrected in {' and '.join(advisory['patched'])}"
    for name, all_versions in versions.items():
        if len({compatible(one) for one in all_versions}) > 1 and name not in rules["twice"]:
            yield f"{name} is there in the versions {', '.join(sorted(all_versions))}"


def npm_packages(lock):
    """Entries of a package-lock.json without a hash."""
    for path, entry in lock["packages"].items():
        is_ours = not path.startswith("node_modules/") or entry.get("link")
        if not is_ours and not entry.get("integrity", "").startswith("sha512-"):
            yield f"{path} {entry.get('version')} has no integrity"
        if str(entry.get("resolved", "")).startswith("http"):
            yield f"{path} names a server"


def python_packages(text):
    """Requirements without an exact version or a hash."""
    for requirement in re.sub(r"\\\n", " ", text).splitlines():
        requirement = requirement.split(" #")[0].strip()
        if not requirement or requirement.startswith("#"):
            continue
        if "==" not in requirement or not re.search(r"--hash=sha256:[0-9a-f]{64}", requirement):
            yield f"{requirement.split(' ')[0]} has no exact version and hash"


def actions(text):
    """Actions that are named by a tag or branch, which can be moved."""
    for action in re.findall(r"^\s*(?:- )?uses:\s*(\S+)", text, re.MULTILINE):
        if not action.startswith("./") and not re.search("@[0-9a-f]{40}$", action):
            yield f"{action} is not named by its commit"


def build_backend(project, requirements):
    """The bound of maturin is the first minor version that the tests do not build with."""
    bound = re.search(r"maturin>=[\d.]+,<([\d.]+)\"", project)
    tested = re.search(r"^maturin==([\d.]+)", requirements, re.MULTILINE)
    if not bound or not tested:
        yield "maturin has no upper bound, or no tested version"
        return
    major, minor, *_ = version(tested[1])
    if version(bound[1]) != (major, minor + 1):
        yield f"the bound of maturin is {bound[1]}, and the tests use {tested[1]}"


def self_test():
    """Each check must find its fault."""
    rules = {
        "twice": {},
        "advisory": [{"id": "X-1", "crate": "c", "patched": ["0.8.1", "1.2.3"]}, {"id": "X-2", "crate": "d", "accepted": "y"}],
    }
    fine = {"name": "c", "version": "1.2.3", "source": REGISTRY, "checksum": "a" * 64}

    def faults(*changes):
        return len(list(locked_crates({"package": [{**fine, **change} for change in changes]}, rules)))

    assert faults({}) == faults({"version": "0.8.2"}) == faults({"name": "d"}) == 0
    assert faults({"version": "1.2.2"}) == faults({"version": "0.7.9"}) == faults({"source": "git+https://a/b"}) == 1
    assert not is_affected("0.14.5", {"since": "0.15.0", "patched": ["0.15.1"]})
    assert is_affected("0.15.0", {"since": "0.15.0", "patched": ["0.15.1"]})
    assert faults({"checksum": ""}) == faults({}, {"version": "2.0.0"}) == 1
    for good in ("MIT", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR X) AND Unicode-3.0", "Apache-2.0 WITH LLVM-exception"):
        assert is_allowed(good), good
    for bad in ("", None, "GPL-3.0", "MIT AND GPL-3.0", "MIT OR", "Apache-2.0 WITH GCC-exception-3.1", "MIT MIT"):
        assert not is_allowed(bad), bad
    assert list(npm_packages({"packages": {"": {}, "page": {}, "node_modules/a": {"integrity": "sha512-x"}}})) == []
    assert len(list(npm_packages({"packages": {"node_modules/a": {"integrity": "sha1-x"}, "node_modules/b": {}}}))) == 2
    hashed = "a==1 \\\n    --hash=sha256:" + "0" * 64
    assert list(python_packages(f"# text\n{hashed}\n")) == [] and len(list(python_packages("a==1\nb>=2\n"))) == 2
    pinned = "      - uses: a/b@" + "0" * 40 + " # v1\n"
    assert list(actions(pinned)) == [] and len(list(actions(pinned + "      - uses: a/b@v4\n        uses: c/d@main\n"))) == 2
    assert list(build_backend('"maturin>=1.9,<1.17"', "maturin==1.16.0 \\")) == []
    assert len(list(build_backend('"maturin>=1.9,<2"', "maturin==1.16.0"))) == 1


def main(manifests):
    self_test()
    root = Path(__file__).resolve().parent.parent
    problems = []

    def report(place, found):
        problems.extend(f"{place}: {problem}" for problem in found)

    rules = tomllib.loads((root / ".ci/advisories.toml").read_text())
    crates = {}
    for manifest in manifests:
        directory = (root / manifest).parent
        lock = tomllib.loads((directory / "Cargo.lock").read_text())
        report(manifest, locked_crates(lock, rules))
        command = ["cargo", "metadata", "--locked", "--format-version", "1", "--manifest-path", str(root / manifest)]
        metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        for package in metadata["packages"]:
            crates[package["name"], package["version"]] = package["license"]
    for (name, number), licence in sorted(crates.items()):
        report(f"{name} {number}", [] if is_allowed(licence) else [f"the licence is {licence}"])
    names = {name for name, _ in crates}
    report(".ci/advisories.toml", (f"{name} is not there twice" for name in rules["twice"] if name not in names))
    report(".ci/advisories.toml", (f"{one['id']}: {one['crate']} is accepted, and not used" for one in rules["advisory"] if "accepted" in one and one["crate"] not in names))
    release = root / ".ci/release.d"
    for path in (root / "examples/web/package-lock.json", release / "package-lock.json"):
        report(str(path.relative_to(root)), npm_packages(json.loads(path.read_text())))
    python = root / "examples/python"
    for path in (*sorted(python.glob("requirements-*.txt")), *sorted(release.glob("requirements*.txt"))):
        report(path.name, python_packages(path.read_text()))
    report("pyproject.toml", build_backend((python / "pyproject.toml").read_text(), (python / "requirements-3.12.txt").read_text()))
    for path in sorted((root / ".github/workflows").glob("*.yml")):
        report(path.name, actions(path.read_text()))
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(crates)} packages of Rust in {len(manifests)} workspaces")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
