"""Every public name has a docstring."""

from __future__ import annotations

import inspect
import subprocess
import sys
from typing import Any, Iterator

import linkstream as ls


def undocumented(name: str, value: Any) -> Iterator[str]:
    if not inspect.getdoc(value):
        yield name
    if inspect.isclass(value):
        for attribute, member in vars(value).items():
            if not attribute.startswith("_") and (callable(member) or isinstance(member, property)):
                if not inspect.getdoc(member):
                    yield f"{name}.{attribute}"


def test_every_public_name_has_a_docstring() -> None:
    names = (name for name in ls.__all__ if name != "__version__")
    assert [missing for name in names for missing in undocumented(name, getattr(ls, name))] == []


def test_the_list_of_public_names_is_complete() -> None:
    public = {name for name, value in vars(ls).items() if not name.startswith("_") and not inspect.ismodule(value)}
    assert public == set(ls.__all__) - {"__version__"}


def test_packages_for_special_purposes_are_not_imported_with_linkstream() -> None:
    program = "import sys, linkstream; print(sorted({'matplotlib', 'fsspec', 'zarr', 'xarray', 'dask'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
