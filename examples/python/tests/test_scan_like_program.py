"""A row of `ls.scan` has the values of `linkstream table`."""

from __future__ import annotations

import collections
import json
import pathlib
import subprocess
from typing import Any

import pytest
from conftest import FIXTURES
from test_fixtures import OTHERS, PROGRAM

import linkstream as ls

pytestmark = pytest.mark.skipif(not PROGRAM, reason="LINKSTREAM is not the path of the program")

BESIDE = {"file", "t", "z", "y", "x"}
"""Columns that the program has not, or in another form."""


def rows_of_program(store: pathlib.Path, columns: list[str]) -> dict[str, list[dict[str, Any]]]:
    """The rows of each file; those of a file set are together, under its name."""
    names = ",".join(["file", "set", *columns])
    run = subprocess.run([PROGRAM, "table", "--json", "--columns", names, store], capture_output=True, text=True, check=False)
    rows = collections.defaultdict(list)
    for line in run.stdout.splitlines():
        row = json.loads(line)
        name, of_set = pathlib.PurePath(row.pop("file")), row.pop("set")
        if of_set:
            # A volume `set.vol0000`, or `vol0000/set`.
            name = (name.parent if name.suffix.startswith(".vol") else name.parent.parent) / of_set
        rows[str(name)].append(row)
    return rows


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("store", [FIXTURES, OTHERS], ids=["own", "others"])
def test_rows_are_those_of_the_program(store: pathlib.Path, check: bool) -> None:
    if not store.is_dir():
        pytest.skip("there are no files of other projects: LINKSTREAM_FIXTURES")
    columns = [name for name in ls.scan([], check=check) if name not in BESIDE]
    expected = rows_of_program(store, columns)
    table = ls.scan([store / name for name in expected], check=check)
    different = []
    for name, row in zip(expected, table.rows()):
        first, *rest = expected[name]
        first["bytes"] += sum(volume["bytes"] for volume in rest)
        found = {column: row[column] for column in columns}
        if "this is gzip" in (row["error"] or ""):
            # The program reads what is packed.
            continue
        # The reason why it is not opened, although a report is possible.
        if first["error"] is None:
            first["error"] = found["error"]
        if found != first:
            different.append((name, {key: (found[key], first[key]) for key in first if found[key] != first[key]}))
    assert different == []
    assert len(expected) > 500 and sum(row["fields"] for row in table.rows()) > 100
