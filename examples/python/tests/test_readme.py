"""The Python in the README runs, in its order, and prints what is shown."""

from __future__ import annotations

import contextlib
import io
import pathlib
import re
import shutil
import warnings
from typing import Any

import pytest

README = pathlib.Path(__file__).resolve().parents[1] / "README.md"
NEEDS = ("zarr", "xarray", "dask", "fsspec", "matplotlib")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_the_readme_runs(sample: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in NEEDS:
        pytest.importorskip(package)
    pytest.importorskip("matplotlib").use("agg")
    shutil.copy(sample, tmp_path / "su3.lime")
    for number in range(3):
        shutil.copy(sample, tmp_path / f"cfg-{number}.lime")
    monkeypatch.chdir(tmp_path)
    printed = ""
    namespace: dict[str, Any] = {"__name__": "readme"}
    executed = 0
    for block in BLOCK.finditer(README.read_text()):
        language, text = block.groups()
        line = README.read_text()[: block.start()].count("\n") + 1
        if language == "python":
            # The README reads with verify=False, which warns.
            with contextlib.redirect_stdout(io.StringIO()) as output, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile("\n" * line + text, str(README), "exec"), namespace)
            printed = output.getvalue()
            executed += 1
        elif language == "text" and executed:
            assert printed == text, f"the output of the block before line {line}"
        else:
            assert language in ("console", "text"), f"line {line}: no test runs a block of {language}"
    assert executed >= 5


def test_the_readme_names_everything() -> None:
    """A public name that no reader can find is of no use."""
    import linkstream as ls

    text = README.read_text()
    absent = [name for name in ls.__all__ if not re.search(rf"\b{name}\b", text)]
    assert absent == []
