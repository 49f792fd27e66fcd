"""A chart drawn from a plain Plotly figure: `{"data": [...], "layout": {...}}`.

Figures are dictionaries because Plotly has no types; this is the only module that passes them on.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

PlotlyObject = dict[str, Any]
"""A trace, an axis, a shape or another part of a figure."""

Figure = PlotlyObject

# Mid tones that keep 3:1 against the light and the dark background (WCAG 2.2, 1.4.11).
ACCENT = "#3b82c4"
GOOD = "#2f9e6e"
WARN = "#c77d0a"
BAD = "#d64b5f"
MUTED = "#7c8798"

_LOG_FROM = 30
NUMBER_FORMAT = ",.10~f"
"""Every digit with separators of thousands, as `format_exact_quantity`: 118,260, 0.00025."""


def draw_figure(figure: Figure, *, key: str, alt: str, height: int = 320) -> None:
    """Draw `figure` at the full width; `alt` describes it for a screen reader."""
    layout = {
        "margin": {"l": 8, "r": 8, "t": 28, "b": 8},
        "showlegend": False,
        "height": height,
        "hovermode": "closest",
        **figure["layout"],
    }
    st.plotly_chart(  # pyright: ignore[reportUnknownMemberType]
        {"data": figure["data"], "layout": layout},
        key=key,
        alt=alt,
        config={"displayModeBar": False, "scrollZoom": False, "responsive": True},
    )


def make_money_axis(title: str) -> PlotlyObject:
    """Return the settings of an axis of amounts."""
    return {"title": {"text": title}, "tickformat": NUMBER_FORMAT, "automargin": True, "zeroline": False}


def make_money_hover(currency: str, axis: str) -> str:
    """Return what a hover text shows of an amount on the axis x or y: `USD 118,260`, `USD 0.0125`."""
    return f"{currency} %{{{axis}:{NUMBER_FORMAT}}}".strip()


def needs_log_scale(values: Sequence[float]) -> bool:
    """Return whether values span orders of magnitude, so that a linear axis would squeeze the small ones."""
    return bool(values) and min(values) > 0 and max(values) / min(values) > _LOG_FROM


def to_rgba(colour: str, opacity: float) -> str:
    """Return the colour `#rrggbb` as rgba, for fills."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"
