"""What pages show as text: counts, percentiles, terms and prices of a unit; times, local, in UTC and relative
to now; and texts that are escaped for Markdown, shortened, or names of files."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal
from pathlib import PurePosixPath
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from app.contract.dates import format_day
from app.contract.money import format_count as format_count
from app.contract.money import format_exact_quantity, format_money

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-!|~$:&])")


def escape_markdown(text: str) -> str:
    """Return `text` on one line, with each character escaped that Markdown or Streamlit would take for
    formatting, a link, maths or an icon."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def draw_captions(sentences: Iterable[str]) -> None:
    """Draw the sentences, one below the other, in one element; nothing where there are none."""
    if lines := [escape_markdown(sentence) for sentence in sentences]:
        st.caption("  \n".join(lines))


def to_symbol(icon: str | None) -> str | None:
    """Return the Material symbol of that name as Streamlit takes it."""
    return f":material/{icon}:" if icon else None


def shorten_text(text: str, length: int) -> str:
    """Return at most `length` characters: some suppliers put a page of terms into a product name."""
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


def count_repeats(names: Sequence[str]) -> list[int]:
    """Return for each name how many of that name there are up to it."""
    seen: Counter[str] = Counter()
    counts: list[int] = []
    for name in names:
        seen[name] += 1
        counts.append(seen[name])
    return counts


def number_names(names: Sequence[str]) -> list[str]:
    """Return the names, with a number behind each that stands there before: `Seats (2)`."""
    counts = zip(names, count_repeats(names), strict=True)
    return [name if count == 1 else f"{name} ({count})" for name, count in counts]


_LONGEST_FILE_NAME = 60


def shorten_file_name(name: str) -> str:
    """Return the name without folders; the middle of a long one is left out."""
    bare = PurePosixPath(name.replace("\\", "/")).name or name
    if len(bare) <= _LONGEST_FILE_NAME:
        return bare
    return f"{bare[: _LONGEST_FILE_NAME - 16]}…{bare[-15:]}"


NO_VALUE = "—"
"""Shown in place of a missing value."""

_REGULAR_NOUN = re.compile(r"(?=.*[aeiou])[a-z]{2,}(?<![csx]h|[^aeiou]y|.[sxz])")
"""A word whose plural has an s. Abbreviations, plurals and units of several words stay as they are."""


def format_units(quantity: Decimal, unit: str | None) -> str:
    """Return `20 seats`, `1 user`, `1.50 TB`, or the number alone where the unit is not known."""
    is_several = quantity != 1 and unit and _REGULAR_NOUN.fullmatch(unit)
    return f"{format_exact_quantity(quantity)} {unit or ''}{'s' if is_several else ''}".strip()


def format_known_money(amount: Decimal | None, currency: str | None) -> str | None:
    """Return `USD 12,500`; None where the amount is not known."""
    return None if amount is None else format_money(amount, currency or "")


def format_percent(rate: Decimal) -> str:
    """Return `23.9 %`, negative as `-23.9 %`: a metric tells by the hyphen that a change is downwards."""
    return f"{rate.normalize():f} %"


def format_date(value: date | str | None) -> str:
    """Return `20 Nov 2026` for a date or ISO text; other text unchanged, a dash for None."""
    if not value:
        return NO_VALUE
    if isinstance(value, str):
        try:
            value = date.fromisoformat(value[:10])
        except ValueError:
            return str(value)
    return f"{value:%-d %b %Y}"


def name_percentile(percent: int) -> str:
    """Return `A quarter pay less` for 25, `Median` for 50, `A tenth pay more` for 90."""
    if percent == 50:
        return "Median"
    share = min(percent, 100 - percent)
    words = {10: "A tenth", 25: "A quarter"}.get(share, f"{share} %")
    return f"{words} pay {'less' if percent < 50 else 'more'}"


def format_months(term: Decimal | int) -> str:
    """Return a term such as `1 month`, `18 months`, `3 years (36 months)`."""
    whole = int(term) if term == int(term) else term
    if isinstance(whole, int) and whole >= 24 and whole % 12 == 0:
        return f"{whole // 12} years ({whole} months)"
    return f"{whole} month" if whole == 1 else f"{whole} months"


def format_total_per_unit(
    total: Decimal, quantity: Decimal, months: Decimal | int | None, unit: str | None, currency: str
) -> str:
    """Return a total as `USD 12.50 per user and month`; without a term (None or 0 months: paid once) as
    `USD 12.50 per user`. The `unit` is called "unit" where it is not known."""
    periods = Decimal(months or 0)
    price = total / (quantity or Decimal(1)) / (periods or Decimal(1))
    return f"{format_money(price, currency)} {describe_unit(unit, recurring=bool(periods))}"


def describe_unit(unit: str | None, *, recurring: bool) -> str:
    """Return `per user and month`, or `per user` where the price is paid once."""
    return f"per {unit or 'unit'}{' and month' if recurring else ''}"


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


def format_local_seconds(instant: datetime | None, zone: tzinfo | None = None) -> str:
    """Return `20 Nov, 14:05:09` in the reader's zone, for what happens often; a dash for None. A long table
    gives the `zone`, as each look for it takes ten microseconds."""
    return (
        NO_VALUE if instant is None else f"{instant.astimezone(zone or get_reader_zone()):%-d %b, %H:%M:%S}"
    )


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
