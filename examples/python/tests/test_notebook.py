"""The notebook runs, and shows plots."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

DIRECTORY = pathlib.Path(__file__).resolve().parents[1]


def outputs(notebook: Any, kind: str) -> int:
    return sum(kind in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))


# Libraries of Jupyter warn of their own future.
@pytest.mark.filterwarnings("default")
def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    # The kernel has its own way to show plots.
    monkeypatch.delenv("MPLBACKEND", raising=False)
    notebook = nbformat.read(DIRECTORY / "ensemble.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "commit the notebook without outputs"
    client = nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(DIRECTORY)}}
    )
    client.execute()
    # The history, and the report of the last configuration with its plot.
    assert outputs(notebook, "image/png") == 1
    assert outputs(notebook, "text/html") == 1
