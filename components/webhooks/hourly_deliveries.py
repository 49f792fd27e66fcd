"""Deliveries by the hour as a small drawing of bars, stacked: what succeeded, and on top what failed.

Drawn by itself: a chart library is half of what a browser loads for the page, and two dozen bars need none.
"""

from collections.abc import Sequence
from datetime import UTC, tzinfo
from html import escape

import streamlit as st

from app.contract.webhooks import DeliveryHour
from components import fixtures
from components.elements.figure import BAD, GOOD

HEIGHT = 72
LEAST = 2
"""A single failure among thousands is still seen."""


def draw_hour_bars(hours: Sequence[DeliveryHour], *, alt: str, zone: tzinfo) -> None:
    """Draw a bar for each hour, the oldest first; pointing at one says its figures. `alt` says in words what
    is shown."""
    most = max((hour.succeeded + hour.failed for hour in hours), default=0) or 1
    first, last = (_clock(hour, zone) for hour in (hours[0], hours[-1]))
    st.html(
        f'<div role="img" aria-label="{escape(alt)}" style="display:flex;gap:4px;height:{HEIGHT}px">'
        + "".join(_bar(hour, most, zone) for hour in hours)
        + '</div><div style="display:flex;justify-content:space-between;font-size:0.875rem">'
        f"<span>{first}</span>"
        f'<span><span style="color:{GOOD}" aria-hidden="true">■</span> succeeded&ensp;'
        f'<span style="color:{BAD}" aria-hidden="true">■</span> failed</span>'
        f"<span>{last}</span></div>"
    )


def _bar(hour: DeliveryHour, most: int, zone: tzinfo) -> str:
    """A column as high as all, so that it answers the pointer however low its bar is."""
    good, bad = _height(hour.succeeded, most), _height(hour.failed, most)
    said = f"{_clock(hour, zone)}: {hour.succeeded:,} succeeded, {hour.failed:,} failed"
    column = "flex:1;display:flex;flex-direction:column;justify-content:flex-end"
    parts = ((bad, BAD), (min(good, HEIGHT - bad), GOOD))
    filled = "".join(
        f'<div style="height:{high:g}px;background:{colour}"></div>' for high, colour in parts if high
    )
    return f'<div title="{said}" style="{column}">{filled}</div>'


def _height(count: int, most: int) -> float:
    return max(LEAST, round(HEIGHT * count / most, 1)) if count else 0


def _clock(hour: DeliveryHour, zone: tzinfo) -> str:
    return f"{hour.began_at.astimezone(zone):%H:%M}" if hour.began_at else ""


def example() -> None:
    draw_hour_bars(fixtures.webhook_detail().health.hours, alt="Deliveries of a day, by the hour", zone=UTC)
