"""Plots of the observables of time slices. matplotlib is optional, and imported only when something is plotted."""

from __future__ import annotations

import base64
import io
import math
from typing import TYPE_CHECKING, Any, Mapping

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CURVES = (
    ("spatial_plaquette", "spatial", "s--"),
    ("temporal_plaquette", "temporal", "^--"),
    ("plaquette", "all", "o-"),
)


def with_slices(report: Mapping[str, Any], index: int | None) -> Mapping[str, Any]:
    """Returns the field of a report with this index, or the first one with observables of time slices."""
    fields = report.get("fields", [])
    if index is not None:
        try:
            chosen = [fields[index]]
        except IndexError:
            raise IndexError(f"there is no field {index}: the report has {len(fields)}") from None
    else:
        chosen = fields
    for field in chosen:
        if field.get("slices"):
            return dict(field)
    raise ValueError("the report has no observables of time slices: call linkstream.check with slices=True")


def plot(field: Mapping[str, Any], ax: Axes | None = None) -> Axes:
    """Plots the plaquettes of each time slice."""
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise ImportError("plotting needs matplotlib: pip install matplotlib") from error
        ax = pyplot.figure(layout="constrained").add_subplot()
    times = [slice_["time"] for slice_ in field["slices"]]
    for key, label, style in CURVES:
        # null in JSON: not finite, or there are none.
        values = [math.nan if slice_[key] is None else slice_[key] for slice_ in field["slices"]]
        ax.plot(times, values, style, label=label, markersize=4, linewidth=1)
    ax.set_xlabel("time slice $t$")
    ax.set_ylabel("plaquette, Re tr $U$ / $N$")
    ax.legend()
    return ax


def svg(field: Mapping[str, Any]) -> str | None:
    """Returns the plot as the URL of an image, or None without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    # Without pyplot, so that no figure of the user changes.
    figure = Figure(figsize=(6, 3), layout="constrained")
    plot(field, figure.add_subplot())
    image = io.BytesIO()
    figure.savefig(image, format="svg", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(image.getvalue()).decode()
