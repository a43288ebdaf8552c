"""Files as other programs write them: `check`, `open` and the numbers agree on what their checksums prove."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
from conftest import FIXTURES

import linkstream as ls

FOREIGN = FIXTURES / "foreign"

OK = [
    "02-cps-empty-ensemble.nersc",
    "03-grid-su2-full.nersc",
    "03-grid-su4-reduced.nersc",
    "03b-glu-su2-reduced-f32le.nersc",
    "03c-qdp-su5-full-f32.nersc",
    "03d-grid-su4-full-ieee64.nersc",
    "05-glu-ildg.lime",
    "05b-glu-scidac.lime",
    "08-cl2qcd.ildg",
    "09-bqcd.ildg",
    "09c-bqcd-wrongplaq.ildg",
    "18b-cps-prop-c1d12.lime",
    "22-quda-gauge-D.lime",
    "22b-quda-old-gauge-F.lime",
    "22c-nthmc-D.lime",
    "24c-4096-padded.ildg",
    "25d-checksum-before-data.ildg",
    "34-tmlqcd-plain.prop",
    "34b-tmlqcd-source.lime",
]
UNVERIFIED = ["06-openstaple.ildg", "20f-openqcd"]
WRONG = [
    "03e-grid-old-su2-as-su3.nersc",
    "03f-grid-old-su4-as-su3.nersc",
    "03g-su2-bitflip.nersc",
    "08b-cl2qcd-bitflip.ildg",
    "09b-bqcd-bitflip.ildg",
    "12b-bridge-no-metadata.ildg",
    "15-toolbox-le-be-sum.nersc",
    "16-tmlqcd-wrong-plaq.ildg",
    "20-milc-ksprop",
    "20b-fnal",
    "20c-milc-v4",
    "20d-hirep",
    "20e-openqcd",
    "20g-mdp.mdp",
    "25e-checksum-before-damaged.ildg",
    "32-glu-scidac-bitflip.lime",
]


@pytest.mark.parametrize("name", OK)
def test_what_a_checksum_proves_is_read(name: str) -> None:
    assert ls.check(FOREIGN / name, lenient=True)["verdict"] == "ok"
    for field in ls.open(FOREIGN / name):
        assert field.verify() == "verified"
        assert np.isfinite(field.numpy()).all()


@pytest.mark.parametrize("name", UNVERIFIED)
def test_what_nothing_proves_is_read_only_on_request(name: str) -> None:
    assert ls.check(FOREIGN / name, lenient=True)["verdict"] == "unverified"
    with pytest.raises(ls.UnverifiedError, match="no checksum"):
        ls.open(FOREIGN / name)[0].numpy()
    field = ls.open(FOREIGN / name, verify="if possible")[0]
    with pytest.warns(ls.UnverifiedWarning, match="no checksum"):
        assert np.isfinite(field.numpy()).all()
    assert field.verification == "unverified"


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said(name: str) -> None:
    report = ls.check(FOREIGN / name, lenient=True)
    assert report["verdict"] == "wrong"
    assert any(finding["severity"] == "error" for finding in report["findings"])


def test_openqcd_is_compared_with_its_plaquette(tmp_path: pathlib.Path) -> None:
    """The same links as in the order of ILDG; changed, cut and with another plaquette."""
    content = (FOREIGN / "20f-openqcd").read_bytes()
    with pytest.warns(ls.UnverifiedWarning, match="no checksum"):
        links = ls.open(FOREIGN / "20f-openqcd", verify="if possible")[0].numpy()
    assert np.array_equal(links, ls.open(FOREIGN / "22-quda-gauge-D.lime")[0].numpy())
    plaquette = ls.check(FOREIGN / "20f-openqcd")["fields"][0]["plaquette"]
    assert abs(3 * plaquette - np.frombuffer(content[16:24], "<f8")[0]) < 1e-12
    changed, other = bytearray(content), bytearray(content)
    changed[1007] ^= 0x40
    other[16:24] = np.array([1.0], "<f8").tobytes()
    for wrong in (bytes(changed), bytes(other), content[:-576]):
        path = tmp_path / "wrong"
        path.write_bytes(wrong)
        assert ls.check(path)["verdict"] == "wrong"
