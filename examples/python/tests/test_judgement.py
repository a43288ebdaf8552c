"""Verdicts of reading and of `check` agree, reports have reasons, and errors name their file and field."""

from __future__ import annotations

import pickle
import re

import linkstream as ls
import numpy as np
import pytest
from conftest import FIXTURES

KEYS = {"schema", "file", "format", "bytes", "fields", "verdict", "unverified", "error", "findings", "ok"}


@pytest.fixture
def archive(tmp_path):
    """A NERSC archive whose header has another plaquette than its links."""
    raw = (FIXTURES / "qio/nersc/n3x3_d.nersc").read_bytes()
    at = raw.index(b"PLAQUETTE = ") + len(b"PLAQUETTE = ")
    path = tmp_path / "contradicted.nersc"
    path.write_bytes(raw[:at] + b"0.125" + raw[at + 5 :])
    return path


def test_a_header_that_the_links_contradict(archive):
    assert ls.check(archive)["verdict"] == "wrong"
    read = (
        lambda field: field.numpy(),
        lambda field: field[1],
        lambda field: field.verify(),
        lambda field: next(field.slices()),
        lambda field: field.read_into(np.empty(field.shape, field.dtype)),
    )
    for one in read:
        field = ls.open(archive)[0]
        with pytest.raises(ls.Error) as caught:
            one(field)
        error = caught.value
        assert (error.rule, error.field, error.file) == ("recorded-plaquette-differs", 0, str(archive))
        assert str(error).startswith(f"{archive}: field 0: ")
        assert field.verification != "verified"
        assert field.verified_by == ()
    good = ls.open(FIXTURES / "qio/nersc/n3x3_d.nersc")[0]
    good.numpy()
    assert good.verified_by == ("checksum", "plaquette", "link trace")


@pytest.mark.parametrize(
    "left_out, found", [("PLAQUETTE", ["link trace"]), ("LINK_TRACE", ["plaquette"]), ("PLAQUETTE|LINK_TRACE", [])]
)
def test_only_recorded_observables_verify(left_out, found, tmp_path):
    content = (FIXTURES / "qio/nersc/n3x3_d.nersc").read_bytes()
    content = re.sub(rb"^(%s) = .*\n" % left_out.encode(), b"", content, flags=re.MULTILINE)
    field = ls.open(content)[0]
    field.verify()
    assert field.verified_by == ("checksum", *found)


@pytest.mark.parametrize("name", ["n3x2_f_little", "n3x2_f_little_ildg"])
def test_numbers_in_the_wrong_byte_order_are_wrong(name):
    report = ls.check(FIXTURES / f"qio/nersc/{name}.lime")
    assert report["verdict"] == "wrong"
    assert not report["ok"]
    assert "links-not-finite" in {one["rule"] for one in report["findings"] if one["severity"] == "error"}


def test_matrices_of_u3_are_not_links_of_su3(tmp_path):
    links = np.zeros((2, 2, 2, 2, 4, 3, 3), "c16")
    links[...] = np.eye(3) * np.exp(0.5j)
    with pytest.raises(ls.DataError):
        ls.write(tmp_path / "u3.ildg", links, kind="su3gauge")
    ls.write(tmp_path / "u3.ildg", links, kind="u3gauge")


def test_reports_have_the_same_entries_and_reasons(tmp_path):
    (tmp_path / "text").write_text("no file")
    sources = [FIXTURES / name for name in ("scda/inline.scda", "inebin/bool-3x3.bin", "qio/nersc/n3x3_d.nersc")]
    for source in [*sources, tmp_path / "text", tmp_path / "missing", b"", b"NUMPY"]:
        report = ls.check(source)
        assert set(report) >= KEYS, source
        assert (report["error"] is None) == (report["verdict"] != "unreadable")
        if report["verdict"] == "unverified":
            assert all(one["reason"] and one["message"] for one in report["unverified"])
            assert report["unverified"]
    assert ls.check(sources[0])["unverified"][0]["reason"] == "not-compressed"
    assert ls.check(sources[1])["unverified"][0]["reason"] == "format-without-checksum"


def test_errors_name_their_file_and_field(tmp_path):
    missing = tmp_path / "missing.ildg"
    with pytest.raises(FileNotFoundError) as caught:
        ls.open(missing)
    assert caught.value.filename == str(missing)
    assert caught.value.errno == 2
    assert str(missing) in str(caught.value)
    with pytest.raises(ls.FormatError, match="^bytes: "):
        ls.open(b"These bytes are no file.")
    path = str(FIXTURES / "qio/nersc/n3x3_d.nersc")
    field = ls.open(path)[0]
    for wrong in (
        lambda: field[99],
        lambda: field[None],
        lambda: field.numpy("i4"),
        lambda: field.read_into(np.empty(3)),
        # NumPy 1 does not ask `__array__` for no copy.
        lambda: field.__array__(copy=False),
        lambda: pickle.loads(pickle.dumps(field))[99],
    ):
        with pytest.raises((IndexError, TypeError, ValueError)) as caught:
            wrong()
        assert str(caught.value).startswith(f"{path}: field 0: "), caught.value
    with pytest.raises(TypeError, match="n3x3_d.nersc"):
        ls.open(path).matrix()


def test_exceptions_of_callbacks_stay_what_they_are():
    def progress(done, total):
        raise ValueError("mine")

    with pytest.raises(ValueError, match="^mine$"):
        ls.open(FIXTURES / "qio/nersc/n3x3_d.nersc")[0].numpy(progress=progress)


def test_errors_can_be_pickled(archive):
    with pytest.raises(ls.Error) as caught:
        ls.open(archive)[0].numpy()
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert (again.field, again.file) == (0, str(archive))


def test_rules_are_explained_without_the_program():
    text = ls.explain("recorded-plaquette-differs")
    assert text.startswith("recorded-plaquette-differs: error")
    assert all(f"\n{title}\n" in text for title in ("message", "meaning", "causes", "remedy"))
    for line in ls.explain().splitlines():
        assert ls.explain(line.partition(":")[0]).startswith(line.partition(":")[0])
    with pytest.raises(KeyError, match="checksum-mismatch"):
        ls.explain("checksum-mismatc")


def test_messages_advise_calls_of_python(tmp_path):
    table = tmp_path / "table"
    table.write_text("1,2\n3,4\n")
    message = ls.check(table)["findings"][0]["message"]
    assert "linkstream.write_matrix" in message
    assert "linkstream inebin" not in message
    with pytest.raises(ls.FormatError) as caught:
        ls.open(b"\x1f\x8b\x08\0" + bytes(40))
    assert "zcat" in str(caught.value)
    assert "| linkstream check" not in str(caught.value)
