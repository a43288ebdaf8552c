"""Samples: the same links on every machine."""

from __future__ import annotations

import os
import pathlib
from typing import Any

import numpy as np
import pytest

import linkstream as ls


def test_the_sample_is_the_one_of_the_repository(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    assert ls.sample(tmp_path / "mine") == [str(tmp_path / "mine")]
    mine = ls.open(tmp_path / "mine")[0]
    assert mine.numpy().tobytes() == ls.open(sample)[0].numpy().tobytes()
    assert ls.check(tmp_path / "mine")["verdict"] == "ok"
    with pytest.raises(FileExistsError):
        ls.sample(tmp_path / "mine")


def test_an_ensemble_follows_from_its_seed(tmp_path: pathlib.Path) -> None:
    options: dict[str, Any] = {"extents": (4, 2, 2, 2), "beta": 5.5, "configurations": 3}
    first, again, other = (ls.sample(tmp_path / name, seed=seed, **options) for name, seed in [("a", 1), ("b", 1), ("c", 2)])
    assert [os.path.basename(path) for path in first] == [f"sample.{n:04}.lime" for n in (200, 210, 220)]
    links = [[ls.open(path)[0].numpy() for path in paths] for paths in (first, again, other)]
    assert all(np.array_equal(one, same) for one, same in zip(links[0], links[1]))
    assert not np.array_equal(links[0][0], links[2][0]) and not np.array_equal(links[0][0], links[0][1])
    assert links[0][0].shape == (4, 2, 2, 2, 4, 3, 3)
    table = ls.scan(tmp_path / "a" / "*", xml={"beta": "beta", "seed": "seed"}, check=True)
    assert table["verdict"] == ["ok"] * 3 and table["update"] == [200, 210, 220]
    assert table["beta"] == [5.5] * 3 and table["seed"] == [1] * 3
    # The plaquette falls with the coupling.
    ls.sample(tmp_path / "strong", extents=(4, 2, 2, 2), beta=1.0)
    assert ls.check(tmp_path / "strong")["fields"][0]["plaquette"] < min(table["plaquette"])


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"extents": (4, 4, 4)}, "four numbers"),
        ({"extents": (1, 4, 4, 4)}, "at least 2"),
        ({"extents": (1 << 20, 2, 2, 2)}, "sites"),
        ({"seed": -1}, "seed"),
        ({"beta": float("nan")}, "beta"),
        ({"configurations": 0}, "at least one"),
    ],
)
def test_impossible_samples_are_refused(tmp_path: pathlib.Path, options: dict[str, Any], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        ls.sample(tmp_path / "no", **options)
    assert list(tmp_path.iterdir()) == []
