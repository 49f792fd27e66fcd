"""The columns of a requirement's table: what each quote asks for each line, and what that adds up to. Pure.

A cell that cannot be compared says why and counts in no total; a line that a quote does not answer is a gap
and never 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from app.contract.dates import format_day
from app.contract.money import format_count, format_quoted
from app.contract.sourcing import Requirement, RequirementLine, SourcingQuote, SourcingQuoteLine
from app.service.pricing.rates.exchange import ExchangeRates
from app.service.scopes.quote import NO_CURRENCY
from app.service.sourcing.amounts import LineAmounts, build_charge, present_value, spread_over_term
from app.service.sourcing.line_units import NeededUnit, find_needed_units, restate_line
from app.service.values.rounding import round_to_cents

_ZERO = Decimal(0)


@dataclass(frozen=True, slots=True)
class Rate:
    """The value of one unit of a quote's currency in that of the requirement, on a day."""

    value: Decimal
    day: date


@dataclass(frozen=True, slots=True)
class Cell:
    """What a line of a quote asks, in the currency of the requirement. `compared` is the line in the unit
    that is needed and before tax; it and `amounts` are None where they cannot be said, `reason` says why it
    is not compared."""

    quote: SourcingQuote
    line: SourcingQuoteLine
    amounts: LineAmounts | None
    present_value: Decimal | None
    reason: str | None
    compared: SourcingQuoteLine | None = None

    @property
    def comparable(self) -> bool:
        return self.reason is None

    @property
    def amount(self) -> Decimal | None:
        return None if self.amounts is None else self.amounts.amount


@dataclass(frozen=True, slots=True)
class Column:
    """A quote with its cells by the line that they answer, each the cheapest comparable one first."""

    quote: SourcingQuote
    rate: Rate | None
    cells: Mapping[str, Sequence[Cell]]
    unaligned: Sequence[SourcingQuoteLine]

    def chosen(self) -> list[Cell]:
        """The cheapest comparable cell of each line."""
        return [cells[0] for cells in self.cells.values() if cells[0].comparable]


def explain_exclusion(column: Column, today: date) -> str | None:
    """Why nothing of a quote can be awarded; None where something can."""
    quote = column.quote
    if quote.status == "reading":
        return "Its document is being read."
    if quote.status == "failed":
        return f"Its document could not be read: {quote.reason or 'nobody knows why.'}"
    if quote.valid_until is not None and quote.valid_until < today:
        return f"The quote expired on {format_day(quote.valid_until)}."
    if column.rate is None:
        return f"There is no exchange rate for {quote.currency}." if quote.currency_stated else NO_CURRENCY
    if not column.cells:
        return "None of its lines answers a line of the requirement."
    return None


def build_column(
    requirement: Requirement,
    quote: SourcingQuote,
    rate: Rate | None,
    units: Mapping[str, NeededUnit] | None = None,
) -> Column:
    """Return the column of a quote; `rate` is None where its currency cannot be converted. `units` are those
    of the requirement's lines, where other quotes help to tell them."""
    units = find_needed_units(requirement, [quote]) if units is None else units
    lines = {line.id: line for line in requirement.lines}
    cells: dict[str, list[Cell]] = {}
    unaligned: list[SourcingQuoteLine] = []
    for line in quote.lines:
        answered = lines.get(line.requirement_line_id or "")
        if answered is None:
            unaligned.append(line)
        else:
            cells.setdefault(answered.id, []).append(
                _build_cell(requirement, answered, units[answered.id], quote, line, rate)
            )
    for some in cells.values():
        some.sort(key=lambda cell: (not cell.comparable, cell.amount or _ZERO))
    return Column(quote, rate, cells, unaligned)


def find_lowest(columns: Sequence[Column], line_id: str) -> Decimal | None:
    """The lowest amount for a line among cells that can be compared; None unless there are two quotes to
    compare."""
    amounts = [
        cells[0].amount
        for column in columns
        if (cells := column.cells.get(line_id)) and cells[0].comparable and cells[0].amount is not None
    ]
    return min(amounts) if len(amounts) > 1 else None


def _build_cell(
    requirement: Requirement,
    answered: RequirementLine,
    unit: NeededUnit,
    quote: SourcingQuote,
    line: SourcingQuoteLine,
    rate: Rate | None,
) -> Cell:
    if rate is None:
        unrated = f"Quoted in {quote.currency}; there is no exchange rate to {requirement.currency}."
        return Cell(quote, line, None, None, unrated if quote.currency_stated else NO_CURRENCY)
    restated = restate_line(answered, unit, line)
    compared = restated.line
    if compared is None:
        return Cell(
            quote,
            line,
            None,
            None,
            _explain(requirement, answered, line) if line.alternate else restated.reason,
        )
    charge = build_charge(compared, answered.quantity, requirement, rate.value)
    amounts = spread_over_term(charge, requirement.term_months)
    value = None
    if requirement.discount_rate is not None:
        worth = present_value(charge, requirement.term_months, requirement.discount_rate)
        value = round_to_cents(worth)
    return Cell(quote, line, amounts, value, _explain(requirement, answered, compared), compared)


def _explain(requirement: Requirement, answered: RequirementLine, line: SourcingQuoteLine) -> str | None:
    """Why an amount is not compared; None where it is."""
    if line.alternate:
        return "An alternative offer: another way to answer the line."
    if line.unit_price == 0 and not line.breaks and line.alignment != "confirmed":
        return "It asks nothing for it: confirm that it is free."
    if line.alignment == "doubtful":
        return "It may not be the same line: confirm that it is."
    if (of_another_term := explain_other_term(requirement, line)) is not None:
        return of_another_term
    least, most, needed = line.minimum_quantity, line.maximum_quantity, format_quoted(answered.quantity)
    if least is not None and answered.quantity < least:
        return f"It is sold from {format_quoted(least)} on, and {needed} are needed."
    if most is not None and answered.quantity > most:
        return f"Its prices are stated up to {format_quoted(most)}, and {needed} are needed."
    if line.quantity != answered.quantity and not line.breaks:
        return (
            f"Quoted for {format_quoted(line.quantity)}, and {needed} are needed: the price of a unit may be"
            " another."
        )
    return None


def explain_other_term(requirement: Requirement, line: SourcingQuoteLine) -> str | None:
    """Why the price of a line is not that of the requirement's term; None where it is."""
    if line.recurring != "term" or line.term_months is None:
        return None
    if line.term_months == requirement.term_months:
        return None
    return (
        f"Quoted for {format_count(line.term_months, 'month')}, and {requirement.term_months} are needed: say"
        " whether it is paid once, each month or each year."
    )


def find_rate(rates: ExchangeRates, quote: SourcingQuote, target: str, today: date) -> Rate | None:
    """Return the rate of a quote's currency of today, or of the last day before it that counts; None where
    there is none, or nobody has said which currency it is."""
    source = quote.currency
    day = rates.rate_day(source, target, today) if quote.currency_stated else None
    if day is None:
        return None
    factor = rates.factor(source, target, today)
    return Rate(Decimal(1) if source == target else Decimal(f"{factor:.10g}"), day)
