"""Agreements against the market: what they cost, what could be saved, and what that rests on."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from app.contract.agreement_market import AgreementMarket, MarketSum
from app.contract.money import format_money
from components.elements.metric_row import Metric, draw_metric_row
from components.elements.record_table import (
    LEFT,
    RIGHT,
    Cell,
    ColouredWord,
    RecordColumn,
    RecordRow,
    draw_record_table,
)
from components.formatting.counts import format_count, format_date

CERTAINTY_LABELS = {"strong": ("strong", "green"), "partial": ("partial", "orange"), "thin": ("thin", "gray")}


def draw_market_sums(sums: Sequence[MarketSum]) -> None:
    """Draw what could be saved of what, for each currency."""
    draw_metric_row(
        [
            metric
            for one in sums
            for metric in (
                Metric(
                    "Possible saving",
                    format_money(one.saving, one.currency),
                    "Above what half of buyers pay.",
                ),
                Metric(
                    "Price on record",
                    format_money(one.amount, one.currency),
                    "What the lines cost for their terms.",
                ),
                Metric("Contracts", f"{one.agreements:,}", f"Those in {one.currency}."),
            )
        ]
    )


def draw_market_table(agreements: Sequence[AgreementMarket], today: date) -> None:
    """Draw the agreements in their order."""
    draw_record_table(
        [RecordRow("contract", {"id": one.agreement_id}, _make_cells(one, today)) for one in agreements],
        alt=f"{format_count(len(agreements), 'agreement')}, those first where most can be saved soonest",
        columns={
            "Contract": LEFT,
            "Supplier": LEFT,
            "Act by": RIGHT,
            "Price": RecordColumn("right", "Of its lines, before tax, for the term."),
            "Possible saving": RecordColumn("right", "What compared lines cost above the median."),
            "Evidence": RecordColumn("left", "How much of the price was compared with enough purchases."),
            "If nobody acts": RecordColumn("right", "What the next term costs."),
            "Rests on": LEFT,
        },
        optional=("Act by",),
    )


def _make_cells(one: AgreementMarket, today: date) -> dict[str, Cell]:
    certainty, colour = CERTAINTY_LABELS.get(one.certainty, (one.certainty, "gray"))
    compared = "" if one.certainty == "thin" else f" ({one.compared:.0f} %)"
    return {
        "Contract": one.name,
        "Supplier": one.supplier_name,
        "Act by": _describe_day(one.act_by, today),
        "Price": _money(one.amount, one.currency),
        "Possible saving": describe_saving(one),
        "Evidence": ColouredWord(f"{certainty}{compared}", colour),
        "If nobody acts": _money(one.renewal.amount, one.currency) or one.renewal.statement,
        "Rests on": describe_basis(one),
    }


def describe_saving(one: AgreementMarket) -> str | None:
    """Return `USD 3,000`, with its value in the currency of the order where that is another."""
    saving = _money(one.saving, one.currency)
    converted = one.saving_converted
    if converted is None or not one.saving:
        return saving
    return f"{saving} ({format_money(converted.amount, converted.currency)})"


def describe_basis(one: AgreementMarket) -> str:
    """Return what the comparison rests on: purchases, or why there is none."""
    compared = [line for line in one.lines if line.position not in (None, "withheld")]
    if not compared:
        return one.lines[0].statement if one.lines else "It has no lines: there is nothing to compare."
    purchases = sum(line.purchases or 0 for line in compared)
    newest = max((line.newest for line in compared if line.newest), default=None)
    lines = "" if len(one.lines) == 1 else f"{len(compared)} of {len(one.lines)} lines, "
    return f"{lines}{format_count(purchases, 'purchase')}, the latest of {format_date(newest)}"


def _describe_day(day: date | None, today: date) -> str | None:
    if day is None:
        return None
    left = (day - today).days
    when = "passed" if left < 0 else "today" if left == 0 else f"in {format_count(left, 'day')}"
    return f"{format_date(day)}, {when}"


def _money(amount: Decimal | None, currency: str | None) -> str | None:
    return None if amount is None else format_money(amount, currency or "")
