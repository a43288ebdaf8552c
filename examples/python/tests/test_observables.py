"""The observables of `check`, compared with their definitions in NumPy, in every format and form that has links."""

from __future__ import annotations

import pathlib
import warnings
from typing import Any

import numpy as np
import pytest
from conftest import FIXTURES
from fields import GAUGE, single
from made import milc

import linkstream as ls

def polyakov_loop(links: np.ndarray) -> complex:
    """tr L / N, averaged over the sites of space."""
    temporal = links[..., 3, :, :]
    product = temporal[0]
    for link in temporal[1:]:
        product = product @ link
    return complex(np.einsum("...ii", product).mean()) / links.shape[-1]


def loop_of(source: Any) -> complex:
    return complex(*ls.check(source, lenient=True)["fields"][0]["polyakov_loop"])


@pytest.mark.parametrize("kind", GAUGE)
@pytest.mark.parametrize("precise", [True, False], ids=["double", "single"])
def test_each_kind_of_links_has_its_polyakov_loop(tmp_path: pathlib.Path, kind: str, precise: bool) -> None:
    links = GAUGE[kind] if precise else single(GAUGE[kind])
    ls.write(tmp_path / "lat", links, kind=kind)
    matrices = np.exp(1j * links) if kind == "u1phase" else links
    assert abs(loop_of(tmp_path / "lat") - polyakov_loop(matrices.astype("c16"))) < (1e-13 if precise else 1e-7)


@pytest.mark.filterwarnings("ignore::linkstream.WriteWarning")
@pytest.mark.parametrize(
    "options",
    [{"form": "ildg"}, {"form": "scidac"}, {"form": "nersc"}, {"form": "nersc", "rows": 2}, {"set": 2}, {"rows": 2}],
    ids=str,
)
def test_each_form_has_the_same(tmp_path: pathlib.Path, options: dict[str, Any]) -> None:
    links = GAUGE["su3gauge"]
    ls.write(tmp_path / "lat", links, **options)
    assert abs(loop_of(tmp_path / "lat") - polyakov_loop(links)) < 1e-12


def test_files_of_other_programs_have_the_loop_of_their_links(tmp_path: pathlib.Path) -> None:
    """NERSC and MILC archives in both byte orders, openQCD, QIO's files and sets, and those of a dozen programs."""
    formats = set()
    (tmp_path / "little.milc").write_bytes(milc(GAUGE["su3gauge"], "<"))
    (tmp_path / "big.milc").write_bytes(milc(GAUGE["su3gauge"], ">"))
    for path in (*sorted(FIXTURES.rglob("*")), *sorted(tmp_path.iterdir())):
        if not path.is_file() or path.suffix == ".toml" or path.stat().st_size > 4 << 20:
            continue
        report = ls.check(path, lenient=True)
        measured = [one for one in report["fields"] if one.get("polyakov_loop")]
        if not measured or report["verdict"] not in ("ok", "unverified"):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fields = [one for one in ls.open(path, verify=False) if "mu" in one.dims and one.shape[-2] == one.shape[-1]]
            if len(fields) != len(measured):
                continue
            for field, one in zip(fields, measured):
                if len(field.attrs["lattice"]) != 4:
                    continue
                stored = field.numpy("f8" if field.dtype.kind == "f" else "c16")
                # Links of `u1phase` are real numbers, as in SO(N), but phases.
                links = (np.exp(1j * stored) if field.attrs["datatype"] == "u1phase" else stored).astype("c16")
                scale = max(1.0, float(abs(links).max()) ** links.shape[0])
                assert abs(complex(*one["polyakov_loop"]) - polyakov_loop(links)) < 1e-12 * scale, path
                formats.add(report["format"])
    assert formats >= {"lime", "nersc", "milc", "openqcd"}, formats


def test_numbers_that_are_not_finite_have_no_loop(tmp_path: pathlib.Path) -> None:
    links = GAUGE["su3gauge"].copy()
    links[1, 0, 1, 2, 0, 0, 0] = np.nan
    ls.write(tmp_path / "lat", links, finite=False, unitary=False)
    field = ls.check(tmp_path / "lat")["fields"][0]
    assert field["polyakov_loop"] is None and field["plaquette"] is None
    assert "polyakov_loop" not in ls.check(tmp_path / "lat", observables=False)["fields"][0]
