"""What a file says about itself comes with its fields into the new file, or a warning says that it does not."""

from __future__ import annotations

import pathlib
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from conftest import FIXTURES, REPOSITORY
from fields import GAUGE, LATTICE, numbers, unitary
from made import scidac

import linkstream as ls

LINKS = GAUGE["su3gauge"]
SAID: dict[str, Any] = {
    "lfn": "lfn://a/b",
    "update": 190,
    "record_xml": "<mine><beta>5.7</beta></mine>",
    "file_xml": "<file/>",
    "date": "a day",
}


@pytest.fixture
def full(tmp_path: pathlib.Path) -> pathlib.Path:
    """A file that says all that a file can say."""
    ls.write(tmp_path / "full", LINKS, **SAID)
    return tmp_path / "full"


def said(path: pathlib.Path) -> dict[str, Any]:
    file = ls.open(path)
    found = {key: file.attrs[key] for key in ("lfn", "update", "record_xml", "file_xml") if key in file.attrs}
    dates = file.texts("scidac-private-record-xml")
    return found | {"date": text.split("<date>")[1].split("</date>")[0] for text in dates}


def test_attributes_of_files_and_fields(full: pathlib.Path) -> None:
    file = ls.open(full)
    for attrs in (file.attrs, file[0].attrs):
        assert attrs["update"] == 190 and type(attrs["update"]) is int
        assert (attrs["lfn"], attrs["record_xml"]) == (SAID["lfn"], SAID["record_xml"])
    # Extents have the order of the axes everywhere, and sums are what the report has.
    attrs = file[0].attrs
    assert attrs["lattice"] == file[0].lattice == LATTICE
    report = ls.check(full)["fields"][0]
    sums = {one["name"]: one["computed"] for one in report["checksums"]}
    assert (attrs["suma"], attrs["sumb"]) == (sums["suma"], sums["sumb"])


@pytest.mark.parametrize("what", ["file", "field", "list", "new field", "like file", "like field"])
def test_a_copy_says_what_its_source_says(full: pathlib.Path, tmp_path: pathlib.Path, what: str) -> None:
    file = ls.open(full)
    arrays: Any = {
        "file": file,
        "field": file[0],
        "list": [file[0]],
        "new field": ls.NewField(file[0]),
    }.get(what, LINKS)
    like: Any = {"like file": file, "like field": file[0]}.get(what)
    ls.write(tmp_path / "copy", arrays, like=like)
    assert said(tmp_path / "copy") == SAID == said(full)
    assert np.array_equal(ls.open(tmp_path / "copy")[0].numpy(), LINKS)


def test_options_replace_what_the_source_says(full: pathlib.Path, tmp_path: pathlib.Path) -> None:
    new = {"lfn": "lfn://c/d", "update": "7", "record_xml": "<new/>", "file_xml": "<new/>", "date": "today"}
    ls.write(tmp_path / "copy", ls.open(full), **new)
    assert said(tmp_path / "copy") == {**new, "update": 7}


@pytest.mark.parametrize(
    ("form", "lost"),
    [
        ({"form": "ildg"}, ["record_xml", "file_xml"]),
        ({"for_": "gpt"}, ["record_xml", "file_xml"]),
        ({"form": "scidac"}, ["logical file name", "update number"]),
        ({"form": "nersc"}, ["logical file name", "record_xml", "file_xml"]),
    ],
)
def test_what_a_form_cannot_hold_is_a_warning(
    full: pathlib.Path, tmp_path: pathlib.Path, form: dict[str, Any], lost: list[str]
) -> None:
    with pytest.warns(ls.WriteWarning) as caught:
        ls.write(tmp_path / "copy", ls.open(full)[0], **form)
    messages = [str(warning.message) for warning in caught]
    for one in lost:
        assert any(one in message and "left out" in message for message in messages), (one, messages)
    attrs = ls.open(tmp_path / "copy").attrs
    if form.get("form") == "nersc":
        assert attrs["SEQUENCE_NUMBER"] == "190"
    elif form.get("form") != "scidac":
        assert (attrs["lfn"], attrs["update"]) == (SAID["lfn"], SAID["update"])


def test_a_warning_as_an_exception_leaves_no_file(full: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", ls.WriteWarning)
        with pytest.raises(ls.WriteWarning):
            ls.write(tmp_path / "copy", ls.open(full), form="ildg")
    assert not (tmp_path / "copy").exists()


def test_observables_of_other_links_are_left_out(tmp_path: pathlib.Path) -> None:
    source, other = tmp_path / "source", unitary(3, seed=9)
    ls.write(tmp_path / "without", LINKS)
    own = ls.check(tmp_path / "without")["fields"][0]
    figures = f"<plaq>{own['plaquette']:.9f}</plaq><linktr>{own['link_trace']:.9f}</linktr>"
    text = f"<usqcdInfo><version>1.0</version>{figures}<info>mine</info></usqcdInfo>"
    ls.write(source, LINKS, record_xml=text, lfn="lfn://a/b")
    ls.write(tmp_path / "copy", ls.open(source))
    assert ls.open(tmp_path / "copy")[0].attrs["record_xml"] == text
    with pytest.warns(ls.WriteWarning, match="record_xml of field 0 is left out.*recorded-plaquette-differs"):
        ls.write(tmp_path / "changed", other, like=ls.open(source))
    attrs = ls.open(tmp_path / "changed")[0].attrs
    assert attrs.get("record_xml") != text and attrs["lfn"] == "lfn://a/b"
    assert ls.check(tmp_path / "changed")["verdict"] == "ok"
    # The caller's own text is refused, as ever.
    with pytest.raises(ls.DataError, match="recorded-plaquette-differs"):
        ls.write(tmp_path / "refused", other, record_xml=text)
    assert not (tmp_path / "refused").exists()


def test_archives_keep_their_header_lines(tmp_path: pathlib.Path) -> None:
    header = {"ENSEMBLE_ID": "mine & yours", "SEQUENCE_NUMBER": "17", "CREATOR": "me"}
    ls.write(tmp_path / "archive", LINKS, form="nersc", header=header)
    source = ls.open(tmp_path / "archive")
    ls.write(tmp_path / "again", source, form="nersc")
    again = ls.open(tmp_path / "again").header
    assert {key: again[key] for key in header} == header
    ls.write(tmp_path / "lime", source)
    file = ls.open(tmp_path / "lime")
    assert file.attrs["update"] == 17 and "ENSEMBLE_ID = mine &amp; yours" in file.attrs["record_xml"]
    assert ls.check(tmp_path / "lime")["verdict"] == "ok"
    # And back.
    ls.write(tmp_path / "back", file, form="nersc")
    back = ls.open(tmp_path / "back").header
    assert {key: back[key] for key in header} == header
    with pytest.warns(ls.WriteWarning, match="ENSEMBLE_ID"):
        ls.write(tmp_path / "ildg", source, form="ildg", lfn="lfn://a/b")


def test_kinds_and_regions_come_along(tmp_path: pathlib.Path) -> None:
    ls.write(tmp_path / "u3", GAUGE["u3gauge"], kind="u3gauge", lfn="lfn://a/b")
    ls.write(tmp_path / "copy", ls.open(tmp_path / "u3"))
    assert "<field>u3gauge</field>" in ls.open(tmp_path / "copy").texts("ildg-format")[0]
    slice_ = numbers(4, 3)[1:2, :, 1:]
    ls.write(tmp_path / "part", ls.NewField(slice_, lower=(1, 0, 1, 0)), lattice=LATTICE, record_xml="<part/>")
    ls.write(tmp_path / "again", ls.open(tmp_path / "part"))
    again = ls.open(tmp_path / "again")[0]
    assert (again.attrs["lower"], again.attrs["upper"]) == ((1, 0, 1, 0), (1, 1, 2, 4))
    assert again.attrs["lattice"] == LATTICE and again.attrs["record_xml"] == "<part/>"
    ls.write(tmp_path / "named", ls.NewField(numbers(3), kind="color_vector", datatype="MILC_D3_KSVector"))
    ls.write(tmp_path / "same", ls.open(tmp_path / "named"))
    assert ls.open(tmp_path / "same")[0].attrs["datatype"] == "MILC_D3_KSVector"


def test_several_fields_keep_their_own_texts(tmp_path: pathlib.Path) -> None:
    fields = [
        ls.NewField(LINKS, record_xml="<one/>", update=1),
        ls.NewField(numbers(4, 3), record_xml="<two/>"),
    ]
    ls.write(tmp_path / "two", fields, file_xml="<file/>", lfn="lfn://a/b")
    file = ls.open(tmp_path / "two")
    assert [field.attrs["record_xml"] for field in file] == ["<one/>", "<two/>"]
    assert "update" not in file[1].attrs and file[0].attrs["update"] == 1
    ls.write(tmp_path / "copy", file)
    copy = ls.open(tmp_path / "copy")
    assert [field.attrs["record_xml"] for field in copy] == ["<one/>", "<two/>"]
    assert (copy[0].attrs["update"], copy.attrs["lfn"], copy.attrs["file_xml"]) == (1, "lfn://a/b", "<file/>")
    ls.write(tmp_path / "second", file[1], file_xml="<other/>", lfn=None)
    assert ls.open(tmp_path / "second").attrs["record_xml"] == "<two/>"


def test_files_of_all_kinds_are_copied(tmp_path: pathlib.Path) -> None:
    """No copy loses a text in silence."""
    count = 0
    for path in sorted((FIXTURES / "qio" / "single").glob("*.lime")):
        try:
            file = ls.open(path, verify="if possible")
        except ls.Error:
            continue
        if not len(file) or any(field.dtype.kind not in "fc" or 0 in field.shape for field in file):
            continue
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                ls.write(tmp_path / path.name, file, unitary=False, finite=False)
            except (ValueError, ls.Error, TypeError) as error:
                print(path.name, error)
                continue
        copy, count = ls.open(tmp_path / path.name, verify="if possible"), count + 1
        said = " ".join(str(warning.message) for warning in caught)
        for key in ("lfn", "file_xml", "record_xml", "update"):
            if key in file.attrs and key not in said and (key != "lfn" or "logical file name" not in said):
                assert copy.attrs.get(key) == file.attrs[key], (path.name, key)
        for one, other in zip(file, copy):
            assert one.attrs["lattice"] == other.attrs["lattice"]
            assert one.numpy().tobytes() == other.numpy().tobytes()
    assert count > 10


@pytest.mark.parametrize("options", [{}, {"form": "scidac"}, {"form": "ildg"}, {"form": "nersc"}, {"set": 2}, {"for_": "any"}])
def test_no_copy_of_a_good_file_is_wrong(options: dict[str, Any], tmp_path: pathlib.Path) -> None:
    """Of files of other programs, with what they say."""
    count = 0
    for path in [*(FIXTURES / "foreign").iterdir(), *(FIXTURES / "qio" / "nersc").iterdir()]:
        if ls.check(path)["verdict"] not in ("ok", "unverified"):
            continue
        copy = tmp_path / path.name
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                ls.write(copy, ls.open(path, verify="if possible"), **options)
            except (ls.Error, ValueError):
                # Not in this form.
                continue
        report = ls.check(copy)
        assert report["verdict"] == "ok", (path.name, report["findings"])
        count += 1
    assert count > 10


def test_like_must_fit(full: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with pytest.raises(ValueError, match="like has the lattice"):
        ls.write(tmp_path / "no", unitary(3, (4, 4, 4, 4, 4)), like=ls.open(full))
    with pytest.raises(ValueError, match="like has 1 fields, but there are 2"):
        ls.write(tmp_path / "no", [LINKS, LINKS], like=ls.open(full))
    matrix = tmp_path / "matrix"
    ls.write_matrix(matrix, np.eye(3))
    with pytest.raises(TypeError, match="has no fields: its format is inebin"):
        ls.write(tmp_path / "no", ls.open(matrix))


def test_unverified_data_are_named_in_a_warning(tmp_path: pathlib.Path) -> None:
    field = ls.open(REPOSITORY / "examples" / "su3-4x4x4x8.lime", verify=False)[0]
    with pytest.warns(ls.WriteWarning, match="field 0 is unverified"):
        ls.write(tmp_path / "copy", field)


def test_color_matrices_come_back(tmp_path: pathlib.Path) -> None:
    for shape in ((8, 4, 4, 4, 3, 3), (8, 4, 4, 4, 2, 3, 3)):
        array = np.arange(np.prod(shape)).reshape(shape) * (1 + 1j)
        ls.write(tmp_path / "one", array, kind="color_matrix", replace=True)
        field = ls.open(tmp_path / "one")[0]
        assert field.shape == shape and "mu" not in field.dims
        ls.write(tmp_path / "again", field, replace=True)
        ls.write(tmp_path / "named", field.numpy(), dims=field.dims, replace=True)
        for name in ("again", "named"):
            again = ls.open(tmp_path / name)[0]
            assert np.array_equal(again.numpy(), array) and again.dims == field.dims


def test_any_data_of_the_size_of_links_are_links_if_the_caller_says_so(tmp_path: pathlib.Path) -> None:
    sites = tuple(reversed(LATTICE))
    data = np.ascontiguousarray(LINKS).astype(">c16").tobytes()
    unknown = scidac(sites, data, datatype="numpy.ndarray", colors=0, typesize=576, datacount=1)
    (tmp_path / "unknown").write_bytes(unknown)
    plain = ls.open(tmp_path / "unknown", verify=False)
    assert "mu" not in plain[0].dims
    file = ls.open(tmp_path / "unknown", verify=False, kind="su3gauge")
    assert file[0].dims == ("t", "z", "y", "x", "mu", "row", "column")
    assert np.array_equal(file[0].numpy(), LINKS) and np.array_equal(file[0][2, ..., 3, :, :], LINKS[2, ..., 3, :, :])
    assert np.array_equal(pickle.loads(pickle.dumps(file[0]))[1], LINKS[1])
    with pytest.warns(ls.WriteWarning, match="unverified"):
        ls.write(tmp_path / "links", plain[0], kind="su3gauge")
    assert np.array_equal(ls.open(tmp_path / "links")[0].numpy(), LINKS)
    with pytest.raises(ValueError, match="no field whose sites have the size of links of su4gauge"):
        ls.open(tmp_path / "unknown", kind="su4gauge")
    with pytest.raises(ValueError, match="not \"su3\""):
        ls.open(tmp_path / "unknown", kind="su3")


NOTE = "the input had no checksum that verifies these data"


def _record_xml(path: pathlib.Path) -> str:
    (text,) = ls.open(path).texts("scidac-record-xml")
    return text


@pytest.mark.parametrize("what", [lambda file: file, lambda file: file[0]], ids=["file", "field"])
def test_data_whose_checksum_is_not_compared_come_with_a_note(tmp_path: pathlib.Path, what: Any) -> None:
    """``verify=False`` can copy damaged data, whose new checksum proves nothing."""
    good, bad, copy = (tmp_path / name for name in ("good", "bad", "copy"))
    ls.write(good, LINKS)
    content = bytearray(good.read_bytes())
    content[ls.check(good)["fields"][0]["data_offset"] + 7] ^= 1  # The last bit of a number.
    bad.write_bytes(content)
    with pytest.warns(ls.WriteWarning, match="is unverified"):
        ls.write(copy, what(ls.open(bad, verify=False)))
    assert f"<!-- {NOTE}" in _record_xml(copy)
    ls.write(copy, what(ls.open(good)), replace=True)
    assert NOTE not in _record_xml(copy)


def test_variables_whose_checksum_is_not_compared_come_with_a_note(tmp_path: pathlib.Path) -> None:
    xarray = pytest.importorskip("xarray")
    good, copy = tmp_path / "good", tmp_path / "copy"
    ls.write(good, LINKS)
    with pytest.warns(ls.WriteWarning, match="links is unverified"):
        ls.write(copy, xarray.open_dataset(good, engine="linkstream", verify=False))
    assert f"<!-- {NOTE}" in _record_xml(copy)
    ls.write(copy, xarray.open_dataset(good, engine="linkstream"), replace=True)
    assert NOTE not in _record_xml(copy)


def test_a_note_stays_with_the_data(tmp_path: pathlib.Path) -> None:
    """The only checksum of unverified data comes with a note, in each further copy, too."""
    plain, noted, again, archive = (tmp_path / name for name in ("plain", "noted", "again", "archive"))
    with pytest.warns(ls.WriteWarning, match="no checksum"):
        ls.write(plain, LINKS, form="ildg", lfn="lfn://a/b", checksum=False)
    with pytest.warns(ls.WriteWarning, match="is unverified"):
        ls.write(noted, ls.open(plain, verify=False))
    assert ls.check(noted)["verdict"] == "ok"
    assert _record_xml(noted).count(f"<!-- {NOTE}") == 1
    options: dict[str, Any]
    with warnings.catch_warnings():
        # The logical file name has no place everywhere.
        warnings.simplefilter("ignore", ls.WriteWarning)
        for options in ({}, {"form": "scidac"}, {"record_xml": "<mine/>"}, {"precision": 32}, {"set": 2}):
            ls.write(again, ls.open(noted), replace=True, **options)
            name = again.with_name("again.vol0000") if "set" in options else again
            assert name.read_bytes().count(NOTE.encode()) == 1, options
        ls.write(archive, ls.open(noted), form="nersc")
        assert ls.open(archive).header["LINKSTREAM_NOTE"].startswith(NOTE)
        ls.write(again, ls.open(archive), replace=True)
        assert again.read_bytes().count(NOTE.encode()) == 1
    # A form without texts says so; verified data need none.
    for source in (noted, archive):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            ls.write(again, ls.open(source), form="ildg", lfn="lfn://a/b", replace=True)
        assert any("a note about the data is left out" in str(one.message) for one in caught), source
    ls.write(again, LINKS, replace=True)
    assert NOTE.encode() not in again.read_bytes()


def test_links_without_a_text_get_their_observables(tmp_path: pathlib.Path) -> None:
    """QIO 2.3, appendix A.1: the document of the USQCD Lattice Format, single and in file sets."""
    forms: dict[str, dict[str, Any]] = {"both": {}, "scidac": {"form": "scidac"}, "single": {"precision": 32}, "set": {"set": 2}}
    for name, options in forms.items():
        ls.write(tmp_path / name, LINKS, **options)
        report = ls.check(tmp_path / name)
        field = report["fields"][0]
        assert {one["quantity"]: one["agrees"] for one in field["recorded"]} == {"plaquette": True, "link_trace": True}, report
        assert report["verdict"] == "ok" and all(one["rule"] == "ildg-lfn-missing" for one in report["findings"]), report
    ls.write(tmp_path / "mine", LINKS, record_xml="<mine/>")
    assert _record_xml(tmp_path / "mine") == "<mine/>"
    # Other data, and parts of a lattice, have no such document.
    ls.write(tmp_path / "other", numbers(4, 3))
    assert "usqcdInfo" not in _record_xml(tmp_path / "other")


@pytest.mark.parametrize("text", ["<a>&#1;</a>", "<a b='&#xffff;'/>", "<a>&nbsp;</a>", "a\x01"])
def test_texts_that_xml_cannot_hold_are_refused(tmp_path: pathlib.Path, text: str) -> None:
    for options in ({"record_xml": text}, {"file_xml": text}):
        with pytest.raises(ValueError, match="XML cannot hold the "):
            ls.write(tmp_path / "no", LINKS, **options)
    with pytest.raises(ValueError, match="XML cannot hold the "):
        ls.write(tmp_path / "no", ls.NewField(LINKS, record_xml=text))
    assert list(tmp_path.iterdir()) == []
    ls.write(tmp_path / "yes", LINKS)
    with pytest.raises(ValueError, match="XML cannot hold the "), ls.edit(tmp_path / "yes") as edit:
        edit.record_xml = text
