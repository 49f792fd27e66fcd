"""Deliveries by hour as stacked bars: succeeded, with failed on top.

Drawn as HTML: a chart library would be half of what a browser loads for the page, and two dozen bars need
none.
"""

from collections.abc import Sequence
from datetime import tzinfo
from html import escape

import streamlit as st

from app.contract.webhooks import DeliveryHour
from components.elements.figure import BAD, GOOD

HEIGHT = 72
MIN_BAR_HEIGHT = 2
"""Makes a single failure among thousands visible."""


def draw_hourly_deliveries(hours: Sequence[DeliveryHour], *, alt: str, zone: tzinfo) -> None:
    """Draw a bar for each hour, oldest first, with its figures in a tooltip. `alt` describes the chart for a
    screen reader."""
    most = max((hour.succeeded + hour.failed for hour in hours), default=0) or 1
    first, last = (_format_hour(hour, zone) for hour in (hours[0], hours[-1]))
    st.html(
        f'<div role="img" aria-label="{escape(alt)}" style="display:flex;gap:4px;height:{HEIGHT}px">'
        + "".join(_render_bar(hour, most, zone) for hour in hours)
        + '</div><div style="display:flex;justify-content:space-between;font-size:0.875rem">'
        f"<span>{first}</span>"
        f'<span><span style="color:{GOOD}" aria-hidden="true">■</span> succeeded&ensp;'
        f'<span style="color:{BAD}" aria-hidden="true">■</span> failed</span>'
        f"<span>{last}</span></div>"
    )


def _render_bar(hour: DeliveryHour, most: int, zone: tzinfo) -> str:
    """Return a column of full height, so that the tooltip appears however low the bar is."""
    succeeded, failed = _get_height(hour.succeeded, most), _get_height(hour.failed, most)
    tooltip = f"{_format_hour(hour, zone)}: {hour.succeeded:,} succeeded, {hour.failed:,} failed"
    column = "flex:1;display:flex;flex-direction:column;justify-content:flex-end"
    parts = ((failed, BAD), (min(succeeded, HEIGHT - failed), GOOD))
    filled = "".join(
        f'<div style="height:{high:g}px;background:{colour}"></div>' for high, colour in parts if high
    )
    return f'<div title="{tooltip}" style="{column}">{filled}</div>'


def _get_height(count: int, most: int) -> float:
    return max(MIN_BAR_HEIGHT, round(HEIGHT * count / most, 1)) if count else 0


def _format_hour(hour: DeliveryHour, zone: tzinfo) -> str:
    return f"{hour.began_at.astimezone(zone):%H:%M}" if hour.began_at else ""
