"""Arrays as other programs have them, against the index formulas of those programs, site by site."""

from __future__ import annotations

import pathlib
import struct
import subprocess
from typing import Any

import numpy as np
import pytest
from fields import numbers, unitary
from test_write_like_program import PROGRAM

import linkstream as ls

LATTICE = (4, 2, 6, 8)
"""t, z, y, x: even, and different."""
T, Z, Y, X = LATTICE
V = T * Z * Y * X
LINKS = unitary(3, (*LATTICE, 4))
SITES = [(x, y, z, t) for t in range(T) for z in range(Z) for y in range(Y) for x in range(X)]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("layouts") / "lat"
    ls.write(path, LINKS, dims=("t", "z", "y", "x", "mu", "row", "column"))
    return path


def quda(x: int, y: int, z: int, t: int) -> tuple[int, int]:
    """QUDA: parity, and the index x_cb = (((t Z + z) Y + y) X + x) / 2 in it."""
    return (x + y + z + t) % 2, (((t * Z + z) * Y + y) * X + x) // 2


def milc(x: int, y: int, z: int, t: int) -> int:
    """``node_index`` of MILC on one node."""
    i = x + X * (y + Y * (z + Z * t))
    return i // 2 if (x + y + z + t) % 2 == 0 else (i + V) // 2


def test_pyquda(path: pathlib.Path) -> None:
    array = ls.open(path)[0].numpy(layout="pyquda")
    assert array.shape == (4, 2, T, Z, Y, X // 2, 3, 3) and array.flags.c_contiguous
    for x, y, z, t in SITES:
        # PyQUDA: even sites are 0::2 of rows with an even t + z + y, and 1::2 of others.
        eo = (t + z + y) % 2
        parity = 0 if x % 2 == eo else 1
        assert np.array_equal(array[:, parity, t, z, y, x // 2], LINKS[t, z, y, x])


def test_quda(path: pathlib.Path) -> None:
    array = ls.open(path)[0].numpy(layout="quda-eo")
    assert array.shape == (4, 2, V // 2, 3, 3)
    for x, y, z, t in SITES:
        assert np.array_equal(array[(slice(None), *quda(x, y, z, t))], LINKS[t, z, y, x])


def test_gpt(path: pathlib.Path) -> None:
    array = ls.open(path)[0].numpy(layout="gpt")
    assert array.shape == (4, V, 3, 3)
    for x, y, z, t in SITES:
        assert np.array_equal(array[:, x + X * (y + Y * (z + Z * t))], LINKS[t, z, y, x])


def test_milc(path: pathlib.Path) -> None:
    array = ls.open(path)[0].numpy(layout="milc")
    assert array.shape == (V, 4, 3, 3)
    for x, y, z, t in SITES:
        assert np.array_equal(array[milc(x, y, z, t)], LINKS[t, z, y, x])


def test_lyncs(path: pathlib.Path) -> None:
    assert np.array_equal(ls.open(path)[0].numpy(layout="lyncs"), LINKS)


def test_open_qcd(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    array = ls.open(path)[0].numpy(layout="openqcd")
    assert array.shape == (V // 2, 8, 3, 3)
    # The program writes the same bytes.
    out = tmp_path / "lat.qcd"
    subprocess.run([PROGRAM, "convert", "--to", "openqcd", path, out], check=True, capture_output=True)
    content = out.read_bytes()
    assert struct.unpack("<4i", content[:16]) == (T, X, Y, Z)
    assert content[24:] == array.astype("<c16").tobytes()


@pytest.mark.parametrize("layout", list(ls.layouts))
def test_links_come_back(path: pathlib.Path, tmp_path: pathlib.Path, layout: Any) -> None:
    for dtype in (None, "c8", ">c16"):
        array = ls.open(path)[0].numpy(dtype, layout=layout)
        name = tmp_path / f"{dtype}".strip(">")
        ls.write(name, array, layout=layout, lattice=LATTICE, kind="su3gauge")
        assert np.array_equal(ls.open(name)[0].numpy(), LINKS.astype("c8" if dtype == "c8" else "c16"))


@pytest.mark.parametrize("layout", ["pyquda", "quda-eo", "gpt", "lyncs", "milc"])
@pytest.mark.parametrize(("kind", "inside"), [("propagator", (4, 4, 3, 3)), ("dirac_fermion", (4, 3)), ("color_vector", (3,))])
def test_other_fields_come_back(tmp_path: pathlib.Path, layout: Any, kind: str, inside: tuple[int, ...]) -> None:
    array = numbers(*inside, lattice=LATTICE)
    ls.write(tmp_path / "source", array, kind=kind)
    moved = ls.open(tmp_path / "source")[0].numpy(layout=layout)
    for x, y, z, t in SITES[:: len(SITES) // 40]:
        place: Any = {
            "pyquda": ((x + y + z + t) % 2, t, z, y, x // 2),
            "quda-eo": quda(x, y, z, t),
            "gpt": x + X * (y + Y * (z + Z * t)),
            "lyncs": (t, z, y, x),
            "milc": milc(x, y, z, t),
        }[layout]
        assert np.array_equal(moved[place], array[t, z, y, x])
    ls.write(tmp_path / "back", moved, kind=kind, layout=layout, lattice=LATTICE)
    assert np.array_equal(ls.open(tmp_path / "back")[0].numpy(), array)


def test_layouts_of_pyquda_and_lyncs_show_their_lattice(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    for layout in ("pyquda", "lyncs"):
        ls.write(tmp_path / layout, ls.open(path)[0].numpy(layout=layout), layout=layout, kind="su3gauge")
        assert np.array_equal(ls.open(tmp_path / layout)[0].numpy(), LINKS)
    with pytest.raises(ValueError, match="lattice"):
        ls.write(tmp_path / "no", ls.open(path)[0].numpy(layout="gpt"), layout="gpt", kind="su3gauge")
    # The file of the same links has it.
    ls.write(tmp_path / "like", ls.open(path)[0].numpy(layout="gpt"), layout="gpt", like=ls.open(path))
    assert np.array_equal(ls.open(tmp_path / "like")[0].numpy(), LINKS)


def test_wrong_layouts_are_refused(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    field = ls.open(path)[0]
    with pytest.raises(ValueError, match="layout is one of pyquda, .*, not 'quda'"):
        field.numpy(layout="quda")
    with pytest.raises(ValueError, match="has the axes"):
        ls.write(tmp_path / "no", LINKS, layout="gpt", lattice=LATTICE, kind="su3gauge")
    odd = unitary(3, (2, 2, 2, 3, 4))
    ls.write(tmp_path / "odd", odd)
    for layout in ("pyquda", "quda-eo", "milc", "openqcd"):
        with pytest.raises(ValueError, match="even"):
            ls.open(tmp_path / "odd")[0].numpy(layout=layout)
    with pytest.raises(ValueError, match="one of x, y, z, t"):
        ls.direction_axis("w")
    assert [ls.direction_axis(one) for one in "xyzt"] == [0, 1, 2, 3]


def test_a_given_plaquette_refuses_links_in_another_order(tmp_path: pathlib.Path) -> None:
    sample = pathlib.Path(__file__).resolve().parents[2] / "su3-4x4x4x8.lime"
    links = np.ascontiguousarray(ls.open(sample)[0].numpy()[:4])
    # A part of a lattice has another plaquette: the one of these links.
    names = ("t", "z", "y", "x", "mu", "row", "column")
    ls.write(tmp_path / "right", links, dims=names)
    plaquette = ls.check(tmp_path / "right")["fields"][0]["plaquette"]
    ls.write(tmp_path / "checked", links, plaquette=round(plaquette, 4))
    swapped = np.ascontiguousarray(np.moveaxis(links, 4, 0))
    assert swapped.shape == links.shape
    with pytest.raises(ls.DataError, match="plaquette"):
        ls.write(tmp_path / "wrong", swapped, plaquette=round(plaquette, 4))
    assert not (tmp_path / "wrong").exists()
    # Without it, a warning says what was assumed.
    with pytest.warns(ls.WriteWarning, match="are taken for t, z, y, x, mu, row, column.*plaquette="):
        ls.write(tmp_path / "assumed", swapped)
    with pytest.raises(ValueError, match="plaquette"):
        ls.write(tmp_path / "no", numbers(3), kind="color_vector", plaquette=0.5)
