"""Lines that are for a part of the term: when each begins, and for how long it runs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from app.contract.dates import format_day
from app.service.charges.months import count_exact_months, count_months_between
from app.service.charges.schedule import MAX_TERM_MONTHS, Span
from app.service.documents.extraction import LineItem
from app.service.documents.layout.rows import Row
from app.service.documents.tables.line_parts import MONTHS_OF_TERM
from app.service.documents.tables.line_years import assign_years
from app.service.documents.tables.row_figures import list_rows_of
from app.service.documents.values.dates import find_dates
from app.service.values.dates import DayOrder
from app.service.values.folding import fold

_ONE_DAY = timedelta(days=1)


def assign_spans(
    items: Sequence[LineItem],
    rows: Sequence[Row],
    *,
    term_months: int | None,
    starts_on: date | None = None,
    order: DayOrder,
) -> tuple[list[LineItem], list[str]]:
    """Return the lines, each with its part of the term where headings, columns, cells or its own words say
    which that is; and sentences about those that begin before the term does, which `starts_on` that day."""
    assigned = assign_years(items, rows, term_months)
    if any(item.first_month is not None for item in assigned):
        return assigned, []
    days = _find_days(items, rows, order)
    early = [
        f"{items[number].description or f'Line {number + 1}'} begins on {format_day(first)}, and the term not"
        f" before {format_day(starts_on)}."
        for number, (first, _) in days.items()
        if starts_on is not None and first < starts_on
    ]
    spans = _read_months(items, rows, term_months) or _place_days(days, term_months, starts_on)
    placed = [
        replace(item, first_month=int(spans[number][0]), span_months=int(spans[number][1]))
        if number in spans
        else item
        for number, item in enumerate(items if spans else assigned)
    ]
    return placed, early


def _read_months(
    items: Sequence[LineItem], rows: Sequence[Row], term_months: int | None
) -> Mapping[int, Span]:
    """The span of each line that says from which to which month of the term it runs."""
    spans: dict[int, Span] = {}
    for number, item in enumerate(items):
        found = next(
            (one for text in _list_texts(item, rows) if (one := MONTHS_OF_TERM.search(fold(text)))), None
        )
        if found and 0 < int(found[1]) <= int(found[2]) <= MAX_TERM_MONTHS:
            spans[number] = int(found[1]) - 1, int(found[2]) - int(found[1]) + 1
    return _leave_whole(spans, term_months)


def _find_days(
    items: Sequence[LineItem], rows: Sequence[Row], order: DayOrder
) -> Mapping[int, tuple[date, date]]:
    """The first and the last day of each line that says from which to which day it runs; none where these
    are no periods, but the days of an order and its delivery, say."""
    days: dict[int, tuple[date, date]] = {}
    for number, item in enumerate(items):
        for text in _list_texts(item, rows):
            found = [one.value for one in find_dates(text, order)]
            if len(found) == 2 and found[0] < found[1]:
                days[number] = found[0], found[1]
                break
    starts, ends = {first for first, _ in days.values()}, {last + _ONE_DAY for _, last in days.values()}
    are_periods = all(
        count_months_between(first, last) or last + _ONE_DAY in starts or first in ends
        for first, last in days.values()
    )
    return days if are_periods else {}


def _place_days(
    days: Mapping[int, tuple[date, date]], term_months: int | None, starts_on: date | None
) -> Mapping[int, Span]:
    """The spans of lines that run from a first to a last day. The first of these days begins the term, unless
    it `starts_on` an earlier one."""
    if not days:
        return {}
    firsts = [first for first, _ in days.values()]
    begins = min([*firsts, starts_on] if starts_on else firsts)
    # Lines may run for longer than the term that the document states: whose months are whole is a period.
    are_whole = all(count_months_between(first, last) for first, last in days.values())
    most = MAX_TERM_MONTHS if are_whole else term_months or MAX_TERM_MONTHS
    spans: dict[int, Span] = {}
    for number, (first, last) in days.items():
        start, end = (round(count_exact_months(begins, day)) for day in (first, last + _ONE_DAY))
        if not start < end <= most:
            return {}
        spans[number] = start, end - start
    return _leave_whole(spans, term_months)


def _leave_whole(spans: Mapping[int, Span], term_months: int | None) -> Mapping[int, Span]:
    """The spans where they are parts of the term: not all lines run alike, or all end before it does."""
    whole = (0, term_months or max((start + months for start, months in spans.values()), default=0))
    return {} if all(span == whole for span in spans.values()) else spans


def _list_texts(item: LineItem, rows: Sequence[Row]) -> list[str]:
    return [item.description or "", *(row.text for row in list_rows_of(item, rows))]
