"""`linkstream.compat.lyncs_io` does what lyncs_io does, and raises where that is silently wrong."""

from __future__ import annotations

import pathlib
import pickle
from typing import Any

import numpy as np
import pytest
from fields import GAUGE, numbers
from made import document, record

import linkstream as ls
from linkstream.compat import lyncs_io as io

LINKS = GAUGE["su3gauge"]


def test_what_is_saved_is_loaded(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "conf.lime"
    for array in (LINKS, LINKS.astype("c8"), LINKS.astype(">c16"), np.asfortranarray(LINKS), numbers(4, 3)):
        # An existing file is replaced.
        io.save(array, path)
        loaded = io.load(path)
        assert loaded.dtype.isnative and np.array_equal(loaded, array)
        assert np.array_equal(io.load(path, format="LIME"), array)
    assert io.dump is io.save
    io.save(numbers(3), path, kind="color_vector")
    assert np.array_equal(io.load(path), numbers(3))


def test_a_suffix_can_be_left_out(tmp_path: pathlib.Path) -> None:
    io.save(LINKS, tmp_path / "conf.lime")
    assert np.array_equal(io.load(tmp_path / "conf"), LINKS)
    io.save(LINKS, tmp_path / "conf.ildg")
    with pytest.raises(ValueError, match=r"More than one .*conf\.\* exist"):
        io.load(tmp_path / "conf")
    with pytest.raises(FileNotFoundError):
        io.load(tmp_path / "other")
    ls.write(tmp_path / "set", LINKS, set=2)
    assert np.array_equal(io.load(tmp_path / "set"), LINKS)
    with (tmp_path / "conf.lime").open("rb") as file:
        assert np.array_equal(io.load(file), LINKS)


def test_heads(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "conf.lime"
    io.save(LINKS, path, metadata={"beta": 6.0, "action": "Wilson <g>", "steps": 10})
    head = io.head(path)
    expected = {"field": "su3gauge", "precision": 64, "lx": 5, "lt": 4, "shape": LINKS.shape, "dtype": ">c16"}
    expected |= {"nbytes": LINKS.nbytes, "fortran_order": False}
    expected |= {"beta": 6.0, "action": "Wilson <g>", "steps": 10}
    assert {key: head[key] for key in expected} == expected
    assert isinstance(head, dict) and not head.is_proper()
    mapped = np.memmap(path, head["dtype"], "r", head["_offset"], head["shape"])
    assert np.array_equal(mapped, LINKS)
    for wrong in ({"a,b": 1}, {"a": "b\nc"}, {"": 1}):
        with pytest.raises(ValueError, match="metadata"):
            io.save(LINKS, path, metadata=wrong)
    assert io.head(path) == head


def test_heads_of_other_files(tmp_path: pathlib.Path, sample: pathlib.Path) -> None:
    assert io.head(sample)["shape"] == (8, 4, 4, 4, 4, 3, 3)
    ls.write(tmp_path / "archive", LINKS, form="nersc", header={"ENSEMBLE_ID": "mine"})
    head = io.head(tmp_path / "archive")
    assert (head["ENSEMBLE_ID"], head["shape"]) == ("mine", LINKS.shape)
    # xlf-info of tmLQCD.
    ildg = document("ildgFormat", version="1.0", field="su3gauge", precision=64, lx=1, ly=1, lz=1, lt=1)
    ildg = ildg.replace(b"<ildgFormat>", b'<ildgFormat xmlns="http://www.lqcd.org/ildg">')
    file = record("xlf-info", b"plaquette = 0.5\nkappa = 1e-3, mu = x", begin=True, end=True)
    file += record("ildg-format", ildg, begin=True)
    file += record("ildg-binary-data", np.tile(np.eye(3, dtype=">c16"), (4, 1, 1)).tobytes(), end=True)
    head = io.head(_file(tmp_path, file))
    assert (head["plaquette"], head["kappa"], head["mu"]) == (0.5, 1e-3, "x")


def _file(folder: pathlib.Path, content: bytes) -> pathlib.Path:
    path = folder / "made.lime"
    path.write_bytes(content)
    return path


def test_chunks_are_arrays_of_dask(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("dask.array")
    io.save(LINKS, tmp_path / "conf.lime")
    array = io.load(tmp_path / "conf.lime", chunks=(2, 2, 3, 5, 4, 3, 3))
    assert array.chunks[0] == (2, 2) and array.dtype == "c16"
    assert np.array_equal(array.compute(), LINKS)
    assert np.array_equal(array[3, 1].compute(), LINKS[3, 1])
    io.save(array, tmp_path / "again.lime", kind="su3gauge")
    assert np.array_equal(io.load(tmp_path / "again.lime"), LINKS)


def test_what_lyncs_io_does_silently_wrong_raises(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "conf.lime"
    io.save(LINKS, path)
    # A flipped bit.
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    with pytest.raises(ls.ChecksumError):
        io.load(_file(tmp_path, bytes(damaged)))
    # A file that was cut.
    with pytest.raises(ls.Error):
        io.load(_file(tmp_path, path.read_bytes()[:-5000]))
    # Without a checksum.
    with pytest.warns(ls.WriteWarning, match="no checksum"):
        ls.write(path, LINKS, form="ildg", lfn="lfn://a/b", checksum=False, replace=True)
    with pytest.raises(ls.UnverifiedError):
        io.load(path)
    assert np.array_equal(io.load(path, verify=False), LINKS)
    # Arrays without meaning.
    with pytest.raises(ValueError, match="give a kind"):
        io.save(np.zeros((2, 2, 2, 2, 5)), path)
    with pytest.raises(TypeError, match="int64"):
        io.save(np.zeros((2, 2, 2, 2), "i8"), path)
    with pytest.raises(TypeError, match="shape"):
        io.load(path, shape=(3,))


class Bomb:
    """A pickle that leaves a trace when it is executed."""

    def __init__(self, path: pathlib.Path) -> None:
        self._path = path

    def __reduce__(self) -> Any:
        return pathlib.Path.touch, (self._path,)


def test_no_pickle_is_executed(tmp_path: pathlib.Path) -> None:
    trace = tmp_path / "trace"
    info = pickle.dumps({"shape": (2, 3), "bomb": Bomb(trace)})
    file = record("lyncs-io-info", info, begin=True) + record("lyncs-io-data", bytes(48), end=True)
    for function in (io.load, io.head):
        with pytest.raises(ls.Error, match="was written by lyncs_io"):
            function(_file(tmp_path, file))
    assert not trace.exists()
    pickle.loads(info)
    assert trace.exists()


def test_other_cases_are_named(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "conf.lime"
    ls.write(path, [LINKS, numbers(4, 3)])
    for function in (io.load, io.head):
        with pytest.raises(ValueError, match="more than one data record"):
            function(path)
        with pytest.raises(ValueError, match="only files of lattice QCD"):
            function(path, format="numpy")
    with pytest.raises(ValueError, match="only files of lattice QCD"):
        io.save(LINKS, tmp_path / "x.npy", format="numpy")
    with pytest.raises(NotImplementedError, match="comm"):
        io.load(path, comm=object())
    with pytest.raises(NotImplementedError, match="comm"):
        io.save(LINKS, path, comm=object())
    with pytest.raises(ValueError, match="cannot be both set"):
        io.load(path, comm=object(), chunks=(1,))
