"""What an agreement costs for its next term if nobody acts: the worst case. Pure."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import ceil

from app.contract.agreements import NewAgreement, RenewalForecast, Uplift
from app.contract.dates import format_day
from app.service.agreements.dates.position import (
    AgreementTerms,
    Occurrence,
    Position,
    count_months_of_renewal,
    find_next_term,
    find_position,
)
from app.service.agreements.dates.working_days import ONE_DAY, WorkingDays
from app.service.agreements.line_amounts import find_paid_once, list_parts
from app.service.charges.charge import NO_CURRENCY, Number, round_money, to_decimal
from app.service.charges.months import MONTHS_PER_YEAR, count_exact_months, months_between

_HUNDRED = Decimal(100)
_NOTHING = "nothing of it is paid again"


def find_renewal_cost(
    agreed: NewAgreement,
    terms: AgreementTerms,
    position: Position,
    as_of: date,
    ended: Occurrence | None = None,
) -> RenewalForecast:
    """Return the cost before tax of the term that follows the current one, or that has `ended`, if nobody
    acts; of an agreement that runs until notice is given, that of the next year of it after a day. Its
    statement says what it follows from, or why it is not known."""
    ended = ended or position.occurrence
    is_option = terms.renewal == "option" and not (ended and terms.has_taken_option(ended))
    if position.ends_on is not None or terms.renewal == "none" or is_option:
        return _forecast("It ends by itself: nothing is paid if nobody acts.", Decimal(0))
    if terms.renewal is None:
        return _forecast("Whether it renews is not known.")
    if agreed.total_value is None or agreed.term_start is None or agreed.term_end is None:
        return _forecast("The value or the first term is not known.")
    month = _count_price_of_month(agreed)
    if terms.renewal == "evergreen":
        return _forecast_year(agreed, terms, month, as_of)
    renewal = None if ended is None else find_next_term(terms, ended)
    if renewal is None:
        return _forecast("For how long it renews is not known.")
    return _apply_uplift(agreed, month, renewal, count_months_of_renewal(terms, renewal))


def find_current_price(agreed: NewAgreement, months: int) -> Decimal | None:
    """Return what is paid again of an agreement, for so many months at the price of its first term; None
    where its value or its first term is not known."""
    if agreed.total_value is None or agreed.term_start is None or agreed.term_end is None:
        return None
    return _round(agreed, _count_price_of_month(agreed) * months)


def _count_price_of_month(agreed: NewAgreement) -> Decimal:
    """Return what is paid again and again for a month: the last one of the first term, where its lines are
    for parts of it, else any."""
    assert agreed.total_value is not None
    assert agreed.term_start is not None
    assert agreed.term_end is not None
    paid_again = Fraction(agreed.total_value - (find_paid_once(agreed) or 0))
    months = count_exact_months(agreed.term_start, agreed.term_end + ONE_DAY)
    parts = list_parts(agreed.lines or (), int(months)) if months.denominator == 1 else ()
    if not parts:
        return to_decimal(paid_again / months)
    return to_decimal(paid_again) * parts[-1].share / parts[-1].months


def _forecast_year(
    agreed: NewAgreement, terms: AgreementTerms, month: Decimal, as_of: date
) -> RenewalForecast:
    """Forecast what a year costs of an agreement that runs until notice is given. It has no renewal at which
    a price could rise, but its years are counted from the end of its first term."""
    uplift, runs = agreed.uplift, "It runs until notice is given"
    if not month:
        return _forecast(f"{runs}, and {_NOTHING}.", Decimal(0))
    if uplift is None:
        return _forecast(f"{runs}: a year at the price on record.", _round(agreed, month * MONTHS_PER_YEAR))
    if uplift.basis == "term" and uplift.kind != "index":
        return _forecast(f"{runs}, so when a renewal raises the price is not known.")
    yearly = AgreementTerms(terms.start, terms.end, "auto_renew", MONTHS_PER_YEAR)
    current = find_position(yearly, as_of, WorkingDays()).occurrence
    assert current is not None
    year = find_next_term(yearly, current)
    assert year is not None
    assert year.start is not None
    forecast = _apply_uplift(agreed, month, year, MONTHS_PER_YEAR)
    return _forecast(
        f"{runs}: the year from {format_day(year.start)} on. {forecast.statement}", forecast.amount
    )


def _apply_uplift(
    agreed: NewAgreement, month: Decimal, renewal: Occurrence, months: Number
) -> RenewalForecast:
    uplift, start, end = agreed.uplift, renewal.start, renewal.end
    assert start is not None
    if not month:
        return _forecast(f"{_NOTHING.capitalize()}.", Decimal(0), start, end)
    price = month * to_decimal(months)
    if uplift is None:
        return _forecast("No rise is on record: the price of today.", _round(agreed, price), start, end)
    if uplift.kind == "index":
        named = uplift.index or "an index"
        return _forecast(f"The price follows {named}, whose course nobody knows.", None, start, end)
    if uplift.percent is None:
        return _forecast("By how much the price rises is not known.", None, start, end)
    assert agreed.term_start is not None
    if uplift.basis == "term":
        amount = price * _find_factor(uplift, renewal.index)
    else:
        # Each month at the price of its year since the beginning, or since the last price that was agreed.
        passed = months_between(agreed.term_start, start)
        if any(line.months is not None for line in agreed.lines or ()):
            assert agreed.term_end is not None
            passed = months_between(agreed.term_end + ONE_DAY, start) + MONTHS_PER_YEAR
        of_months = (
            to_decimal(min(months - at, 1)) * _find_factor(uplift, (passed + at) // MONTHS_PER_YEAR)
            for at in range(ceil(months))
        )
        amount = month * sum(of_months, Decimal(0))
    by = "at most " if uplift.kind == "cap" else ""
    when = "at each renewal" if uplift.basis == "term" else "each year"
    how = ", on the risen price" if uplift.compounding else ""
    return _forecast(f"It rises by {by}{uplift.percent:f} % {when}{how}.", _round(agreed, amount), start, end)


def _round(agreed: NewAgreement, amount: Decimal) -> Decimal:
    return round_money(amount, agreed.currency or NO_CURRENCY)


def _forecast(
    statement: str, amount: Decimal | None = None, start: date | None = None, end: date | None = None
) -> RenewalForecast:
    return RenewalForecast(statement=statement, amount=amount, start=start, end=end)


def _find_factor(uplift: Uplift, times: int) -> Decimal:
    rise = (uplift.percent or Decimal(0)) / _HUNDRED
    return (1 + rise) ** times if uplift.compounding else 1 + rise * times
