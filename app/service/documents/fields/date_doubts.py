"""What is said of days of a document whose day and month could be exchanged (`04/03/2026`), and of a term
that its dates contradict."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from app.contract.dates import format_day
from app.service.charges.months import count_exact_months
from app.service.documents.extraction import Kind
from app.service.documents.fields.document_dates import ROLES, Dates
from app.service.documents.layout.rows import Row
from app.service.documents.values.dates import find_dates, find_telling_date
from app.service.documents.values.origin import Origin
from app.service.values.dates import DayOrder


def mark_date_doubts(
    dates: Dates, rows: Sequence[Row], order: DayOrder, origin: Origin
) -> tuple[Dates, tuple[str, ...]]:
    """The dates, doubtful where nothing tells their order, and what is to be said of those with two readings:
    nothing where its origin or another of its dates tells."""
    stated = {name: value for name in ROLES if (value := getattr(dates, name))}
    printed = _find_exchangeable(rows, order) if stated else {}
    read = {name: value for name, value in stated.items() if value in printed}
    if not read or origin.tells_day_order or find_telling_date((row.text for row in rows), order):
        return dates, ()
    days = {value: printed[value] for value in read.values()}
    places = {
        name: replace(place.doubted(), second=days[read[name]][1].isoformat()) if name in read else place
        for name, place in dates.provenance.items()
    }
    said = f"{_join(days)}: nothing in the document says whether the day comes first."
    return replace(dates, provenance=places), (said,)


def _find_exchangeable(rows: Sequence[Row], order: DayOrder) -> dict[date, tuple[str, date]]:
    """By the days with two readings what is printed and the other reading; none that is written out too."""
    found: dict[date, tuple[str, date]] = {}
    plain: set[date] = set()
    for row in rows:
        for one in find_dates(row.text, order):
            text = row.text[one.start : one.end]
            if one.alternative is None or "." in text:  # dots are never used month first
                plain.add(one.value)
            else:
                found.setdefault(one.value, (text, one.alternative))
    return {value: other for value, other in found.items() if value not in plain}


def _join(days: Mapping[date, tuple[str, date]]) -> str:
    return ", and ".join(
        f'"{text}" is read as {_write(value)}, but it may also be {_write(alternative)}'
        for value, (text, alternative) in days.items()
    )


def _write(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


def find_sure_start(dates: Dates) -> date | None:
    """Return the day on which the term begins where a label names it beyond doubt."""
    return dates.start_date if _is_sure(dates, "start_date") else None


def describe_contradicted_term(months: int | None, dates: Dates, kind: Kind) -> list[str]:
    """Say where the first and the last day of the agreement are not those of the term, in months, that the
    text states. On a bill they are those of what is billed."""
    start, end = dates.start_date, dates.end_date
    is_agreed = kind not in ("invoice", "credit_note", "price_list")
    if start is None or end is None or not (is_agreed and _is_sure(dates, "start_date", "end_date")):
        return []
    days = f"it runs from {format_day(start)} to {format_day(end)}"
    if end <= start:
        return [f"The dates of the term contradict each other: {days}."]
    if months is None or abs(count_exact_months(start, end + timedelta(days=1)) - months) < 1:
        return []
    return [f"The document states a term of {months} {'month' if months == 1 else 'months'}, but {days}."]


def _is_sure(dates: Dates, *names: str) -> bool:
    return all(name in dates.provenance and dates.provenance[name].verified for name in names)
