"""Files for the examples in docstrings: `python -m pytest --doctest-modules --pyargs linkstream` runs them."""

from pathlib import Path

import pytest

SAMPLE = Path(__file__).resolve().parents[1] / "su3-4x4x4x8.lime"
# A byte of the data.
DAMAGED = 100_000


@pytest.fixture(autouse=True)
def _examples(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs each docstring in a directory of its own, with `lat.ildg`, and with `damaged.ildg`, which has a wrong byte."""
    if not isinstance(request.node, pytest.DoctestItem):
        return
    content = bytearray(SAMPLE.read_bytes())
    (tmp_path / "lat.ildg").write_bytes(content)
    content[DAMAGED] ^= 1
    (tmp_path / "damaged.ildg").write_bytes(content)
    monkeypatch.chdir(tmp_path)
