"""Reports on files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from . import _html, _plot
from ._text import one_line, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._types import FieldReport, Finding, UnverifiedReason, VerdictName

_SHOWN = 3
"""Most fields, and most findings, in the text of a report."""


class Report(dict[str, Any]):
    """The report on a file, with the keys of ``linkstream check --json``: ``verdict``, ``fields``, ``findings``, …

    Jupyter shows it with tables, the documents of the file and, if :func:`linkstream.check` was called with
    ``slices=True``, the plaquettes of each time slice.

    Examples
    --------
    >>> import linkstream as ls
    >>> report = ls.check("lat.ildg")
    >>> report["verdict"], report["fields"][0]["checksum"]
    ('ok', 'match')
    >>> print(report)
    <linkstream.Report 'lat.ildg': ok; lime file, 149,824 bytes, 1 field
      field 0: USQCD_F3_ColorMatrix, checksum match, plaquette 0.595670900, link_trace ...>
    >>> round(report["fields"][0]["plaquette"], 6)
    0.595671
    """

    def plot(self, field: int | None = None, ax: Axes | None = None) -> Axes:
        """Plots the plaquettes of each time slice of a gauge field, with matplotlib.

        Parameters
        ----------
        field : int, optional
            Index of the field. By default the first one with observables of time slices.
        ax : matplotlib.axes.Axes, optional
            Axes to plot into. By default those of a new figure.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ValueError
            The report has no observables of time slices: call ``linkstream.check(…, slices=True)``.
        ImportError
            matplotlib is not installed.
        """
        return _plot.plot(_plot.with_slices(self, field), ax)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["verdict"], /) -> VerdictName: ...
        @overload
        def __getitem__(self, key: Literal["ok"], /) -> bool: ...
        @overload
        def __getitem__(self, key: Literal["findings"], /) -> list[Finding]: ...
        @overload
        def __getitem__(self, key: Literal["fields"], /) -> list[FieldReport]: ...
        @overload
        def __getitem__(self, key: Literal["unverified"], /) -> list[UnverifiedReason]: ...
        @overload
        def __getitem__(self, key: str, /) -> Any: ...
        def __getitem__(self, key: str, /) -> Any: ...

    def __repr__(self) -> str:
        """A few lines: the report itself has a page. ``dict(report)`` shows all of it."""
        fields, findings = self.get("fields") or [], self.get("findings") or []
        if self.get("error"):
            about = [one_line(self["error"])]
        else:
            about = [f"{self.get('format')} file, {self.get('bytes', 0):,} bytes", plural(len(fields), "field")]
        lines = [f"<linkstream.Report '{one_line(self.get('file', ''))}': {self.get('verdict')}; {', '.join(about)}"]
        for index, field in enumerate(fields[:_SHOWN]):
            numbers = [f"{key} {field[key]:.9f}" for key in ("plaquette", "link_trace") if _is_number(field.get(key))]
            name = one_line(field.get("datatype", field.get("gauge_kind", "data")))
            loop = field.get("polyakov_loop")
            numbers += [f"Polyakov loop {complex(*loop):.9f}"] if loop else []
            checksum = f"checksum {field.get('checksum')}"
            lines.append(f"  field {index}: {', '.join([name, checksum, *numbers])}")
        for finding in findings[:_SHOWN]:
            lines.append(f"  {finding['severity']}: {one_line(finding['message'])} [{finding['rule']}]")
        left = [(len(fields) - _SHOWN, "field"), (len(findings) - _SHOWN, "finding")]
        more = [f"{plural(count, noun)} more" for count, noun in left if count > 0]
        return "\n".join([*lines, *([f"  {', '.join(more)}"] if more else [])]) + ">"

    def _repr_html_(self) -> str:
        return _html.of_report(self)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float))
