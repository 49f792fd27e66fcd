"""The table of a requirement on the wire: lines by quotes, what a quote costs in all, and in which order
quotes stand by it. Pure.

Totals are before tax, in the currency of a requirement, for its quantities and its whole term, with discounts
on the whole taken off. Only those that cover the same lines compare, and a quote that cannot be ordered for
its total is not ranked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction

from app.contract.money import format_count, lower_first
from app.contract.sourcing import (
    Matrix,
    MatrixCell,
    MatrixEstimate,
    MatrixLine,
    MatrixQuote,
    MatrixTotal,
    Requirement,
    RequirementLine,
)
from app.service.catalog.names import shorten
from app.service.charges.charge import Amount, Charge, to_decimal
from app.service.charges.schedule import Adjustment, Schedule, list_years
from app.service.scopes.stored_reading import round_price
from app.service.sourcing.amounts import from_cents, to_cents
from app.service.sourcing.award.problem import Quote, discount_of
from app.service.sourcing.columns import Cell, Column, explain_exclusion, find_lowest
from app.service.sourcing.scenarios import convert_discounts
from app.service.values.rounding import round_to_cents

_ZERO = Decimal(0)


def build_matrix(
    requirement: Requirement, columns: Sequence[Column], market: Mapping[str, MatrixEstimate], today: date
) -> Matrix:
    """Return the table. Each sum is of the cells that count: the cheapest comparable one of each line.
    `market` has the estimates by the ids of lines."""
    compared = compare_quotes(requirement, columns, today)
    return Matrix(
        requirement=requirement,
        quotes=[
            _build_column(requirement, column, whole_term, must_haves, today)
            for column, whole_term, must_haves in zip(
                columns, compared.whole_term, compared.must_haves, strict=True
            )
        ],
        lines=[
            MatrixLine(
                line=line,
                market=market.get(line.id),
                cells=[
                    _build_cell(cell, find_lowest(columns, line.id))
                    for column in columns
                    for cell in column.cells.get(line.id, ())
                ],
                gaps=[column.quote.id for column in columns if line.id not in column.cells],
            )
            for line in requirement.lines
        ],
        ranking=compared.ranking,
        statement=_explain(requirement),
    )


def _build_cell(cell: Cell, lowest: Decimal | None) -> MatrixCell:
    return MatrixCell.build_from(
        cell.line,
        quote_id=cell.quote.id,
        quote_line_id=cell.line.id,
        compared_unit_price=_find_restated_price(cell),
        amount=cell.amount,
        years=[] if cell.amounts is None else list(cell.amounts.years),
        comparable=cell.comparable,
        lowest=cell.comparable and lowest is not None and cell.amount == lowest,
        reason=cell.reason,
    )


def _find_restated_price(cell: Cell) -> Decimal | None:
    """The price of one unit of the requirement before tax, where the quote states another."""
    if cell.compared is None or cell.compared.unit_price == cell.line.unit_price:
        return None
    return round_price(cell.compared.unit_price)


def _build_column(
    requirement: Requirement,
    column: Column,
    whole_term: MatrixTotal,
    must_haves: MatrixTotal | None,
    today: date,
) -> MatrixQuote:
    quote, chosen = column.quote, column.chosen()
    answered = {cell.line.requirement_line_id for cell in chosen}
    once = sum((cell.amount or _ZERO for cell in chosen if cell.line.recurring == "once"), _ZERO)
    total = (whole_term.amount or _ZERO) + whole_term.discount
    worth = sum((cell.present_value for cell in chosen if cell.present_value is not None), _ZERO)
    if total:  # a discount on the whole is taken off each payment alike
        worth = round_to_cents(worth * (total - whole_term.discount) / total)
    return MatrixQuote.build_from(
        quote,
        quote_id=quote.id,
        notes=_list_notes(column, today),
        rate=None if column.rate is None else column.rate.value,
        rate_date=None if column.rate is None else column.rate.day,
        expired=quote.valid_until is not None and quote.valid_until < today,
        lines_answered=len(answered),
        must_haves_open=[line.id for line in requirement.lines if line.must_have and line.id not in answered],
        once=once,
        recurring=total - once,
        years=[
            sum((cell.amounts.years[year] for cell in chosen if cell.amounts is not None), _ZERO)
            for year in range(len(list_years(requirement.term_months)))
        ],
        total=total,
        discount=whole_term.discount,
        present_value=worth if requirement.discount_rate is not None else None,
        whole_term=whole_term,
        must_haves=must_haves,
        unaligned=list(column.unaligned),
    )


def _list_notes(column: Column, today: date) -> list[str]:
    excluded, quote = explain_exclusion(column, today), column.quote
    reviewed = quote.reason if quote.status == "needs_review" else None
    return [*dict.fromkeys(note for note in (excluded, reviewed, *quote.warnings) if note)]


def _explain(requirement: Requirement) -> str:
    sentences = [
        f"Amounts are in {requirement.currency}, before tax, for the quantities of the requirement and"
        f" {format_count(requirement.term_months, 'month')}.",
        "A total adds up the cheapest comparable cell of each line, and volume discounts are taken off it;"
        " what a quote does not answer is missing from it, not free, and the quote is not ranked.",
    ]
    if requirement.discount_rate is not None:
        sentences.append(
            f"Present values count {requirement.discount_rate:f} % a year; each payment is made at the start"
            " of its month, year or term."
        )
    return " ".join(sentences)


_LONGEST_NAME = 60
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class _QuoteTotal:
    """What a quote costs for some lines of a requirement, discounts taken off; `before` is without them.
    Lines that are missing in it are named by their ids. `reason` says why it is not ranked."""

    quote_id: str
    supplier_name: str
    before: Amount
    amount: Amount
    needed: int
    reason: str | None

    @property
    def covered(self) -> int:
        """Of how many lines it is."""
        return self.needed - len(self.amount.covers.missing)

    @property
    def cost(self) -> Decimal:
        """What it costs, to the cent: that of the lines which are known."""
        return _round(self.amount)

    @property
    def discount(self) -> Decimal:
        return _round(self.before) - self.cost


@dataclass(frozen=True, slots=True)
class _Comparison:
    """How the quotes of a requirement compare, parallel to its columns: for all lines, and, where some need
    not be had, for the others alone. `ranking` says it in sentences."""

    whole_term: Sequence[MatrixTotal]
    must_haves: Sequence[MatrixTotal | None]
    ranking: str


def compare_quotes(requirement: Requirement, columns: Sequence[Column], today: date) -> _Comparison:
    """Return what each quote costs, and in which order they stand."""
    needed = [line for line in requirement.lines if line.must_have]
    some_need_not = 0 < len(needed) < len(requirement.lines)
    totals = add_up_quotes(requirement, requirement.lines, columns, today)
    must_haves = add_up_quotes(requirement, needed, columns, today) if some_need_not else []
    return _Comparison(
        _describe_totals(totals),
        _describe_totals(must_haves) or [None] * len(columns),
        _explain_ranking(totals, must_haves),
    )


def add_up_quotes(
    requirement: Requirement, lines: Sequence[RequirementLine], columns: Sequence[Column], today: date
) -> list[_QuoteTotal]:
    """Return what each quote costs for these lines of a requirement: of each its cheapest cell that can be
    compared."""
    return [_add_up(requirement, lines, column, today) for column in columns]


def rank_totals(totals: Sequence[_QuoteTotal]) -> dict[str, int]:
    """Return the place of each total that can be ranked, by the id of its quote: 1 for the lowest, the same
    for equal ones. Raises NotComparable where they are not of the same lines."""
    ranked = [one for one in totals if one.reason is None]
    return {one.quote_id: 1 + sum(other.amount < one.amount for other in ranked) for one in ranked}


def _describe_totals(totals: Sequence[_QuoteTotal]) -> list[MatrixTotal]:
    ranks = rank_totals(totals)
    return [
        MatrixTotal(
            amount=one.cost if one.covered else None,
            discount=one.discount,
            lines=one.covered,
            of_lines=one.needed,
            rank=ranks.get(one.quote_id),
            statement=None if one.reason is None else f"Not ranked. {one.reason}",
        )
        for one in totals
    ]


def _explain_ranking(totals: Sequence[_QuoteTotal], must_haves: Sequence[_QuoteTotal]) -> str:
    """Which quote costs the least, and which ones cannot be ranked, in sentences."""
    if not totals:
        return "There is no quote to compare."
    count = totals[0].needed
    sentences = [_name_lowest(totals, "the only line" if count == 1 else f"all {count} lines")]
    left = [one for one in totals if one.reason is not None]
    unranked = {one.quote_id for one in left}
    if any(one.reason is None and one.quote_id in unranked for one in must_haves):
        sentences.append(_name_lowest(must_haves, f"the {must_haves[0].needed} that must be had alone"))
    sentences += [
        f"{shorten(one.supplier_name, _LONGEST_NAME)} is not ranked: {lower_first(reason)}"
        for one in left[:_MOST_NAMED]
        if (reason := one.reason)
    ]
    others = len(left) - _MOST_NAMED
    return " ".join(
        [*sentences, *([f"{others} more {'is' if others == 1 else 'are'} not ranked."] if others > 0 else [])]
    )


def _name_lowest(totals: Sequence[_QuoteTotal], what: str) -> str:
    ranks = rank_totals(totals)
    lowest = [one for one in totals if ranks.get(one.quote_id) == 1]
    if not lowest:
        return f"No quote can be ranked for {what}."
    amount = f"{lowest[0].amount.covers.currency} {lowest[0].cost:,.2f}"
    if len(lowest) > 1:
        return f"{len(lowest)} of {len(ranks)} quotes cost the same for {what}, and none less: {amount}."
    name = shorten(lowest[0].supplier_name, _LONGEST_NAME)
    if len(ranks) == 1:
        return f"Only {name} can be ranked for {what}: {amount}."
    return f"{name} costs the least of {len(ranks)} quotes for {what}: {amount}."


def _add_up(
    requirement: Requirement, lines: Sequence[RequirementLine], column: Column, today: date
) -> _QuoteTotal:
    chosen = {line_id: cells[0] for line_id, cells in column.cells.items() if cells[0].comparable}
    charges = [_build_charge(requirement, line, chosen.get(line.id)) for line in lines]
    currency, term = requirement.currency, requirement.term_months
    before = Schedule(charges, currency, term, "before").total(adjusted=False)
    # What is not known takes no discount: it is on what is ordered, and that is the rest.
    known = [one for one in charges if one.price is not None]
    adjustments = _list_adjustments(column, to_cents(_round(before)))
    total = Schedule(known, currency, term, "before", adjustments).total()
    covers = replace(total.covers, bought=before.covers.bought, missing=before.covers.missing)
    return _QuoteTotal(
        quote_id=column.quote.id,
        supplier_name=column.quote.supplier_name,
        before=before,
        amount=Amount(total.value, covers),
        needed=len(lines),
        reason=explain_exclusion(column, today)
        or _explain_missing(lines, column, before.covers.missing)
        or _explain_minimum(requirement, column, before),
    )


def _round(amount: Amount) -> Decimal:
    """To the cent in any currency, as the cells are: a sum of them is exact."""
    return round_to_cents(to_decimal(amount.value))


def _build_charge(requirement: Requirement, line: RequirementLine, cell: Cell | None) -> Charge:
    """What a quote charges for a line, as the cell has it to the cent; without a price where it is not
    known."""
    amount = None if cell is None else cell.amount
    return Charge(
        what=line.id,
        currency=requirement.currency,
        per="term",
        quantity=Fraction(line.quantity),
        unit=line.unit,
        price=None if amount is None else Fraction(amount),
        start_month=0,
        months=requirement.term_months,
    )


def _list_adjustments(column: Column, cents: int) -> list[Adjustment]:
    """The discounts of a quote on the whole, where so much of it is ordered."""
    if column.rate is None:
        return []
    quote = Quote(column.quote.id, "", (), discounts=convert_discounts(column.quote, column.rate))
    discount = from_cents(discount_of(quote, cents))
    return [Adjustment("Volume discount", amount=-Fraction(discount))] if discount else []


def _explain_missing(lines: Sequence[RequirementLine], column: Column, missing: frozenset[str]) -> str | None:
    names = {line.id: f"“{shorten(line.description, _LONGEST_NAME)}”" for line in lines}
    open_lines = [line for line in lines if line.id in missing]
    if not open_lines:
        return None
    reasons = [_explain_open(names, line, column.cells) for line in open_lines[:_MOST_NAMED]]
    others = len(open_lines) - len(reasons)
    return " ".join(
        [
            f"It is of {len(lines) - len(open_lines)} of {format_count(len(lines), 'line')}.",
            *reasons,
            *([f"{others} more {'is' if others == 1 else 'are'} missing."] if others else []),
        ]
    )


def _explain_open(
    names: Mapping[str, str], line: RequirementLine, cells: Mapping[str, Sequence[Cell]]
) -> str:
    answers = cells.get(line.id)
    if not answers:
        return f"No line of it answers {names[line.id]}."
    return f"{names[line.id]}: {answers[0].reason}"


def _explain_minimum(requirement: Requirement, column: Column, before: Amount) -> str | None:
    if column.rate is None or not column.quote.minimum_order:
        return None
    least = from_cents(to_cents(column.quote.minimum_order * column.rate.value))
    if _round(before) >= least:
        return None
    return f"It takes orders from {requirement.currency} {least:,.2f} on, and these are less."
