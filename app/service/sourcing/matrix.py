"""The table of a requirement on the wire: lines by quotes. Pure."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

from app.contract.sourcing import (
    Matrix,
    MatrixCell,
    MatrixEstimate,
    MatrixLine,
    MatrixQuote,
    MatrixTotal,
    Requirement,
)
from app.service.charges.schedule import list_years
from app.service.scopes.stored_reading import round_price
from app.service.sourcing.amounts import round_amount
from app.service.sourcing.columns import Cell, Column, explain_exclusion, find_lowest
from app.service.sourcing.totals import compare_quotes

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
    return MatrixCell(
        quote_id=cell.quote.id,
        quote_line_id=cell.line.id,
        unit_price=cell.line.unit_price,
        unit=cell.line.unit,
        compared_unit_price=_find_restated_price(cell),
        amount=cell.amount,
        years=[] if cell.amounts is None else list(cell.amounts.years),
        recurring=cell.line.recurring,
        comparable=cell.comparable,
        lowest=cell.comparable and lowest is not None and cell.amount == lowest,
        alternate=cell.line.alternate,
        alignment=cell.line.alignment,
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
        worth = round_amount(worth * (total - whole_term.discount) / total)
    return MatrixQuote(
        quote_id=quote.id,
        status=quote.status,
        notes=_list_notes(column, today),
        supplier_name=quote.supplier_name,
        currency=quote.currency,
        rate=None if column.rate is None else column.rate.value,
        rate_date=None if column.rate is None else column.rate.day,
        valid_until=quote.valid_until,
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
    notes = [excluded] if excluded else []
    if quote.status == "needs_review" and quote.reason is not None and quote.reason != excluded:
        notes.append(quote.reason)
    return [*notes, *quote.warnings]


def _explain(requirement: Requirement) -> str:
    sentences = [
        f"Amounts are in {requirement.currency}, before tax, for the quantities of the requirement and"
        f" {requirement.term_months} months.",
        "A total adds up the cheapest comparable cell of each line, and volume discounts are taken off it;"
        " what a quote does not answer is missing from it, not free, and the quote is not ranked.",
    ]
    if requirement.discount_rate is not None:
        sentences.append(
            f"Present values count {requirement.discount_rate:f} % a year; each payment is made at the start"
            " of its month, year or term."
        )
    return " ".join(sentences)
