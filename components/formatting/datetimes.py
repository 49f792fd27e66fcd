"""Times as text: local, UTC, durations, and relative to now."""

from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from app.contract.dates import format_day
from components.formatting.counts import NO_VALUE, format_count
from components.formatting.texts import escape_markdown

_UNITS = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def get_reader_zone() -> tzinfo:
    """Return the time zone of the reader's browser, UTC where it is unknown."""
    name = st.context.timezone
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def format_local_time(instant: datetime | None) -> str:
    """Return `20 Nov 2026, 14:05` in the reader's zone; a dash for None."""
    return NO_VALUE if instant is None else f"{instant.astimezone(get_reader_zone()):%-d %b %Y, %H:%M}"


def format_local_seconds(instant: datetime | None) -> str:
    """Return `20 Nov, 14:05:09` in the reader's zone, for what happens often; a dash for None."""
    return NO_VALUE if instant is None else f"{instant.astimezone(get_reader_zone()):%-d %b, %H:%M:%S}"


def _format_utc(instant: datetime | None) -> str:
    """Return `2026-11-20 13:05:09 UTC`, for the tooltip of a local time."""
    return "" if instant is None else f"{instant.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def format_duration(length: timedelta) -> str:
    """Return the two largest units of a duration: `2 d 4 h`, `4 min 12 s`, `0 s`."""
    seconds = max(0, int(length.total_seconds()))
    words: list[str] = []
    for size, unit in _UNITS:
        number, seconds = divmod(seconds, size)
        if number or words:
            words.append(f"{number} {unit}")
        if len(words) == 2:
            break
    return " ".join(word for word in words if not word.startswith("0 ")) or "0 s"


def format_relative_time(instant: datetime, now: datetime) -> str:
    """Return `3 min ago`, `just now`, or `in 2 h` for a time in the future."""
    apart = now - instant
    if abs(apart) < timedelta(seconds=5):
        return "just now"
    return f"{format_duration(apart)} ago" if apart > timedelta() else f"in {format_duration(-apart)}"


def find_last_day(deadline: datetime) -> date:
    """Return the last day before a deadline, in UTC as on record: a day ends at midnight, which belongs to
    the next one."""
    return (deadline.astimezone(UTC) - timedelta(minutes=1)).date()


def format_deadline(deadline: datetime, now: datetime) -> str:
    """Return `Due in 27 days`, `Due in 1 d 4 h`, or the last day before a deadline in the past: `Expired
    7 June`, with its year where that is not the present one."""
    if deadline - now >= timedelta(days=2):
        return f"Due in {format_count((deadline - now).days, 'day')}"
    if deadline > now:
        return f"Due in {format_duration(deadline - now)}"
    day, today = find_last_day(deadline), now.astimezone(UTC)
    return f"Expired {format_day(day) if day.year != today.year else f'{day.day} {day:%B}'}"


def draw_timestamp(label: str, instant: datetime | None) -> None:
    """Draw a caption such as "Updated 20 Nov 2026, 14:05"; nothing for None."""
    if instant is not None:
        draw_time(f"{label} {format_local_time(instant)}", instant)


def draw_time(words: str, instant: datetime | None) -> None:
    """Draw a caption that says when something is, with UTC where the pointer rests on it."""
    st.caption(
        f'<span title="{_format_utc(instant)}">{escape_markdown(words)}</span>',
        unsafe_allow_html=True,
        width="content",
    )
