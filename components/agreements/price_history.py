"""What was paid for a unit over time, and what estimates learned from the lines of an agreement."""

from collections import defaultdict
from collections.abc import Sequence

import streamlit as st

from app.contract.agreement_purchases import AgreementPurchase, DecidedPurchase, RecordedPurchase
from app.contract.dates import format_day
from app.contract.money import format_exact_money, format_quantity
from app.contract.price_history import PriceHistory, PriceLine, PricePoint
from components.elements.figure import ACCENT, BAD, GOOD, HOVER_TEXT, OURS, WARN, Figure, draw_figure
from components.formatting.counts import format_count, format_date
from components.formatting.texts import escape_markdown

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
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": name_line(line),
                "x": [point.purchase_date.isoformat() for point in line.points],
                "y": [float(point.unit_price) for point in line.points],
                "text": [_describe_point(line, point) for point in line.points],
                "hovertemplate": HOVER_TEXT,
                "line": {
                    "color": _COLOURS[at % len(_COLOURS)],
                    "dash": "solid" if at < len(_COLOURS) else "dot",
                },
                "marker": {
                    "size": 9,
                    "symbol": ["diamond" if point.agreement_id else "circle" for point in line.points],
                },
            }
            for at, line in enumerate(lines)
        ],
        "layout": {
            "showlegend": True,
            "legend": {"orientation": "h", "y": -0.2},
            "xaxis": {"type": "date"},
            "yaxis": {"rangemode": "tozero"},
        },
    }


def _describe_point(line: PriceLine, point: PricePoint) -> str:
    source = point.agreement_name or (f"order {point.order_id}" if point.order_id else "purchase")
    price = format_exact_money(point.unit_price, line.currency)
    quantity = format_quantity(point.quantity)
    return f"{name_line(line)}<br>{price}, {quantity} bought<br>{format_date(point.purchase_date)}: {source}"


def draw_learned_lines(lines: Sequence[AgreementPurchase]) -> None:
    """Draw how many lines the next estimate knows, and a sentence for each that it does not."""
    if not lines:
        return
    known = sum(line.state in ("learned", "same") for line in lines)
    st.caption(f"{known:,} of {format_count(len(lines), 'line')} count as purchases in the next estimate.")
    for line in lines:
        if line.reason is not None:
            st.caption(escape_markdown(f"{line.description} does not count. {line.reason}"))
    if any(line.reason is not None for line in lines):
        st.caption("What is missing is stated under “Lines”: then they count.")


def describe_doubt(line: AgreementPurchase, one: RecordedPurchase) -> str:
    """Return a sentence about a purchase that may be that of a line, as Markdown."""
    return escape_markdown(
        f"{line.description} may be on record twice: {_describe(one)} may be the same. Both count."
    )


def describe_decision(line: AgreementPurchase, decided: DecidedPurchase) -> str:
    """Return a sentence about what was decided of a purchase, as Markdown."""
    answer = "is the same, and counts once" if decided.same else "is another purchase: both count"
    by = f" ({decided.decided_by})" if decided.decided_by else ""
    return escape_markdown(f"{line.description}: {_describe(decided.purchase)} {answer}{by}.")


def _describe(one: RecordedPurchase) -> str:
    order = f"order {one.order_id} of " if one.order_id else "the purchase of "
    return order + format_day(one.purchase_date)
