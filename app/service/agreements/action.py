"""The sentence that says what somebody must do about an agreement, by when, and what happens otherwise: the
same on every list and page, in mail and in calendars. Pure."""

from datetime import date
from decimal import Decimal

from app.contract.dates import format_day
from app.contract.money import format_money
from app.service.agreements.dates.position import Position
from app.service.agreements.dates.statement import describe_dates, describe_length
from app.service.agreements.dates.working_days import ONE_DAY, WorkingDays
from app.service.agreements.market.renewal_cost import find_current_price, find_renewal_cost
from app.service.agreements.stored_agreement import StoredAgreement
from app.service.charges.months import MONTHS_PER_YEAR


def describe_action(one: StoredAgreement, position: Position, today: date) -> str | None:
    """Return `Give notice by 27 November 2026, or GBP 7,800 renews for 12 months.`; None where nobody must
    act."""
    if not one.dates.needs_action(position) or position.act_by is None:
        return None
    last, renewal = format_day(position.act_by), one.agreed.renewal_type
    if position.deadline is not None and renewal == "option":
        if today > position.deadline:
            end = position.term_to_end.end if position.term_to_end else position.act_by
            return f"The option was to be taken by {last}: it ends on {format_day(end)}{_per_year(one)}."
        return f"Take the option by {last}, or it ends{_per_year(one)}."
    if position.deadline is not None:
        happens = _describe_renewal(one, position, today)
        if today > position.deadline:
            return f"The last day for notice was {last}: {happens} unless the supplier agrees otherwise."
        return f"Give notice by {last}, or {happens}."
    if position.ends_on is not None:
        return f"Renew or replace it by {last}, or it ends{_per_year(one)}."
    if renewal is None:
        return f"Find out whether it renews: its term ends on {last}{_per_year(one)}."
    wanted = "by when the option must be taken" if renewal == "option" else "by when notice must be given"
    ends = (
        f"it ends on {last}{_per_year(one)}"
        if renewal == "option"
        else _describe_renewal(one, position, today)
    )
    return f"Find out {wanted}: otherwise {ends}."


def find_amount_due(one: StoredAgreement, position: Position, today: date) -> Decimal | None:
    """Return the amount of that sentence: what renews if nobody acts, else what a year costs; None where it
    is not known."""
    if position.ends_on is not None or one.agreed.renewal_type in (None, "option"):
        return find_current_price(one.agreed, MONTHS_PER_YEAR)
    return find_renewal_cost(one.agreed, one.dates.terms, position, today, position.term_to_end).amount


def list_sentences(one: StoredAgreement, position: Position, today: date, days: WorkingDays) -> list[str]:
    """Return what somebody must do, where somebody must, and how the dates were computed."""
    dates = describe_dates(one.dates.terms, position, today, days)
    action = describe_action(one, position, today)
    return [dates] if action is None else [action, dates]


def _describe_renewal(one: StoredAgreement, position: Position, today: date) -> str:
    """Say what renews, for how long and when."""
    ended = position.term_to_end or position.occurrence
    begins = "" if ended is None else f" on {format_day(ended.end + ONE_DAY)}"
    terms = one.dates.terms
    how_long = "" if ended is None else describe_length(terms, ended, _count_months)
    cost = find_amount_due(one, position, today)
    return f"{_format(one, cost) or 'it'} renews{begins}{how_long}"


def _count_months(months: int) -> str:
    return f"{months} {'month' if months == 1 else 'months'}"


def _per_year(one: StoredAgreement) -> str:
    """Return ` (GBP 7,800 a year)`, nothing where that is not known."""
    value = _format(one, find_current_price(one.agreed, MONTHS_PER_YEAR))
    return f" ({value} a year)" if value else ""


def _format(one: StoredAgreement, amount: Decimal | None) -> str | None:
    if not amount or one.agreed.currency is None:
        return None
    return format_money(amount, one.agreed.currency)
