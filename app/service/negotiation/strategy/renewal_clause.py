"""The sentence that says by when notice must be given where a contract renews automatically. Pure."""

from datetime import date

from app.contract.dates import format_day
from app.service.agreements.dates.notice import count_back, parse_read_period
from app.service.agreements.dates.statement import describe_period
from app.service.agreements.dates.working_days import WorkingDays
from app.service.scopes.quote import QuoteClauses


def describe_automatic_renewal(clauses: QuoteClauses, end_date: date | None = None) -> str:
    """Say that the contract renews, and by when notice is due as far as that is known. `end_date` is the last
    day of the term; without the unit of the notice period no day is named."""
    renews = "The contract renews automatically"
    if clauses.notice_days is None:
        return f"{renews}."
    period = parse_read_period(clauses.notice_days, clauses.notice_unit)
    if period is None:
        return (
            f"{renews}; a notice period of {clauses.notice_days} days was read, but not whether the document"
            " counts it in days or in months."
        )
    # No document is read to count in business days, so it does not matter which days those are.
    by = "" if end_date is None else f"by {format_day(count_back(end_date, period, WorkingDays()))}, "
    return f"{renews}; notice is due {by}{describe_period(period)} before the end."
