"""What was not verified is never called verified, and what is handed out has been verified, or was asked for."""

from __future__ import annotations

import io
import json
import os
import pathlib
import pickle
import subprocess
import sys
import warnings
from typing import Any, Callable

import numpy as np
import pytest
from conftest import FIXTURES
from fields import unitary

import linkstream as ls


@pytest.fixture
def path(sample: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "links"
    path.write_bytes(sample.read_bytes())
    return path


def damage(path: pathlib.Path, offset: int = 100_000) -> None:
    """Changes a byte such that the time of the last modification does not show it."""
    about, content = path.stat(), bytearray(path.read_bytes())
    content[offset] ^= 1
    with path.open("r+b") as file:
        file.write(content)
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


def absent() -> ls.Field:
    """A field without a checksum."""
    return ls.open(FIXTURES / "broken/scidac/checksum-missing-at-end.lime", verify="if possible")[1]


# --- checksums of other writers ---


@pytest.mark.parametrize(
    ("name", "is_right"),
    [
        ("08-cl2qcd.ildg", True),
        ("25d-checksum-before-data.ildg", True),
        ("05b-glu-scidac.lime", True),
        ("08b-cl2qcd-bitflip.ildg", False),
        ("25e-checksum-before-damaged.ildg", False),
        ("32-glu-scidac-bitflip.lime", False),
    ],
)
def test_a_checksum_apart_from_its_data_is_compared(name: str, is_right: bool) -> None:
    field = ls.open(FIXTURES / "foreign" / name)[0]
    if is_right:
        assert field.verify() == "verified" and field[...].shape == field.shape
        return
    with pytest.raises(ls.ChecksumError):
        field[...]
    assert field.verification == "wrong"


# --- memmap ---


def test_what_is_mapped_is_verified_each_time(path: pathlib.Path) -> None:
    field = ls.open(path)[0]
    assert field.verify() == "verified" and field.memmap().shape == field.shape
    damage(path)
    with pytest.raises(ls.ChecksumError):
        field.memmap()
    assert field.verification == "wrong"


MAPPED = """
import pickle, sys
import linkstream as ls

field = pickle.load(sys.stdin.buffer)
try:
    field.memmap()
except ls.ChecksumError:
    print("refused", field.verification)
"""


def test_what_another_process_has_verified_is_verified_before_it_is_mapped(path: pathlib.Path) -> None:
    field = ls.open(path)[0]
    field.verify()
    pickled = pickle.dumps(field)
    damage(path)
    run = subprocess.run([sys.executable, "-c", MAPPED], input=pickled, capture_output=True, check=False)
    assert run.stdout == b"refused wrong\n", run.stderr


# --- Verdicts ---


def test_wrong_data_are_called_wrong_until_all_are_right(path: pathlib.Path) -> None:
    field = ls.open(path)[0]
    assert field.numpy().size and field.verification == "verified"
    damage(path)
    with pytest.raises(ls.ChecksumError):
        field.numpy()
    assert field.verification == "wrong" and "wrong" in repr(field) and "wrong" in field._repr_html_()
    # A time slice is right, another one is not.
    with pytest.raises(ls.ChecksumError):
        list(field.slices())
    assert field[7].size and field.verification == "wrong"
    damage(path)
    assert field.verify() == "verified" and field.verification == "verified"


def test_a_changed_file_has_not_been_read(path: pathlib.Path) -> None:
    field = ls.open(path)[0]
    assert field.verify() == "verified"
    os.utime(path, ns=(0, 0))
    with pytest.raises(ls.ChangedError):
        field[0]
    assert field.verification == "not read"


def test_an_unverified_read_is_not_called_verified(sample: pathlib.Path) -> None:
    content = io.BytesIO(sample.read_bytes())
    field = ls.open(content)[0]
    assert field.verify() == "verified"
    content.getbuffer()[100_000] ^= 1
    assert field.numpy(verify=False).size
    assert field.verification == "unverified"


def test_what_arrives_in_a_pickle_has_not_been_read(path: pathlib.Path) -> None:
    field = ls.open(path)[0]
    field.verify()
    copy = pickle.loads(pickle.dumps(field))
    assert copy.verification == "not read" and "verified" not in repr(copy)
    # But a time slice needs no pass over all data.
    damage(path)
    assert np.array_equal(copy[7], ls.open(path, verify=True).fields and field[7]) and copy.verification == "verified"
    with pytest.raises(ls.ChecksumError):
        list(copy.slices())


# --- References ---


def attributes(source: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ls.reference(source, "file:///links")["refs"]["links/.zattrs"])
    return found


def test_a_reference_to_a_changed_file_is_refused(path: pathlib.Path) -> None:
    file = ls.open(path)
    file[0].verify()
    assert "verified_at" in attributes(file)
    os.truncate(path, 1000)
    for source in (file, file[0]):
        with pytest.raises(ls.ChangedError):
            ls.reference(source, "file:///links")
    assert file[0].verification == "not read"


def test_a_reference_says_when_the_data_were_verified(path: pathlib.Path) -> None:
    field = ls.open(path)[0]
    assert "verified_at" not in attributes(field)
    field.verify()
    first = field._judgement.verified_at
    assert first is not None
    assert attributes(field)["verified_at"] == first.isoformat(timespec="seconds")
    # Not the time of unpickling.
    copy = pickle.loads(pickle.dumps(field))
    assert copy._judgement.verified_at == first
    assert attributes(copy)["verified_at"] == first.isoformat(timespec="seconds")
    # A part is not all data.
    assert field[0].size and field._judgement.verified_at == first
    field.verify()
    assert field._judgement.verified_at is not None and field._judgement.verified_at > first
    damage(path)
    with pytest.raises(ls.ChecksumError):
        field.verify()
    assert "verified_at" not in attributes(field)


# --- verify=True, "if possible", False ---


@pytest.mark.parametrize("wrong", [0, 1, "no", "yes", "If possible", 1.0, [], np.array([True])])
def test_verify_is_one_of_three(sample: pathlib.Path, wrong: Any) -> None:
    field = ls.open(sample)[0]
    for call in (
        lambda: ls.open(sample, verify=wrong),
        lambda: ls.open([sample], verify=wrong),
        lambda: field.numpy(verify=wrong),
        lambda: field.read(0, verify=wrong),
        lambda: field.memmap(verify=wrong),
        lambda: list(field.slices(verify=wrong)),
        lambda: field.read_into(np.empty(field.shape, field.dtype), verify=wrong),
    ):
        with pytest.raises(ValueError, match="verify must be True, 'if possible', 'once' or False"):
            call()
    with pytest.raises(ValueError, match="not None"):
        ls.open(sample, verify=None)  # type: ignore[arg-type]
    assert field.verification == "not read"


READS: list[Callable[[ls.Field], Any]] = [
    lambda field: field.numpy(),
    lambda field: field[0],
    lambda field: field[..., 0],
    lambda field: list(field.slices()),
    lambda field: field.memmap(),
]


@pytest.mark.parametrize("read", READS)
def test_if_possible_refuses_what_contradicts_its_checksum(path: pathlib.Path, read: Callable[[ls.Field], Any]) -> None:
    assert len(read(ls.open(path, verify="if possible")[0]))
    damage(path)
    field = ls.open(path, verify="if possible")[0]
    with pytest.raises(ls.ChecksumError):
        read(field)
    assert field.verification == "wrong"
    assert len(read(ls.open(path, verify=False)[0]))


@pytest.mark.parametrize("read", READS)
def test_if_possible_reads_data_without_a_checksum_and_says_so_once(read: Callable[[ls.Field], Any]) -> None:
    field = absent()
    with pytest.warns(ls.UnverifiedWarning, match="no checksum") as caught:
        assert len(read(field)) and len(read(field))
    assert len(caught) == 1 and field.verification == "unverified"
    with pytest.raises(ls.UnverifiedError, match="verify='if possible'"):
        field.numpy(verify=True)


def test_a_pass_over_data_without_a_checksum_says_so_at_once() -> None:
    field = absent()
    calls: list[int] = []
    with pytest.warns(ls.UnverifiedWarning, match="no checksum"):
        assert field.verify(lambda done, total: calls.append(done)) == "unverified"
    assert calls == []


# --- Matrices and sections ---


def test_a_matrix_is_refused_unless_asked_for(tmp_path: pathlib.Path) -> None:
    matrix = np.arange(12.0).reshape(3, 4)
    ls.write_matrix(tmp_path / "matrix", matrix)
    file = ls.open(tmp_path / "matrix")
    with pytest.raises(ls.UnverifiedError, match="INEBIN has no checksum.*if possible"):
        file.matrix()
    with pytest.warns(ls.UnverifiedWarning, match="INEBIN has no checksum") as caught:
        assert np.array_equal(file.matrix(verify="if possible"), matrix)
        assert np.array_equal(file.matrix(verify="if possible"), matrix)
    assert len(caught) == 1 and caught[0].filename == __file__
    assert np.array_equal(ls.open(tmp_path / "matrix", verify=False).matrix(), matrix)
    with pytest.raises(ValueError, match="verify must be"):
        file.matrix(verify="no")  # type: ignore[arg-type]


SECTION_READS: list[Callable[[ls.Section], Any]] = [
    lambda section: section.read(),
    lambda section: section.numpy("f8"),
    lambda section: section.read_into(bytearray(section.nbytes)) or [1],
    lambda section: section[0],
    lambda section: section[:2],
    lambda section: list(section),
]


@pytest.mark.parametrize("read", SECTION_READS)
def test_elements_without_a_checksum_are_refused_unless_asked_for(
    tmp_path: pathlib.Path, read: Callable[[ls.Section], Any]
) -> None:
    numbers = np.arange(80.0).reshape(4, 20)
    path = tmp_path / "file"
    ls.write_scda(path, [("array", "plain", numbers), ls.NewSection("array", "packed", numbers, compress=True)])
    plain, packed = (ls.open(path).sections[name] for name in ("plain", "packed"))
    with pytest.raises(ls.UnverifiedError, match="no checksum.*if possible") as error:
        read(plain)
    assert error.value.offset == plain.offset and plain.verification == "not read" == packed.verification
    assert len(read(packed)) and packed.verification == "verified"
    plain = ls.open(path, verify="if possible").sections["plain"]
    with pytest.warns(ls.UnverifiedWarning, match="section 1 is unverified") as caught:
        assert len(read(plain)) and len(read(plain))
    assert len(caught) == 1 and plain.verification == "unverified"
    plain = ls.open(path, verify=False).sections["plain"]
    assert len(read(plain)) and plain.verification == "unverified"
    # Each call can decide.
    with pytest.raises(ls.UnverifiedError):
        plain.read(verify=True)


def test_compressed_elements_that_are_damaged_are_called_wrong(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "file"
    ls.write_scda(path, [("block", "packed", np.arange(8000.0))], compress=1)
    section = ls.open(path).sections["packed"]
    assert section.read() and section.verification == "verified"
    damage(path, 2000)
    with pytest.raises(ls.Error):
        section.read()
    assert section.verification == "wrong"


# --- Sets ---


@pytest.fixture
def links() -> np.ndarray:
    return unitary(3, (4, 2, 2, 2, 4))


def written_set(folder: pathlib.Path, links: np.ndarray) -> list[str]:
    folder.mkdir(exist_ok=True)
    ls.write(folder / "set", links, set=2)
    return sorted(map(str, folder.glob("set*")))


@pytest.mark.parametrize("opened", ["name", "first volume", "list"])
@pytest.mark.parametrize("replaced", [(0,), (1,), (0, 1)])
def test_a_set_is_known_by_all_volumes(
    tmp_path: pathlib.Path, links: np.ndarray, opened: str, replaced: tuple[int, ...]
) -> None:
    volumes = written_set(tmp_path / "one", links)
    others = written_set(tmp_path / "two", np.ascontiguousarray(links[::-1]))
    source: Any = {"name": tmp_path / "one" / "set", "first volume": volumes[0], "list": volumes}[opened]
    file = ls.open(source)
    file[0].verify()
    pickled = [pickle.dumps(file), pickle.dumps(file[0])]
    assert np.array_equal(pickle.loads(pickled[1]).numpy(), links)
    for number in replaced:
        os.utime(others[number], ns=(0, number))
        os.replace(others[number], volumes[number])
    for sent in pickled:
        with pytest.raises(ls.ChangedError):
            pickle.loads(sent)
    # The report would be one on other data.
    with pytest.raises(ls.ChangedError):
        ls.check(file)


def test_dask_knows_another_set_of_the_same_name(tmp_path: pathlib.Path, links: np.ndarray) -> None:
    array = pytest.importorskip("dask.array")
    names = []
    for data in (links, np.ascontiguousarray(links[::-1])):
        for volume in tmp_path.glob("set*"):
            volume.unlink()
        written_set(tmp_path, data)
        for volume in tmp_path.glob("set*"):
            os.utime(volume, ns=(0, len(names)))
        names.append(array.from_array(ls.open(tmp_path / "set")[0], chunks=(1, *links.shape[1:])).name)
    assert names[0] != names[1]


def test_a_list_of_volumes_can_be_checked(tmp_path: pathlib.Path, links: np.ndarray) -> None:
    volumes = written_set(tmp_path, links)
    by_name = ls.check(tmp_path / "set")
    for source in (volumes, ls.open(volumes)):
        assert ls.check(source)["verdict"] == by_name["verdict"] == "ok"
    damage(pathlib.Path(volumes[1]), 74_000 if os.path.getsize(volumes[1]) > 75_000 else os.path.getsize(volumes[1]) // 2)
    assert ls.check(volumes)["verdict"] == "wrong"
    with pytest.raises(ValueError, match="no volumes"):
        ls.check([])
    with pytest.raises(ValueError, match="no volumes"):
        ls.open([])
