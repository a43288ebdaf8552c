"""The types of results have the entries that results have."""

from __future__ import annotations

import json
import pathlib
from typing import Any, Iterable, Mapping

import pytest
from conftest import FIXTURES, REPOSITORY

import linkstream as ls
from linkstream import _types as types

SCHEMA = json.loads((REPOSITORY / "examples" / "report" / "schema.json").read_text())["$defs"]


@pytest.mark.parametrize(
    "type_, names",
    [
        (types.Finding, ["finding"]),
        (types.UnverifiedReason, ["unverified"]),
        (types.Checksum, ["checksum"]),
        (types.Recorded, ["recorded"]),
        (types.FieldReport, ["field", "archive_field"]),
    ],
)
def test_types_of_reports_are_those_of_the_schema(type_: Any, names: list[str]) -> None:
    assert set(type_.__annotations__) == {key for name in names for key in SCHEMA[name]["properties"]}


def keys(results: Iterable[Mapping[str, Any]]) -> set[str]:
    return {key for result in results for key in result}


def test_types_of_stores_have_all_entries(tmp_path: pathlib.Path) -> None:
    before = ls.manifest(FIXTURES)
    fields = [field for entry in before.values() for field in entry.get("fields", ())]
    assert keys(before.values()) <= set(types.ManifestEntry.__annotations__)
    assert keys(fields) <= set(types.ManifestField.__annotations__) and len(fields) > 100
    found = ls.ensemble(before)
    assert keys(found["ensembles"]) == set(types.Ensemble.__annotations__)
    of_ensembles = [one for ensemble in found["ensembles"] for one in ensemble["findings"]]
    assert keys([*found["findings"], *of_ensembles]) == set(types.StoreFinding.__annotations__)
    (tmp_path / "new").write_bytes(b"")
    changes = ls.check(tmp_path, manifest=before)["changes"]
    assert keys(changes) <= set(types.Change.__annotations__) and len(changes) > 500
