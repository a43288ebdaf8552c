"""Files for the tests."""

from __future__ import annotations

import os
import pathlib
import sys
from typing import Any, Iterator

import pytest

from servers import Server

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
FIXTURES = REPOSITORY / "host-tests" / "fixtures"
"""Files described by manifests."""
LONG = os.environ.get("LINKSTREAM_LONG_TESTS") == "1"
"""Whether tests with many cases test all of them, and not a sample."""


def manifest(folder: str) -> list[dict[str, Any]]:
    """The descriptions of the files of a folder that the repository has."""
    described = tomllib.loads((FIXTURES / folder / "MANIFEST.toml").read_text())["file"]
    return [file for file in described if (FIXTURES / folder / file["path"]).exists()]


@pytest.fixture(scope="session")
def sample() -> pathlib.Path:
    """A gauge field of SU(3) in single precision, with a checksum."""
    return REPOSITORY / "examples" / "su3-4x4x4x8.lime"


@pytest.fixture
def server(tmp_path: pathlib.Path) -> Iterator[Server]:
    """A server of the files in a folder."""
    with Server(tmp_path) as running:
        yield running
