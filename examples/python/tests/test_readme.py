"""The Python in the README runs, in its order, and prints what is shown."""

from __future__ import annotations

import contextlib
import io
import pathlib
import os
import re
import shutil
import subprocess
import warnings
from typing import Any

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[1]
README = FOLDER / "README.md"
NEEDS = ("zarr", "xarray", "dask", "fsspec", "matplotlib")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("name", ["README.md", "OBSERVABLES.md"])
def test_the_pages_run(
    name: str, sample: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in NEEDS:
        pytest.importorskip(package)
    pytest.importorskip("matplotlib").use("agg")
    shutil.copy(sample, tmp_path / "su3.lime")
    monkeypatch.chdir(tmp_path)
    printed = ""
    namespace: dict[str, Any] = {"__name__": "readme"}
    executed = 0
    for block in BLOCK.finditer((FOLDER / name).read_text()):
        language, text = block.groups()
        line = (FOLDER / name).read_text()[: block.start()].count("\n") + 1
        if language == "python":
            # The README reads with verify=False, which warns.
            with contextlib.redirect_stdout(io.StringIO()) as output, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile("\n" * line + text, name, "exec"), namespace)
            printed = output.getvalue()
            executed += 1
        elif language == "text" and executed:
            assert printed == text, f"the output of the block before line {line}"
        else:
            assert language in ("console", "text"), f"line {line}: no test runs a block of {language}"
    assert executed >= 5


@pytest.mark.parametrize("name", ["five_minutes"])
def test_a_page_of_the_guide_runs(name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its commands prepare the files that its Python reads; the gate's stage `readme` compares what they print."""
    page = README.parents[2] / f"codec/src/guide/{name}.md"
    if not page.exists() or "LINKSTREAM" not in os.environ:
        pytest.fail(f"the test needs {page} and the program, LINKSTREAM")
    monkeypatch.chdir(tmp_path)
    program = pathlib.Path(os.environ["LINKSTREAM"]).parent
    path = {**os.environ, "PATH": f"{program}{os.pathsep}{os.environ['PATH']}"}
    printed = None
    for block in BLOCK.finditer(page.read_text()):
        language, text = block.groups()
        if language == "console":
            for line in re.findall(r"^\$ (.*)$", text, re.MULTILINE):
                subprocess.run(["bash", "-o", "pipefail", "-c", line], check=True, env=path, stdout=subprocess.DEVNULL)
        elif language == "python":
            with contextlib.redirect_stdout(io.StringIO()) as output:
                exec(compile(text, str(page), "exec"), {"__name__": name})
            printed = output.getvalue()
        elif printed is not None:
            assert printed == text
            return
    pytest.fail(f"{page} has no Python with an output")


def test_the_readme_names_everything() -> None:
    """A public name that no reader can find is of no use."""
    import linkstream as ls

    text = README.read_text()
    absent = [name for name in ls.__all__ if not re.search(rf"\b{name}\b", text)]
    assert absent == []
