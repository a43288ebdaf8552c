"""Files for the examples in docstrings: `python -m pytest --doctest-modules --pyargs linkstream` runs them. And no test is
skipped in silence.
"""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest

SAMPLE = Path(__file__).resolve().parents[1] / "su3-4x4x4x8.lime"
# A byte of the data.
DAMAGED = 100_000
# The names of packages that may be missing, separated by spaces. If it is set, other skipped tests are failures.
MISSING = os.environ.get("LINKSTREAM_MAY_MISS")
_refused: list[str] = []

# The reason of tests with files that are not part of the repository: its clone alone passes all other tests.
OTHERS_MISSING = "there are no files of other projects"


@pytest.fixture(autouse=True)
def _examples(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs each docstring in a directory of its own, with `lat.ildg`, with `damaged.ildg`, which has a wrong byte, and with
    the directory `store`, which has two configurations.
    """
    if not isinstance(request.node, pytest.DoctestItem):
        return
    content = bytearray(SAMPLE.read_bytes())
    (tmp_path / "lat.ildg").write_bytes(content)
    content[DAMAGED] ^= 1
    (tmp_path / "damaged.ildg").write_bytes(content)
    if any('"store"' in example.source for example in request.node.dtest.examples):
        linkstream = pytest.importorskip("linkstream")
        (tmp_path / "store").mkdir()
        for update in (10, 20):
            linkstream.sample(tmp_path / "new", seed=update, extents=(2, 2, 2, 2), thermal=1)
            with linkstream.edit(tmp_path / "new") as edit:
                edit.update = update
            (tmp_path / "new").rename(tmp_path / "store" / f"lat.{update}.lime")
    monkeypatch.chdir(tmp_path)


def pytest_configure() -> None:
    """A shell starts programs in the background such that they ignore Ctrl-C. Tests of it would wait for ever."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _judge_skipped(report: Any) -> None:
    if MISSING is None or not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    if OTHERS_MISSING in reason:
        return
    package = re.search(r"could not import '(\w+)", reason)
    if not package or package[1] not in MISSING.split():
        _refused.append(f"{report.nodeid}: {reason}")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _judge_skipped(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _judge_skipped(report)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if _refused:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for line in _refused:
        terminalreporter.write_line(f"FAILED: skipped, which is not allowed: {line}", red=True)
