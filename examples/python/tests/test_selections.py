"""A part of a field is the part of its array, whatever the key, the lattice, and the way that data are stored."""

from __future__ import annotations

import pathlib
import warnings
from typing import Any

import numpy as np
import pytest
from conftest import FIXTURES
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import linkstream as ls

QIO = FIXTURES / "qio"
FILES = {
    "links": "single/gauge_d3_2x3x4x5.lime",
    "numbers": "single/real_d_2x3x4x5.lime",
    "spins": "single/dirac_f3_2x3x4x5.lime",
    "integers": "single/int_2x3x4x5.lime",
    "items": "single/type2_U3x5_2x3x4x5.lime",
    "one axis": "single/dim1_17.lime",
    "one site": "single/dim1_1.lime",
    "two axes": "single/dim2_5x7.lime",
    "eight axes": "single/dim8_2x2x2x2x2x2x2x2.lime",
    "hypercubes": "single/hyper_2x3x4x5.lime",
    "global data": "single/global.lime",
    "set": "multi/multi3_uneven.lime.vol0000",
    "set of parts": "multi/part4_io2.lime.vol0000",
    "NERSC, two rows": "nersc/n3x2_f.nersc",
    "NERSC, any order": "nersc/n3x2_f_generic32.nersc",
    "NERSC, three rows": "nersc/n3x3_d.nersc",
}


def fields() -> list[Any]:
    """Each field, as a file and an index."""
    listed = []
    for name, path in FILES.items():
        for index in range(len(ls.open(QIO / path))):
            listed.append(pytest.param(QIO / path, index, id=f"{name} {index}"))
    return listed


def item(extent: int) -> st.SearchStrategy[Any]:
    """An item of a key for an axis."""
    end = st.none() | st.integers(-extent - 2, extent + 2)
    step = st.none() | st.integers(-3, 3).filter(bool)
    index = st.integers(-extent, extent - 1)
    return index | index.map(np.int64) | st.builds(slice, end, end, step)


@st.composite
def keys(draw: st.DrawFn, shape: tuple[int, ...]) -> Any:
    """A key for an array of this shape, with or without an ellipsis."""
    before = draw(st.integers(0, len(shape)))
    after = draw(st.integers(0, len(shape) - before))
    items = [draw(item(extent)) for extent in shape[:before]]
    if after or draw(st.booleans()):
        items.append(...)
    items += [draw(item(extent)) for extent in shape[len(shape) - after :]]
    return items[0] if len(items) == 1 and draw(st.booleans()) else tuple(items)


@pytest.mark.parametrize(("path", "index"), fields())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_part_is_the_part_of_the_array(path: pathlib.Path, index: int, data: st.DataObject) -> None:
    field = ls.open(path, verify=data.draw(st.booleans(), label="verify"))[index]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ls.UnverifiedWarning)
        whole = ls.open(path)[index].numpy()
        for _ in range(3):
            key = data.draw(keys(field.shape), label="key")
            part, expected = field[key], whole[key]
            assert (part.shape, part.dtype) == (expected.shape, expected.dtype)
            assert part.tobytes() == expected.tobytes()


@pytest.mark.parametrize(("path", "index"), fields())
def test_time_slices_and_sites_are_those_of_the_array(path: pathlib.Path, index: int) -> None:
    field = ls.open(path)[index]
    whole = field.numpy()
    assert field.verification == "verified"
    if not field.lattice:
        for iterate in (field.slices, field.sites):
            with pytest.raises(TypeError, match="global data"):
                next(iterate())
        return
    assert len(field) == len(whole)
    slices = list(field.slices())
    assert np.array_equal(np.array(slices), whole)
    places, sites = zip(*field.sites())
    assert list(places) == list(np.ndindex(field.lattice))
    assert np.array_equal(np.array(sites).reshape(whole.shape), whole)


@pytest.mark.parametrize("verify", [True, False])
@pytest.mark.parametrize(
    ("key", "error"),
    [
        (4.0, TypeError),
        ("t", TypeError),
        (None, TypeError),
        (True, TypeError),
        (np.True_, TypeError),
        ([0, 1], TypeError),
        (np.array([0, 1]), TypeError),
        ((0, object()), TypeError),
        (slice("a", None), TypeError),
        (slice(0, 2, 0), ValueError),
        (8, IndexError),
        (-9, IndexError),
        (10**30, IndexError),
        ((...,) * 2, IndexError),
        ((0,) * 8, IndexError),
    ],
)
def test_other_keys_are_errors(sample: pathlib.Path, verify: bool, key: Any, error: type[Exception]) -> None:
    field = ls.open(sample, verify=verify)[0]
    with pytest.raises(error):
        field[key]
    assert field.verification == "not read"


def test_slices_beyond_the_end_are_empty(sample: pathlib.Path) -> None:
    field = ls.open(sample)[0]
    assert field[8:].shape == (0, *field.shape[1:])
    assert field[10**30 :: -(10**30), 0].shape == (1, *field.shape[2:])
