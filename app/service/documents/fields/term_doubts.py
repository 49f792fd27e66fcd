"""Whether the dates of a document agree with the term that its text states."""

from datetime import date, timedelta

from app.contract.dates import format_day
from app.service.charges.months import count_exact_months
from app.service.documents.extraction import Kind
from app.service.documents.fields.document_dates import Dates


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
