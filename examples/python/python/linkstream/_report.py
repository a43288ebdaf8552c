"""Reports on files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _html, _plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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

    def _repr_html_(self) -> str:
        return _html.of_report(self)
