"""All agreements together: against the market, what is spent by them, and what was paid over time."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

import streamlit as st

from app.contract.agreement_market import AgreementMarket, MarketSum
from app.contract.agreement_purchases import (
    AgreementPurchase,
    DecidedPurchase,
    PriceHistory,
    PriceLine,
    PricePoint,
    RecordedPurchase,
)
from app.contract.agreements import find_last_day
from app.contract.dates import format_day
from app.contract.money import format_exact_money, format_money, format_quantity
from app.contract.spend import SpendGroup
from components.elements.figure import (
    ACCENT,
    BAD,
    GOOD,
    LEGEND_ABOVE,
    MUTED,
    OURS,
    WARN,
    Figure,
    draw_figure,
    make_money_axis,
    make_trace,
)
from components.elements.metric_row import Metric, draw_metric_row
from components.elements.record_table import ColouredWord, Column, draw_record_table
from components.formatting import escape_markdown, format_count, format_date, format_known_money, shorten_text

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
        agreements,
        {
            "Contract": Column(lambda one: one.name),
            "Supplier": Column(lambda one: one.supplier_name),
            "Last day to act": Column(lambda one: _describe_day(one, today), "right", optional=True),
            "Price": Column(
                lambda one: format_known_money(one.amount, one.currency),
                "right",
                "Of its lines, before tax, for the term.",
            ),
            "Possible saving": Column(describe_saving, "right", "What compared lines cost above the median."),
            "Evidence": Column(
                _describe_evidence, help="How much of the price was compared with enough purchases."
            ),
            "If nobody acts": Column(
                lambda one: format_known_money(one.renewal.amount, one.currency) or one.renewal.statement,
                "right",
                "What the next term costs.",
            ),
            "Rests on": Column(describe_basis),
        },
        link=lambda one: ("contract", {"id": one.agreement_id}),
        alt=f"{format_count(len(agreements), 'agreement')}, those first where most can be saved soonest",
    )


def _describe_evidence(one: AgreementMarket) -> ColouredWord:
    certainty, colour = CERTAINTY_LABELS.get(one.certainty, (one.certainty, "gray"))
    return ColouredWord(
        certainty if one.certainty == "thin" else f"{certainty} ({one.compared:.0f} %)", colour
    )


def describe_saving(one: AgreementMarket) -> str | None:
    """Return `USD 3,000`, with its value in the currency of the order where that is another."""
    saving = format_known_money(one.saving, one.currency)
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


def _describe_day(one: AgreementMarket, today: date) -> str | None:
    day = find_last_day(one.status, one.act_by)
    if day is None:
        return None
    left = (day - today).days
    when = "passed" if left < 0 else "today" if left == 0 else f"in {format_count(left, 'day')}"
    return f"{format_date(day)}, {when}"


MOST_BARS = 15
_BAR_HEIGHT, _LONGEST_NAME = 28, 32


def draw_spend_total(total: SpendGroup) -> None:
    """Draw the sums of one currency."""
    draw_metric_row(
        [
            Metric("Recurring", format_money(total.recurring, total.currency), "Before tax."),
            Metric("One-time", format_money(total.one_time, total.currency), "Before tax."),
            Metric(
                "Of that assumed",
                format_money(total.assumed, total.currency),
                "Terms after the first, at the price on record.",
            ),
            Metric("Contracts", f"{total.agreements:,}"),
        ]
    )


def draw_spend_groups(groups: Sequence[SpendGroup], name: str, *, key: str, over_time: bool = False) -> None:
    """Draw the groups of one currency; months as columns, others as bars, the largest above."""
    currency = groups[0].currency
    shown = groups if over_time else groups[:MOST_BARS]
    largest = max(shown, key=lambda one: one.recurring + one.one_time)
    most = format_money(largest.recurring + largest.one_time, currency)
    draw_figure(
        make_spend_figure(shown, over_time=over_time),
        key=f"{key}-chart",
        alt=f"Spend by {name.lower()} in {currency}; the most is {most}, {largest.name}.",
        height=300 if over_time else 70 + _BAR_HEIGHT * len(shown),
    )
    draw_record_table(
        groups,
        {
            name: Column(lambda one: one.name),
            "Contracts": Column(lambda one: one.agreements, "right"),
            "Recurring": Column(lambda one: format_money(one.recurring, currency), "right"),
            "Of that assumed": Column(
                lambda one: format_known_money(one.assumed or None, currency), "right", optional=True
            ),
            "One-time": Column(
                lambda one: format_known_money(one.one_time or None, currency), "right", optional=True
            ),
        },
        alt=f"Spend by {name.lower()}: {format_count(len(groups), 'row')}",
    )


def make_spend_figure(groups: Sequence[SpendGroup], *, over_time: bool = False) -> Figure:
    """Return the chart: what is known, assumed and paid once, on top of each other."""
    parts: dict[str, tuple[str, list[Decimal]]] = {
        "Recurring": (ACCENT, [one.recurring - one.assumed for one in groups]),
        "Assumed": (MUTED, [one.assumed for one in groups]),
        "One-time": (WARN, [one.one_time for one in groups]),
    }
    places = [one.name if over_time else f"{at}" for at, one in enumerate(groups)]
    labels = [shorten_text(one.name, _LONGEST_NAME) for one in groups]
    value, place = ("y", "x") if over_time else ("x", "y")
    axis = {"type": "category", "tickvals": places, "ticktext": labels, "automargin": True}
    return {
        "data": [
            make_trace(
                places if over_time else amounts,
                amounts if over_time else places,
                [
                    f"{one.name}, {part.lower()}: {format_money(amount, one.currency)}"
                    for one, amount in zip(groups, amounts, strict=True)
                ],
                type="bar",
                orientation="v" if over_time else "h",
                name=part,
                marker={"color": colour},
                textposition="none",
            )
            for part, (colour, amounts) in parts.items()
            if any(amounts)
        ],
        "layout": {
            "barmode": "stack",
            f"{place}axis": axis if over_time else {**axis, "autorange": "reversed"},
            f"{value}axis": make_money_axis(groups[0].currency) | {"rangemode": "tozero"},
            **LEGEND_ABOVE,
        },
    }


MOST_LINES = 10
_COLOURS = (ACCENT, WARN, GOOD, OURS, BAD)


def draw_price_history(history: PriceHistory, *, key: str) -> None:
    """Draw a chart for each currency and kind of payment, with the doubts about its lines."""
    for doubt in history.doubts:
        st.warning(escape_markdown(doubt), icon=":material/help:")
    groups: defaultdict[tuple[str, bool], list[PriceLine]] = defaultdict(list)
    for line in history.lines:
        groups[line.currency, line.recurring].append(line)
    for number, ((currency, recurring), lines) in enumerate(groups.items()):
        per = "a unit and month" if recurring else "a unit, paid once"
        st.markdown(f"**{currency} for {per}, before tax**")
        shown = lines[:MOST_LINES]
        draw_figure(make_history_figure(shown), key=f"{key}-{number}", alt=describe_lines(shown), height=320)
        if len(lines) > len(shown):
            st.caption(f"The {len(shown)} products bought last, of {len(lines):,}.")
        for line in shown:
            for doubt in line.doubts:
                st.caption(f":material/help: {escape_markdown(f'{name_line(line)}: {doubt}')}")


def name_line(line: PriceLine) -> str:
    """Return the product with its unit."""
    return line.product_name if line.unit is None else f"{line.product_name}, {line.unit}"


def describe_lines(lines: Sequence[PriceLine]) -> str:
    """Return the first and the last price of each line, in words."""
    parts = [
        f"{name_line(line)}, {format_count(len(line.points), 'purchase')}:"
        f" {format_exact_money(line.points[0].unit_price, line.currency)} on"
        f" {format_date(line.points[0].purchase_date)},"
        f" {format_exact_money(line.points[-1].unit_price, line.currency)} on"
        f" {format_date(line.points[-1].purchase_date)}"
        for line in lines
    ]
    return f"Price of a unit over time. {'; '.join(parts)}."


def make_history_figure(lines: Sequence[PriceLine]) -> Figure:
    """Return the chart."""
    return {
        "data": [
            make_trace(
                [point.purchase_date.isoformat() for point in line.points],
                [point.unit_price for point in line.points],
                [_describe_price_point(line, point) for point in line.points],
                mode="lines+markers",
                name=name_line(line),
                line={
                    "color": _COLOURS[at % len(_COLOURS)],
                    "dash": "solid" if at < len(_COLOURS) else "dot",
                },
                marker={
                    "size": 9,
                    "symbol": ["diamond" if point.agreement_id else "circle" for point in line.points],
                },
            )
            for at, line in enumerate(lines)
        ],
        "layout": {
            "showlegend": True,
            "legend": {"orientation": "h", "y": -0.2},
            "xaxis": {"type": "date"},
            "yaxis": {"rangemode": "tozero"},
        },
    }


def _describe_price_point(line: PriceLine, point: PricePoint) -> str:
    source = point.agreement_name or (f"order {point.order_id}" if point.order_id else "purchase")
    price = format_exact_money(point.unit_price, line.currency)
    quantity = format_quantity(point.quantity)
    return f"{name_line(line)}<br>{price}, {quantity} bought<br>{format_date(point.purchase_date)}: {source}"


def draw_learned_lines(lines: Sequence[AgreementPurchase]) -> None:
    """Draw how many lines the next estimate knows, and a sentence for each that it does not."""
    if not lines:
        return
    known = sum(line.state in ("learned", "same") for line in lines)
    pending = sum(line.state == "pending" for line in lines)
    st.caption(
        f"{known:,} of {format_count(len(lines), 'line')} count as purchases in the next estimate."
        + (f" {format_count(pending, 'line')} still to be looked at, in the background." if pending else "")
    )
    for line in lines:
        if line.reason is not None:
            st.caption(escape_markdown(f"{line.description} does not count. {line.reason}"))
    if any(line.reason is not None for line in lines):
        st.caption("What is missing is stated under “Change”: then they count.")


def describe_doubt(line: AgreementPurchase, one: RecordedPurchase) -> str:
    """Return a sentence about a purchase that may be that of a line, as Markdown."""
    return escape_markdown(
        f"{line.description} may be on record twice: {_describe_purchase(one)} may be the same. Both count."
    )


def describe_decision(line: AgreementPurchase, decided: DecidedPurchase) -> str:
    """Return a sentence about what was decided of a purchase, as Markdown."""
    answer = "is the same, and counts once" if decided.same else "is another purchase: both count"
    by = f" ({decided.decided_by})" if decided.decided_by else ""
    return escape_markdown(f"{line.description}: {_describe_purchase(decided.purchase)} {answer}{by}.")


def _describe_purchase(one: RecordedPurchase) -> str:
    order = f"order {one.order_id} of " if one.order_id else "the purchase of "
    return order + format_day(one.purchase_date)
