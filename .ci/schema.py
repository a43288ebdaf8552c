"""Checks that every line of JSON that the program prints follows examples/report/schema.json.

    schema.py PROGRAM DIRECTORY [FIXTURES]...
    schema.py --markdown > examples/report/JSON.md

Files are written to DIRECTORY. Every file below each of FIXTURES (by default host-tests/fixtures) is reported with several
options. This is not a test in Rust because a validator would more than double the packages that `cargo test` compiles.
"""

import copy
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import jsonschema

SCHEMA = json.loads(Path("examples/report/schema.json").read_text(encoding="utf-8"))
ACCOUNT = json.loads(Path("examples/cli/account.schema.json").read_text(encoding="utf-8"))
MANIFEST = json.loads(Path("examples/report/manifest.schema.json").read_text(encoding="utf-8"))
OPTIONS = (
    ["check", "--slices", "--lenient", "--for", "all"],
    ["check", "--no-observables", "--volume"],
    ["inspect"],
)


def closed(node):
    """The schema without room for later versions: no other entries, and no other values than the listed examples.

    The schema allows both, so that the validators of today accept the reports of tomorrow. The reports of this version have
    nothing that is not described.
    """
    if isinstance(node, list):
        return [closed(item) for item in node if item != {"$ref": "#/$defs/other"}]
    if not isinstance(node, dict):
        return node
    found = {key: closed(value) for key, value in node.items()}
    if isinstance(found.get("properties"), dict) and found.get("type") == "object":
        found["additionalProperties"] = False
    if "examples" in found and "type" in found:
        found["enum"] = found.pop("examples")
    return found


OPEN = jsonschema.Draft202012Validator(SCHEMA)
VALIDATOR = jsonschema.Draft202012Validator(closed(SCHEMA))


# First words of descriptions that only make sense beside their neighbours: "Of that record.", "As printed there."
FRAGMENTS = {"And", "As", "At", "For", "From", "In", "Of", "On", "The same", "This and", "With", "Within"}


def properties(node, path=""):
    """The path and the schema of every property within a schema, and of every definition."""
    if isinstance(node, list):
        for item in node:
            yield from properties(item, path)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key in ("properties", "$defs"):
                for name, described in value.items():
                    yield f"{path}.{name}", described
                    yield from properties(described, f"{path}.{name}")
            else:
                yield from properties(value, path)


def every_property_is_described():
    """Checks that each property says what it means, in a sentence or a phrase that can be understood alone."""
    count = 0
    for schema in (SCHEMA, ACCOUNT, MANIFEST):
        for path, node in properties(schema):
            definition = schema.get("$defs", {}).get(node.get("$ref", "").removeprefix("#/$defs/"), {})
            text = node.get("description", definition.get("description", ""))
            first = text.split(". ")[0].split()
            assert len(first) >= 3 and text.endswith("."), (path, text)
            assert text[0].isupper() and not {first[0], " ".join(first[:2])} & FRAGMENTS, (path, text)
            count += 1
    assert count > 150, count
    print(f"ok: descriptions of {count} properties and definitions")


TITLES = {
    "lime": "LIME file or file set", "inebin": "INEBIN file", "scda": "scda file", "archive": "NERSC, MILC or openQCD file",
    "unknown": "Unknown format", "other": "Format of a later version", "unreadable": "Unreadable file",
    "skipped": "Skipped entry of a directory", "entry": "Line of `--json=records`",
}
HEAD = """The objects that `linkstream check --json` and `linkstream inspect --json` print, one for each file and line; Python
(`linkstream.check`), npm (`check`) and C (`linkstream_report_json`) have the same. This page is made from
[`schema.json`](schema.json); [what may change](../../.github/STABILITY.md) and [what has
changed](../../codec/src/guide/from_0_1.md#json-schema-1-to-schema-3). Read the entries that you know, and ignore others:
later versions have more.
"""


def type_of(node):
    """The type of an entry in words, with a link if it is an object."""
    if "$ref" in node:
        name = node["$ref"].removeprefix("#/$defs/")
        of = SCHEMA["$defs"][name]
        return f"[{name}](#{name.replace('_', '-')})" if of.get("type") == "object" else type_of(of)
    for choices in ("oneOf", "anyOf"):
        if choices in node:
            return " or ".join(dict.fromkeys(type_of(one) for one in node[choices]))
    if "const" in node:
        return f"`{json.dumps(node['const'])}`"
    if "enum" in node:
        return ", ".join(f"`{json.dumps(value)}`" for value in node["enum"])
    kinds = node.get("type", "any")
    kinds = " or ".join(kinds) if isinstance(kinds, list) else kinds
    if "array" in kinds and "items" in node and node["items"]:
        kinds = kinds.replace("array", "list of " + (type_of(node["items"]) if "properties" not in node["items"] else "objects"))
    if "examples" in node:
        kinds += ": " + ", ".join(f"`{json.dumps(value)}`" for value in node["examples"])
    return kinds


def rows(node, prefix=""):
    """The rows of a table about an object; those of the objects in it follow their entry."""
    for name, entry in node["properties"].items():
        of = SCHEMA["$defs"].get(entry.get("$ref", "").removeprefix("#/$defs/"), {})
        text = entry.get("description") or of.get("description", "")
        type_ = type_of(entry).replace("|", "\\|")
        yield f"| `{prefix}{name}` | {type_} | {text.replace('|', chr(92) + '|')} |"
        inner = entry.get("items", entry)
        if isinstance(inner, dict) and "properties" in inner:
            yield from rows(inner, f"{prefix}{name}{'[]' if inner is not entry else ''}.")


def markdown():
    """The page about the objects of the reports."""
    tops = [one["$ref"].removeprefix("#/$defs/") for one in SCHEMA["oneOf"]]
    inner = [name for name, node in SCHEMA["$defs"].items() if node.get("type") == "object" and name not in tops]
    parts = ["# The JSON of reports\n", HEAD]
    for name in [*tops, *inner]:
        node = SCHEMA["$defs"][name]
        title = TITLES.get(name, name.replace("_", "-"))
        parts += [f"## {title}\n", node["description"] + "\n", "| entry | type | meaning |\n|---|---|---|"]
        parts += [*rows(node), ""]
    return "\n".join(parts)


if sys.argv[1:] == ["--markdown"]:
    print(markdown(), end="")
    sys.exit()
PROGRAM, FOLDER = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
FIXTURES = [Path(name) for name in sys.argv[3:] or ["host-tests/fixtures"]]


def the_page_is_made_of_the_schema():
    page = Path("examples/report/JSON.md").read_text(encoding="utf-8")
    assert page == markdown(), "make examples/report/JSON.md again: .ci/schema.py --markdown > examples/report/JSON.md"
    print(f"ok: examples/report/JSON.md has {page.count(chr(10))} lines of the schema")


def lines(*arguments, files):
    """The reports on files, whatever the verdict: one object per file, or per file set."""
    ran = subprocess.run(
        [PROGRAM, *arguments, "--json", "--files-from", "-"],
        input=b"\n".join(bytes(name) if isinstance(name, bytes) else str(name).encode() for name in files),
        capture_output=True,
        check=False,
    )
    assert ran.returncode in (0, 1, 2), (arguments, ran.returncode, ran.stderr)
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    is_each = len(found) == len(files)
    assert is_each or "--volume" not in arguments and found, (arguments, len(found), len(files), ran.stderr)
    return found


def assert_valid(line):
    errors = [f"{list(error.absolute_path)}: {error.message}" for error in VALIDATOR.iter_errors(line)]
    assert not errors, (line["file"], errors)


def every_report_follows_the_schema():
    files = sorted(path for folder in FIXTURES for path in folder.rglob("*") if path.is_file())
    assert files, FIXTURES
    for options in OPTIONS:
        found = lines(*options, files=files)
        for line in found:
            assert_valid(line)
        print(f"ok: {' '.join(options)}: {len(files)} files, {len(found)} reports")


def every_entry_follows_the_schema():
    files = sorted(path for folder in FIXTURES for path in folder.rglob("*") if path.is_file())
    ran = subprocess.run([PROGRAM, "check", "--json=records", "--", *files], capture_output=True, check=False)
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    for line in found:
        assert_valid(line)
    entries = [line for line in found if "format" not in line]
    assert all(len(line) == 3 for line in entries), "an entry has one of record, field, section and finding"
    kinds = {key for line in entries for key in line if key in ("record", "field", "section", "finding")}
    assert len(kinds) == 4, kinds
    print(f"ok: check --json=records: {len(files)} files, {len(found)} lines")


def names_and_failures_follow_the_schema():
    named = bytes(FOLDER) + b"/\xff"
    with open(named, "wb"):
        pass
    (line,) = lines("check", files=[named])
    assert_valid(line)
    assert line["file_hex"] == named.hex(), line
    (line,) = lines("check", files=[FOLDER / "no such file"])
    assert_valid(line)
    assert line["verdict"] == "unreadable", line
    print("ok: a name that is not UTF-8, a file that is not there")


def skipped_entries_follow_the_schema():
    folder = FOLDER / "entries"
    folder.mkdir()
    (folder / "notes").write_text("text\n", encoding="utf-8")
    with open(bytes(folder) + b"/\xff", "wb") as other:
        other.write(b"text")
    ran = subprocess.run([PROGRAM, "check", "--json", folder], capture_output=True, check=False)
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [line["verdict"] for line in found] == ["skipped", "skipped"], found
    assert "file_hex" in found[1], found
    for line in found:
        assert_valid(line)
    print("ok: entries of a directory that are skipped")


def the_schema_refuses_wrong_reports():
    """Checks that the schema refuses wrong reports: a schema that accepts everything would prove nothing."""
    (good,) = lines("check", files=["host-tests/fixtures/scda/inline.scda"])
    assert_valid(good)
    another, verdict, missing, older, unversioned = (copy.deepcopy(good) for _ in range(5))
    another["sections"][0]["another"] = 1
    verdict["verdict"] = "fine"
    del missing["findings"]
    older["schema"] -= 1
    del unversioned["schema"]
    for bad in (verdict, missing, older, unversioned):
        assert not VALIDATOR.is_valid(bad) and not OPEN.is_valid(bad), bad
    assert not VALIDATOR.is_valid(another), another
    print("ok: another key, another verdict, a missing key and another version are refused")


def the_schema_accepts_later_reports():
    """Checks that what a later version may add does not break a validator that has this schema."""
    sources = ["scda/inline.scda", "qio/single/gauge_f3_4x4x4x8.lime", "qio/nersc/n3x2_f_badsum.nersc"]
    for name in sources:
        (report,) = lines("check", "--for", "qio", files=[Path("host-tests/fixtures") / name])
        assert OPEN.is_valid(report) and VALIDATOR.is_valid(report), report

        def grown(node):
            """A key more in each object."""
            if isinstance(node, dict):
                return {key: grown(value) for key, value in node.items()} | {"later": 1}
            return [grown(item) for item in node] if isinstance(node, list) else node

        for later in (grown(report), report | {"format": "later"}):
            errors = [f"{list(error.absolute_path)}: {error.message}" for error in OPEN.iter_errors(later)]
            assert not errors and not VALIDATOR.is_valid(later), (name, errors)
    (report,) = lines("check", files=["host-tests/fixtures/scda/inline.scda"])
    report["unverified"] = [{"reason": "later", "message": "of a later version", "parts": 1, "first": 0}]
    assert OPEN.is_valid(report) and not VALIDATOR.is_valid(report), report
    print(f"ok: more keys, another format and another reason are accepted in {len(sources)} reports")


def accounts_of_commands_follow_the_schema():
    """Checks the JSON of commands that write files, and the reports in it."""
    validator = jsonschema.Draft202012Validator(closed(ACCOUNT))
    validator.check_schema(ACCOUNT)
    qio = Path("host-tests/fixtures/qio")
    numbers = FOLDER / "numbers"
    numbers.write_bytes(bytes(48))
    raw = ["--type", "C1V3", "--extents", "1x1x1x1", "--source", "/dev/null", "--solution", numbers]
    commands = [
        (0, ["convert", qio / "nersc/n3x2_d.nersc", FOLDER / "archive.lime", "--to", "both"]),
        (0, ["convert", FOLDER / "archive.lime", FOLDER / "archive.nersc", "--to", "nersc"]),
        (0, ["convert", qio / "single/gauge_f3_4x4x4x8.lime", FOLDER / "set", "--volumes", "2"]),
        (0, ["volumes", "copy", FOLDER / "set", FOLDER / "copy"]),
        (1, ["convert", qio / "nersc/n3x2_f_badsum.nersc", FOLDER / "none"]),
        (0, ["convert", qio / "nersc/n3x2_f_badsum.nersc", FOLDER / "damaged", "--damaged"]),
        (2, ["convert", FOLDER / "no such file", FOLDER / "none"]),
        (2, ["make", "propagator", FOLDER / "none", *raw]),
    ]
    for status, command in commands:
        ran = subprocess.run([PROGRAM, *command, "--force", "--json"], capture_output=True, check=False)
        assert ran.returncode == status, (command, ran.stderr)
        account = json.loads(ran.stdout)
        errors = [f"{list(error.absolute_path)}: {error.message}" for error in validator.iter_errors(account)]
        assert not errors, (command, errors)
        for place in account["read"] + account["written"]:
            if place["report"] is not None:
                assert_valid(place["report"])
    assert not validator.is_valid(account | {"another": 1})
    assert jsonschema.Draft202012Validator(ACCOUNT).is_valid(account | {"another": 1})
    print(f"ok: {len(commands)} commands that write files")


def manifests_follow_the_schema():
    """Checks manifests, what has changed since, and ensembles."""
    validator, later = jsonschema.Draft202012Validator(closed(MANIFEST)), jsonschema.Draft202012Validator(MANIFEST)
    validator.check_schema(MANIFEST)
    store, manifest = FOLDER / "store", FOLDER / "manifest"
    (store / "old").mkdir(parents=True)
    for index, path in enumerate(sorted(Path("host-tests/fixtures").rglob("*"))):
        if path.is_file():
            (store / f"{index:04}.{path.name}").write_bytes(path.read_bytes())
    (store / "old" / "text").write_text("text\n", encoding="utf-8")
    with tarfile.open(store / "old.tar.gz", "w:gz") as archive:
        archive.add("host-tests/fixtures/qio/single")
    with open(bytes(store) + b"/\xff", "wb") as other:
        other.write(b"text")

    def valid(*arguments, statuses=(0, 1, 2, 3)):
        ran = subprocess.run([PROGRAM, *arguments], capture_output=True, check=False)
        assert ran.returncode in statuses, (arguments, ran.returncode, ran.stderr)
        found = [json.loads(line) for line in ran.stdout.splitlines()]
        for line in found:
            errors = [f"{list(error.absolute_path)}: {error.message}" for error in validator.iter_errors(line)]
            assert not errors, (line, errors)
            assert later.is_valid(line | {"later": 1}) and not validator.is_valid(line | {"later": 1}), line
        return ran.stdout, found

    text, entries = valid("manifest", store)
    manifest.write_bytes(text)
    assert any("members" in entry for entry in entries) and any("set" in entry for entry in entries)
    files = sorted(path for path in store.iterdir() if path.is_file())
    files[0].unlink()
    files[1].rename(store / "renamed")
    files[2].write_bytes(files[2].read_bytes() + b"more")
    _, changes = valid("check", "--manifest", manifest, "--json", store)
    assert {"gone", "moved"} <= {line["change"] for line in changes[:-1]}, changes
    _, ensembles = valid("ensemble", "--json", manifest)
    assert not validator.is_valid(entries[0] | {"verdict": "fine"}) and not later.is_valid(entries[0] | {"schema": 1})
    print(f"ok: a manifest of {len(entries)} lines, {len(changes)} lines about changes, {len(ensembles)} about ensembles")


def other_objects_have_the_version():
    """Checks the version of objects that no schema describes, and that it is the same everywhere."""
    version = SCHEMA["$defs"]["schema"]["const"]
    assert ACCOUNT["properties"]["schema"]["const"] == version
    files = ["host-tests/fixtures/qio/single/gauge_f3_4x4x4x8.lime", "host-tests/fixtures/scda/inline.scda"]
    commands = (["diff", files[0], files[1]], ["diff", files[0], FOLDER / "no such file"], ["lime", "contents", files[0]])
    for command in commands:
        ran = subprocess.run([PROGRAM, *command, "--json"], capture_output=True, check=False)
        found = json.loads(ran.stdout)
        assert next(iter(found.items())) == ("schema", version), (command, found)
    print(f"ok: version {version} of all objects")


OPEN.check_schema(SCHEMA)
the_page_is_made_of_the_schema()
every_property_is_described()
other_objects_have_the_version()
every_report_follows_the_schema()
every_entry_follows_the_schema()
names_and_failures_follow_the_schema()
skipped_entries_follow_the_schema()
accounts_of_commands_follow_the_schema()
manifests_follow_the_schema()
the_schema_refuses_wrong_reports()
the_schema_accepts_later_reports()
