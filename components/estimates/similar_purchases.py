"""The purchases behind an estimate: a table in which some can be left out, and a chart of price over
quantity."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from app.contract.catalog import LearningDataSample
from app.contract.money import format_money, format_quantity
from app.contract.pricing import PriceComparable, PriceExplanation, SimilarPurchase
from components.elements.figure import (
    BAD,
    Figure,
    PlotlyObject,
    draw_figure,
    make_money_axis,
    make_number_axis,
    make_trace,
    to_rgba,
)
from components.elements.table import Row, draw_table, drop_empty_columns, edit_table, make_money_column
from components.estimates.scope_comparison import assign_colours, join_product_names
from components.formatting import format_count, format_date, shorten_text

_LEGEND_LENGTH = 40
"""Characters of a product name in the legend."""


def index_comparables(explanation: PriceExplanation | None) -> dict[str, PriceComparable]:
    """Return the purchases behind an estimate by their ids."""
    products = explanation.products if explanation else []
    return {purchase.id: purchase for product in products for purchase in product.comparables}


def draw_similar_purchases(
    purchases: Sequence[SimilarPurchase],
    currency: str,
    *,
    key: str,
    can_leave_out: bool = False,
    comparables: Mapping[str, PriceComparable] | None = None,
) -> frozenset[str]:
    """Draw the purchases and return the ids of those that the reader leaves out. Leaving out is only offered
    with `can_leave_out`, where it changes something. `comparables` adds details to some purchases, by id."""
    if not purchases:
        st.caption("Similar purchases are not shown: fewer than five are on record.")
        return frozenset()
    rows = [_make_row(purchase, (comparables or {}).get(purchase.id)) for purchase in purchases]
    columns = _make_columns(currency, purchases)
    columns = drop_empty_columns(columns, rows)
    if not can_leave_out:
        draw_table(rows, key=key, alt="Similar purchases, most similar first", columns=columns)
        return frozenset()
    count_column = {
        "Count": st.column_config.CheckboxColumn("Include", help="Untick to leave a purchase out")
    }
    edited = edit_table(
        [{"Count": True, **row} for row in rows],
        key=key,
        alt="Similar purchases, most similar first; untick one to leave it out",
        columns={**count_column, **columns},
        editable=["Count"],
    )
    return frozenset(purchase.id for purchase, row in zip(purchases, edited, strict=True) if not row["Count"])


def _make_row(purchase: SimilarPurchase, comparable: PriceComparable | None) -> Row:
    discount = comparable.discount if comparable else None
    return {
        "Similarity": int(purchase.similarity_rate),
        "Relation": describe_relation(comparable) if comparable else None,
        "Bought": format_date(purchase.start_date),
        "Supplier": comparable.supplier if comparable else None,
        "Products": ", ".join(purchase.product_names),
        "Edition": describe_edition(comparable) or None if comparable else None,
        "Quantity": float(purchase.primary_dimension_value),
        "Unit": comparable.unit if comparable else None,
        "Term": int(purchase.term_months) or None,
        "Price": float(purchase.negotiated_price),
        "Paid": format_paid_price(comparable) or None if comparable else None,
        "Off list": float(discount) if discount is not None else None,
        "Paid in": comparable.converted_from if comparable else None,
    }


_RELATIONS = {
    "same_article": "like for like",
    "same_product": "same product, other edition or unit",
    "similar": "similar",
    "other": "other",
}


def describe_relation(one: PriceComparable) -> str:
    """Return `like for like, yours`."""
    relation = _RELATIONS.get(one.relation or "", one.relation or "")
    words = (relation, "another pack" if one.other_pack else "", "yours" if one.own else "")
    return ", ".join(word for word in words if word)


def describe_edition(one: PriceComparable) -> str:
    """Return `Edition Professional, Region EU`."""
    return ", ".join(f"{name} {value}" for name, value in one.attributes.items())


def format_paid_price(one: PriceComparable) -> str:
    """Return the price per unit and period as it was paid: `USD 12.50 per user and month`."""
    if one.paid is None:
        return ""
    period = {"month": " and month", "year": " and year", "term": " for the term"}.get(
        one.price_period or "", ""
    )
    return f"{format_money(one.paid, one.paid_currency or '')} per {one.unit or 'unit'}{period}"


def _make_columns(currency: str, purchases: Sequence[SimilarPurchase]) -> dict[str, ColumnConfig]:
    dimension = purchases[0].primary_dimension_name
    return {
        "Similarity": st.column_config.ProgressColumn(
            format="%d %%", min_value=0, max_value=100, width="small", help="In percent"
        ),
        "Relation": st.column_config.TextColumn(
            width="small", help="How close the purchase is to your product"
        ),
        "Bought": st.column_config.TextColumn("Date", width="small"),
        "Supplier": st.column_config.TextColumn(width="small"),
        "Products": st.column_config.TextColumn(width="small"),
        "Edition": st.column_config.TextColumn(width="medium", help="Edition and other dimensions"),
        "Quantity": st.column_config.NumberColumn(dimension, format="localized"),
        "Unit": st.column_config.TextColumn(width="small"),
        "Term": st.column_config.NumberColumn("Months", format="%d"),
        "Price": make_money_column("Price", currency, (one.negotiated_price for one in purchases)),
        "Paid": st.column_config.TextColumn("Per unit and period", width="medium", help="The price as paid"),
        "Off list": st.column_config.NumberColumn("Discount", format="%.0f %%", help="Off the list price"),
        "Paid in": st.column_config.TextColumn(
            help="Paid in another currency and converted at the rate of the day"
        ),
    }


def draw_price_against_quantity(
    purchases: Sequence[LearningDataSample],
    currency: str,
    *,
    key: str,
    quote: tuple[Decimal, Decimal] | None = None,
) -> None:
    """Draw a chart of price over quantity: a larger mark for a more similar purchase. `quote` is the quoted
    quantity and price."""
    if purchases:
        draw_figure(
            make_purchase_figure(purchases, currency, quote),
            key=key,
            alt=describe_purchases(purchases, currency),
            height=320,
        )


def describe_purchases(purchases: Sequence[LearningDataSample], currency: str) -> str:
    """Return a description of the chart for readers who cannot see it."""
    prices = sorted(one.negotiated_price for one in purchases)
    low, high = (format_money(price, currency) for price in (prices[0], prices[-1]))
    return f"{format_count(len(purchases), 'purchase')} from {low} to {high}, price against quantity"


def make_purchase_figure(
    purchases: Sequence[LearningDataSample], currency: str, quote: tuple[Decimal, Decimal] | None = None
) -> Figure:
    """Return the chart. An axis is logarithmic where its values span orders of magnitude."""
    quantities = [float(purchase.primary_dimension_value) for purchase in purchases]
    prices = [float(purchase.negotiated_price) for purchase in purchases]
    units = {purchase.primary_dimension_name for purchase in purchases}
    colours = assign_colours(purchases)
    several = len(colours) > 1
    data: list[PlotlyObject] = [
        _make_points(
            [purchase for purchase in purchases if join_product_names(purchase) == names],
            currency,
            colour,
            shorten_text(names, _LEGEND_LENGTH) if several else None,
        )
        for names, colour in colours.items()
    ]
    if quote is not None:
        quantities, prices = [*quantities, float(quote[0])], [*prices, float(quote[1])]
        data.append(
            make_trace(
                [quote[0]],
                [quote[1]],
                [f"The quote: {format_money(quote[1], currency)}"],
                mode="markers",
                showlegend=False,
                marker={"symbol": "diamond", "size": 15, "color": BAD},
            )
        )
    unit = units.pop() if len(units) == 1 else "Quantity"
    return {
        "data": data,
        "layout": {
            "xaxis": {"title": {"text": unit}, **make_number_axis(quantities)},
            "yaxis": make_number_axis(prices) | make_money_axis(currency, "Price"),
            "showlegend": several,
            "legend": {"orientation": "h", "yanchor": "bottom", "y": 1, "x": 0},
        },
    }


def _make_points(
    purchases: Sequence[LearningDataSample], currency: str, colour: str, name: str | None
) -> PlotlyObject:
    return make_trace(
        [purchase.primary_dimension_value for purchase in purchases],
        [purchase.negotiated_price for purchase in purchases],
        [_format_hover(purchase, currency) for purchase in purchases],
        mode="markers",
        name=_escape_html(name or ""),
        marker={
            "size": [6 + float(getattr(one, "similarity_rate", 25)) / 6 for one in purchases],
            "color": to_rgba(colour, 0.55),
            "line": {"color": colour, "width": 1},
        },
    )


def _format_hover(purchase: LearningDataSample, currency: str) -> str:
    term = f", {format_quantity(purchase.term_months)} months" if purchase.term_months else ""
    alike = f", {purchase.similarity_rate:.0f} % similar" if isinstance(purchase, SimilarPurchase) else ""
    return (
        f"{format_money(purchase.negotiated_price, currency)} for "
        f"{format_quantity(purchase.primary_dimension_value)} "
        f"{_escape_html(purchase.primary_dimension_name)}{term}<br>"
        f"{_escape_html(join_product_names(purchase))}<br>{format_date(purchase.start_date)}{alike}"
    )


def _escape_html(words: str) -> str:
    """Plotly reads a few HTML tags in hover texts: escape texts from elsewhere."""
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
