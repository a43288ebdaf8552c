"""Jupyter: what is shown, what is escaped, and what is not read for it."""

from __future__ import annotations

import io
import json
import pathlib
import pickle
import re
import sys
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from conftest import FIXTURES

import linkstream as ls

TITLE = b"<title>linkstream sample configuration</title>"
LFN = b"lfn://linkstream/sample/su3-4x4x4x8"
DATA = 2088
"""Offset of the links in the sample."""


class Counted(io.BytesIO):
    """A file that knows the last byte that was read."""

    furthest = 0

    def read(self, size: int | None = -1, /) -> bytes:
        content = super().read(size)
        self.furthest += len(content)
        return content


def with_texts(sample: pathlib.Path, title: str, lfn: str) -> bytes:
    """The sample with other texts of the same length."""
    content = sample.read_bytes()
    for old, new in ((TITLE, f"<title>{title}</title>".encode()), (LFN, lfn.encode())):
        assert len(new) <= len(old) and content.count(old) == 1
        content = content.replace(old, new.ljust(len(old)))
    return content


def well_formed(html: str) -> ET.Element:
    # HTML of this package is XML, except for the end of images.
    return ET.fromstring(re.sub(r"(<img[^>]*)>", r"\1/>", html))


def test_a_file_shows_its_fields_documents_and_nothing_that_was_not_checked(sample: pathlib.Path) -> None:
    file = ls.open(sample)
    html = file._repr_html_()
    text = "".join(well_formed(html).itertext())
    for shown in ("USQCD_F3_ColorMatrix", "t: 8, z: 4, y: 4, x: 4, mu: 4", "complex64", "suma 43c9818d, sumb 1f29d948"):
        assert shown in text
    assert "not read" in text and TITLE.decode() in text and LFN.decode() in text
    assert "<img" not in html and "ok" not in text
    file[0].numpy()
    assert "verified" in file._repr_html_() and "verified" in file[0]._repr_html_()


def test_showing_reads_no_data(sample: pathlib.Path) -> None:
    source = Counted(sample.read_bytes())
    file = ls.open(source)
    source.furthest = 0
    for shown in (repr, str, ls.File._repr_html_):
        shown(file)
    for field in file:
        assert repr(field) and field._repr_html_()
    # The documents are shorter than the data.
    assert source.furthest < len(source.getvalue()) // 50
    assert file[0].verification == "not read"


def test_documents_of_far_files_are_not_requested_to_show_them(sample: pathlib.Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    filesystem = fsspec.filesystem("memory")
    filesystem.pipe("/far.lime", sample.read_bytes())
    file = ls.open("memory://far.lime")
    filesystem.rm("/far.lime")
    assert "USQCD_F3_ColorMatrix" in file._repr_html_()


def test_texts_are_escaped(sample: pathlib.Path) -> None:
    pytest.importorskip("matplotlib")
    attack = "&lt;<b/>\x1b[2J\u202e"
    content = with_texts(sample, "<script>alert(1)</script>", attack)
    file = ls.open(content)
    report = ls.check(file, slices=True)
    report["file"] = file.name = "<script>'\"\x1b"
    report["findings"].append(
        {"severity": "warning", "class": "<i>", "rule": "<i>", "clause": "", "offset": 1, "message": "<i>&"}
    )
    for html in (file._repr_html_(), file[0]._repr_html_(), report._repr_html_()):
        well_formed(html)
        assert not re.search(r"<(script|i>|b/)|\x1b|\u202e", html)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in file._repr_html_()
    assert "\x1b" not in repr(file)


def test_a_checked_file_shows_verdict_and_plot(sample: pathlib.Path) -> None:
    pytest.importorskip("matplotlib")
    file = ls.open(sample)
    report = ls.check(file)
    assert report["verdict"] == "ok" and ">ok<" in file._repr_html_()
    assert "<img" not in file._repr_html_() + report._repr_html_()
    cells = [cell.text for cell in well_formed(report._repr_html_()).iter("td")]
    assert "0.595670900" in cells and "0.061301591-0.029234014j" in cells
    assert f"lime, {sample.stat().st_size:,} bytes" in report._repr_html_() and ">None<" not in report._repr_html_()
    report = ls.check(file, slices=True)
    for html in (file._repr_html_(), report._repr_html_()):
        assert html.count('<img alt="plaquettes of field 0" src="data:image/svg+xml;base64,') == 1
    # The field itself was not read.
    assert file[0].verification == "not read"


def test_without_matplotlib_there_is_a_table(sample: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = ls.check(sample, slices=True)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    html = report._repr_html_()
    assert "<img" not in html
    rows = [[cell.text for cell in row] for row in well_formed(html).iter("tr")]
    for slice_ in report["fields"][0]["slices"]:
        keys = ("spatial_plaquette", "temporal_plaquette", "plaquette")
        assert [str(slice_["time"]), *(f"{slice_[key]:.9f}" for key in keys)] in rows
    with pytest.raises(ImportError, match="pip install matplotlib"):
        report.plot()


def test_the_plot_has_the_numbers_of_the_report(sample: pathlib.Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib.figure import Figure

    report = ls.check(sample, slices=True)
    ax = Figure().add_subplot()
    assert report.plot(0, ax) is ax
    slices = report["fields"][0]["slices"]
    found = {line.get_label(): list(line.get_ydata()) for line in ax.get_lines()}
    for label, key in (("all", "plaquette"), ("spatial", "spatial_plaquette"), ("temporal", "temporal_plaquette")):
        assert found[label] == [slice_[key] for slice_ in slices]
    with pytest.raises(ValueError, match="slices=True"):
        ls.check(sample).plot()
    with pytest.raises(IndexError, match="there is no field 1: the report has 1"):
        report.plot(1)


def test_damage_is_shown(sample: pathlib.Path) -> None:
    content = bytearray(sample.read_bytes())
    content[DATA + 5] ^= 1
    html = ls.check(content)._repr_html_()
    assert ">wrong<" in html and "checksum mismatch" in html and "checksum-mismatch" in html
    missing = ls.check("no such file")
    assert missing["verdict"] == "unreadable" and ">unreadable<" in missing._repr_html_()
    assert repr(missing) == "<linkstream.Report 'no such file': unreadable; No such file or directory>"


def test_a_report_is_a_dict(sample: pathlib.Path) -> None:
    report = ls.check(sample)
    assert isinstance(report, dict) and json.loads(json.dumps(report)) == report
    again = pickle.loads(pickle.dumps(report))
    assert again == report and isinstance(again, ls.Report)


def test_an_open_file_that_has_changed_is_not_checked(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "links"
    path.write_bytes(sample.read_bytes())
    file = ls.open(path)
    path.write_bytes(path.read_bytes() + bytes(8))
    with pytest.raises(ls.ChangedError):
        ls.check(file)
    assert "ok" not in "".join(well_formed(file._repr_html_()).itertext())


def test_options_that_have_no_effect_are_errors(sample: pathlib.Path) -> None:
    with pytest.raises(TypeError, match="timeout"):
        ls.check(sample, timeout=3)
    with pytest.raises(TypeError, match="own options"):
        ls.check(ls.open(sample), timeout=3)


def files() -> list[Any]:
    paths = (path for path in sorted(FIXTURES.rglob("*")) if path.is_file() and path.suffix != ".toml")
    return [pytest.param(path, id=str(path.relative_to(FIXTURES))) for path in paths]


@pytest.mark.parametrize("path", files())
def test_every_file_and_report_can_be_shown(path: pathlib.Path) -> None:
    report = ls.check(path, lenient=True)
    assert repr(report).count("\n") < 10
    html = [report._repr_html_()]
    try:
        file = ls.open(path, verify=False)
    except (ls.Error, OSError):
        pass
    else:
        html += [shown._repr_html_() for shown in (file, *file.fields)]
    for shown in html:
        well_formed(shown)
