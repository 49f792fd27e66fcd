"""The quotes of a requirement as an award problem: what can be compared, and what is left out and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from app.contract.dates import format_day
from app.contract.sourcing import (
    ExcludedThing,
    Requirement,
    ScenarioConstraints,
    SourcingQuote,
    SourcingQuoteLine,
)
from app.service.sourcing.amounts import build_charge, spread_over_term, to_cents
from app.service.sourcing.award.problem import Constraints, Discount, Line, Offer, Problem, Quote
from app.service.sourcing.columns import Cell, Column, Rate, explain_exclusion

_HUNDRED = Decimal(100)


@dataclass(frozen=True, slots=True)
class AwardTask:
    """A problem, the names behind its ids, and what was left out of it. Amounts are in cents."""

    requirement: Requirement
    problem: Problem
    suppliers: Mapping[str, str]
    """By the id of the quote."""
    excluded: Sequence[ExcludedThing]
    rates: Sequence[str]
    """The exchange rates behind the amounts, a sentence for each."""


def build_task(
    requirement: Requirement, columns: Sequence[Column], constraints: ScenarioConstraints, today: date
) -> AwardTask:
    """Build the award problem of what can be compared; the rest is listed with its reason."""
    quotes: list[Quote] = []
    excluded: list[ExcludedThing] = []
    for column in columns:
        reason = explain_exclusion(column, today)
        if reason is None and column.rate is not None:
            quotes.append(_build_quote(requirement, column, column.rate))
            excluded += [
                ExcludedThing(what=_name_line(column, cell.line), why=cell.reason)
                for cells in column.cells.values()
                for cell in cells
                if cell.reason is not None
            ]
        else:
            excluded.append(ExcludedThing(what=column.quote.supplier_name, why=reason or ""))
    lines = [Line(line.id, line.must_have) for line in requirement.lines]
    return AwardTask(
        requirement,
        Problem(lines, quotes, _build_constraints(constraints)),
        {column.quote.id: column.quote.supplier_name for column in columns},
        excluded,
        _list_rates(requirement, columns),
    )


def _list_rates(requirement: Requirement, columns: Sequence[Column]) -> list[str]:
    rates = {column.quote.currency: column.rate for column in columns if column.rate is not None}
    return [
        f"{currency} 1 is {requirement.currency} {rate.value.normalize():f},"
        f" the rate on {format_day(rate.day)}."
        for currency, rate in rates.items()
        if currency != requirement.currency
    ]


def _name_line(column: Column, line: SourcingQuoteLine) -> str:
    return f"{column.quote.supplier_name}: {line.description[:100]}"


def _build_quote(requirement: Requirement, column: Column, rate: Rate) -> Quote:
    quote = column.quote
    offers = [_build_offer(cell) for cells in column.cells.values() for cell in cells if cell.comparable]
    bundles = {offer.bundle for offer in offers} - {None}
    # What comes with a bundle is paid for too, though no line of the requirement asks for it.
    extras = [
        Offer(line.id, None, _amount_of_extra(requirement, line, rate), line.bundle_id)
        for line in column.unaligned
        if line.bundle_id in bundles
    ]
    return Quote(
        quote.id,
        quote.company_id or quote.supplier_name.casefold(),
        [*offers, *extras],
        minimum_order=to_cents((quote.minimum_order or Decimal(0)) * rate.value),
        discounts=convert_discounts(quote, rate),
        lead_time_days=quote.lead_time_days,
    )


def convert_discounts(quote: SourcingQuote, rate: Rate) -> list[Discount]:
    """Return a quote's volume discounts, their steps in cents of the requirement's currency."""
    return [Discount(to_cents(one.from_amount * rate.value), one.percent) for one in quote.discounts or ()]


def _build_offer(cell: Cell) -> Offer:
    return Offer(
        cell.line.id, cell.line.requirement_line_id, to_cents(cell.amount or Decimal(0)), cell.line.bundle_id
    )


def _amount_of_extra(requirement: Requirement, line: SourcingQuoteLine, rate: Rate) -> int:
    charge = build_charge(line, line.quantity, requirement, rate.value)
    return to_cents(spread_over_term(charge, requirement.term_months).amount)


def _build_constraints(given: ScenarioConstraints) -> Constraints:
    return Constraints(
        max_suppliers=given.max_suppliers,
        excluded_quotes=frozenset(given.excluded_quotes or ()),
        kept_quotes=frozenset(given.keep_quotes or ()),
        max_share=None if given.max_share is None else given.max_share / _HUNDRED,
        whole_bundles=given.whole_bundles,
    )
