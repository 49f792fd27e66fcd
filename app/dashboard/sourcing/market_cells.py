"""The market's column of the table of quotes: what comparable purchases say that each line costs."""

from collections.abc import Sequence
from dataclasses import replace

from app.contract.price_level import format_next_step, format_price_level
from app.contract.sourcing import Matrix, MatrixEstimate, MatrixVerdict, RequirementLine
from app.contract.sourcing_words import PERIODS
from app.dashboard.sourcing.figures import describe_quantity, format_cents, format_unit_price
from components.formatting.counts import format_count
from components.sourcing.quote_table import QuoteCell, QuoteColumn

MARKET = "market"
"""Stands for the id of a quote in the market's column."""


def make_market_column(matrix: Matrix) -> Sequence[QuoteColumn]:
    """Return the market's column; none where the service estimates nothing."""
    if all(one.market is None for one in matrix.lines):
        return ()
    known = sum(one.market is not None and one.market.median is not None for one in matrix.lines)
    lines = len(matrix.lines)
    notes = [
        "What half of buyers paid less than, by comparable purchases that you may see, and between which"
        " amounts the middle half of them is.",
        f"{known:,} of {format_count(lines, 'line')} can be estimated; the others say why not.",
        "It is no quote, and no total adds it up.",
    ]
    return (QuoteColumn(MARKET, "Market", f"{known:,} of {format_count(lines, 'line')}", (), notes),)


def make_market_cell(matrix: Matrix, needed: RequirementLine, market: MatrixEstimate) -> QuoteCell:
    """Return what the market says of a line."""
    if (
        market.median is None
        or market.percentile25 is None
        or market.percentile75 is None
        or market.unit_price is None
    ):
        named = f"As {market.product_name}." if market.product_name else ""
        return QuoteCell("market", "not known", "", (), market.statement, [named])
    currency = matrix.requirement.currency
    period = PERIODS.get(market.recurring or "", "")
    return QuoteCell(
        "market",
        format_cents(market.median),
        f"{format_cents(market.percentile25)} to {format_cents(market.percentile75)}",
        (),
        "",
        [
            f"{market.product_name}: half of buyers paid less than {currency} {format_cents(market.median)}"
            f" for {describe_quantity(needed)} and {format_count(matrix.requirement.term_months, 'month')},"
            f" which is {format_unit_price(market.unit_price, currency)} {period} for a unit.",
            f"The middle half paid {currency} {format_cents(market.percentile25)} to"
            f" {format_cents(market.percentile75)}.",
            market.statement,
        ],
    )


def add_verdict(cell: QuoteCell, verdict: MatrixVerdict | None, currency: str) -> QuoteCell:
    """Return the cell of a quote with what the market says of its amount: a mark only where there is a
    verdict, else the reason why there is none. Amounts are in the `currency` of the requirement."""
    if verdict is None:
        return cell
    if verdict.position == "withheld":
        return replace(cell, notes=[*cell.notes, f"No verdict by the market: {verdict.statement}"])
    step = verdict.next_step
    said = (format_next_step(step.action, step.amount, currency) + ".") if step is not None else ""
    return replace(
        cell,
        marks=[*cell.marks, format_price_level(verdict.price_level, verdict.position)],
        notes=[*cell.notes, f"By the market: {verdict.statement} {said}".rstrip()],
    )
