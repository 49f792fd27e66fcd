"""What a product was bought for: a price range for each unit and period, with the purchases behind it."""

from collections.abc import Sequence

import streamlit as st

from app.contract.money import format_money
from app.contract.pricing import Percentiles
from app.contract.product_prices import ProductPrices, UnitPriceRange
from components.elements.empty_state import draw_empty_state
from components.elements.table import draw_table, make_money_column
from components.estimates.price_distribution import draw_price_distribution, draw_quartiles
from components.formatting.counts import format_count, format_date
from components.formatting.escape_markdown import escape_markdown
from components.formatting.percentiles import name_percentile
from components.formatting.unit_price import describe_unit

_COLUMNS = {percent: name_percentile(percent) for percent in (10, 25, 50, 75, 90)}


def draw_price_ranges(prices: ProductPrices, unit: str | None, *, key: str) -> None:
    """Draw the range with the most purchases as figures and a chart, and all of them as a table where there
    are several. `unit` is what the product's quantity counts, for purchases that do not name theirs."""
    main = next((one for one in prices.ranges if one.prices is not None), None)
    if main is None or main.prices is None:
        draw_empty_state("No price range", explain_missing_range(prices), icon="query_stats")
        return
    named = _describe_unit(main, unit)
    st.markdown(f"**{escape_markdown(prices.currency)} {escape_markdown(named)}**")
    draw_quartiles(main.prices, prices.currency)
    draw_price_distribution(main.prices, prices.currency, key=f"{key}-chart", unit=named, height=220)
    st.caption(escape_markdown(describe_range(main, prices.currency)))
    if len(prices.ranges) > 1:
        _draw_table(prices, unit, key)
    for sentence in describe_selection(prices):
        st.caption(escape_markdown(sentence))


def describe_range(one: UnitPriceRange, currency: str) -> str:
    """Return what the range is made from: `Eight in ten of 214 purchases from 3 Mar 2025 to 5 Jun 2026 cost
    between USD 30 and USD 61. All editions and quantities together.`"""
    if one.prices is None:
        return one.reason or ""
    low, high = (format_money(one.prices.at(percent), currency) for percent in (10, 90))
    own = f" ({one.own_purchases:,} of them yours)" if one.own_purchases else ""
    return (
        f"Eight in ten of {format_count(one.purchases, 'purchase')}{own} from "
        f"{format_date(one.first_bought)} to {format_date(one.last_bought)} cost between {low} and {high}. "
        "All editions and quantities together."
    )


def describe_selection(prices: ProductPrices) -> list[str]:
    """Return sentences on purchases on record that are in no range."""
    compared = sum(one.purchases for one in prices.ranges if one.prices is not None)
    if prices.purchases_on_record <= compared:
        return []
    on_record = format_count(prices.purchases_on_record, "purchase")
    sentences = [f"{compared:,} of {on_record} of this product on record are compared."]
    if prices.not_converted:
        sentences.append(
            f"{prices.not_converted:,} were paid in another currency and have no exchange rate to "
            f"{prices.currency}."
        )
    return sentences


def explain_missing_range(prices: ProductPrices) -> str:
    """Return why there is no range at all, and what would help."""
    if not prices.purchases_on_record:
        return "No purchases of this product are on record. Import purchases to see what it was bought for."
    reasons = dict.fromkeys(one.reason for one in prices.ranges if one.reason)
    why = " ".join(reason.removeprefix("No price range: ").capitalize() for reason in reasons)
    on_record = format_count(prices.purchases_on_record, "purchase")
    return " ".join([why, f"On record: {on_record}.", *describe_selection(prices)[1:]]).strip()


def _draw_table(prices: ProductPrices, unit: str | None, key: str) -> None:
    rows = [
        {
            "Price": _describe_unit(one, unit),
            "Purchases": one.purchases,
            "Bought": f"{format_date(one.first_bought)} to {format_date(one.last_bought)}"
            if one.prices
            else None,
            **{name: float(one.prices.at(at)) if one.prices else None for at, name in _COLUMNS.items()},
            "Note": one.reason,
        }
        for one in prices.ranges
    ]
    shown: Sequence[Percentiles] = [one.prices for one in prices.ranges if one.prices]
    amounts = [each.at(at) for each in shown for at in _COLUMNS]
    draw_table(
        rows,
        key=f"{key}-table",
        alt=f"Price ranges by unit and period: {len(rows)}",
        columns={
            "Price": st.column_config.TextColumn(),
            "Purchases": st.column_config.NumberColumn(format="%,d"),
            "Bought": st.column_config.TextColumn(),
            **{name: make_money_column(name, prices.currency, amounts) for name in _COLUMNS.values()},
            "Note": st.column_config.TextColumn(),
        },
    )


def _describe_unit(one: UnitPriceRange, unit: str | None) -> str:
    return describe_unit(one.unit or unit, recurring=one.recurring)
