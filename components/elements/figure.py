"""A chart drawn from a plain Plotly figure: `{"data": [...], "layout": {...}}`.

Figures are dictionaries because Plotly has no types; this is the only module that passes them on.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, cast

import plotly.io  # pyright: ignore[reportMissingTypeStubs]
import streamlit as st
from plotly.basedatatypes import BaseFigure  # pyright: ignore[reportMissingTypeStubs]

PlotlyObject = dict[str, Any]
"""A trace, an axis, a shape or another part of a figure."""

Figure = PlotlyObject

HOVER_TEXT = "%{text}<extra></extra>"
"""The hover template of a trace whose `text` says what each point is."""

# Mid tones that keep 3:1 against the light and the dark background (WCAG 2.2, 1.4.11).
ACCENT = "#3b82c4"
GOOD = "#2f9e6e"
WARN = "#c77d0a"
BAD = "#d64b5f"
MUTED = "#7c8798"
OURS = "#8e67c9"
"""What we offer, beside what the supplier does."""

_LOG_FROM = 30
NUMBER_FORMAT = ",.10~f"
"""Every digit with separators of thousands, as `format_exact_quantity`: 118,260, 0.00025."""


def draw_figure(figure: Figure, *, key: str, alt: str, height: int = 320) -> None:
    """Draw `figure` at the full width; `alt` describes it for a screen reader."""
    layout = {
        "template": _load_template(),
        "margin": {"l": 8, "r": 8, "t": 28, "b": 8},
        "showlegend": False,
        "height": height,
        "hovermode": "closest",
        **figure["layout"],
    }
    st.plotly_chart(  # pyright: ignore[reportUnknownMemberType]
        _UncheckedFigure({"data": figure["data"], "layout": layout}),
        key=key,
        alt=alt,
        config={"displayModeBar": False, "scrollZoom": False, "responsive": True},
    )


class _UncheckedFigure(BaseFigure):
    """A figure that is sent as it is. Plotly copies and checks a dictionary value by value, which took half
    of the script of a page. A test checks the figures of all components."""

    def __init__(self, figure: Figure) -> None:
        self._figure = figure

    def to_dict(self) -> Figure:
        return self._figure


@cache
def _load_template() -> PlotlyObject:
    """Return the template of Streamlit's theme, whose colours the browser fills in."""
    templates = cast(Any, plotly.io).templates
    return cast(PlotlyObject, templates["streamlit"].to_plotly_json())


def make_trace(
    x: Iterable[object], y: Iterable[object], texts: Sequence[str] = (), *, type: str = "scatter", **look: Any
) -> PlotlyObject:
    """Return a trace of points or bars. `texts` says what each is where the pointer rests on it; `look` has
    the other settings of Plotly."""
    hover = {"text": list(texts), "hovertemplate": HOVER_TEXT} if texts else {}
    return {"type": type, "x": [*map(_to_plain, x)], "y": [*map(_to_plain, y)], **hover, **look}


def _to_plain(value: object) -> object:
    return float(value) if isinstance(value, Decimal) else value


LEGEND_ABOVE: PlotlyObject = {
    "showlegend": True,
    "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
}
"""The part of a layout that names the traces above the chart."""


def make_money_axis(currency: str, title: str = "") -> PlotlyObject:
    """Return the settings of an axis of amounts, whose ticks are as `format_money` writes them: `USD 60,000`,
    `USD 0.0125`."""
    return {
        **({"title": {"text": title}} if title else {}),
        "tickprefix": f"{currency} ".lstrip(),
        "tickformat": NUMBER_FORMAT,
        "nticks": 6,
        "automargin": True,
        "zeroline": False,
    }


def needs_log_scale(values: Sequence[float]) -> bool:
    """Return whether values span orders of magnitude, so that a linear axis would squeeze the small ones."""
    return bool(values) and min(values) > 0 and max(values) / min(values) > _LOG_FROM


def make_number_axis(values: Sequence[float]) -> PlotlyObject:
    """Return the settings of a linear axis, or of a logarithmic one with ticks at 1, 2 and 5."""
    if needs_log_scale(values):
        return {"type": "log", "dtick": "D2", "tickformat": NUMBER_FORMAT}
    return {"type": "linear", "tickformat": NUMBER_FORMAT}


def to_rgba(colour: str, opacity: float) -> str:
    """Return the colour `#rrggbb` as rgba, for fills."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"
