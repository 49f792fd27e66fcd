"""The factors of an estimate, and the other prices known of a product."""

from decimal import Decimal

import streamlit as st

from app.contract.money import format_money, format_quantity
from app.contract.pricing import PriceFactor, ProductExplanation, QuotedPrice
from components.elements.figure import ACCENT, Figure, draw_figure
from components.formatting.counts import format_date, format_total_per_unit
from components.formatting.texts import escape_markdown

_FACTOR_NAMES = {
    "volume": "Volume",
    "term": "Term",
    "renewal": "New or renewal",
    "recency": "Recency",
    "dimensions": "Other dimensions",
}


def draw_price_factors(product: ProductExplanation, currency: str, *, key: str) -> None:
    """Draw the other prices in sentences, then the effect of each factor."""
    st.markdown(f"**{escape_markdown(product.name)}**")
    for sentence in describe_context(product, currency):
        st.caption(escape_markdown(sentence))
    factors = _get_effective_factors(product)
    if factors:
        draw_figure(
            make_factors_figure(factors),
            key=key,
            alt=describe_factors(product),
            height=60 + 34 * len(factors),
        )
    else:
        st.caption("No adjustments: no known price driver differs from the comparable purchases.")


def describe_context(product: ProductExplanation, currency: str) -> list[str]:
    """Return sentences on unit price, list price and other quotes."""
    sentences = [f"{describe_unit_prices(product, currency)}."]
    if product.list_price is not None:
        listed = format_product_unit_price(product, product.list_price.unit_price, currency)
        stated = f" ({format_date(product.list_price.stated_on)})" if product.list_price.stated_on else ""
        sentences.append(f"Published list price {listed}{stated}. {product.list_price.reason}")
    if product.quoted:
        quotes = "; ".join(
            f"{format_money(one.unit_price, one.currency)}{_format_other_period(one, product)} for "
            f"{format_quantity(one.quantity)} on {format_date(one.quoted_on)}"
            for one in product.quoted
        )
        sentences.append(
            f"Other quotes that you received, per unit{_format_period(product)} (quoted, not paid): {quotes}."
        )
    return sentences


def describe_unit_prices(product: ProductExplanation, currency: str) -> str:
    """Return `Median USD 12.50 per user and month, quoted at USD 14`."""
    median = f"Median {format_product_unit_price(product, product.unit_price, currency)}"
    if product.quoted_unit_price is None:
        return median
    return f"{median}, quoted at {format_money(product.quoted_unit_price, currency)}"


def format_product_unit_price(product: ProductExplanation, price: Decimal, currency: str) -> str:
    """Return `USD 12.50 per user and month`."""
    return format_total_per_unit(price, Decimal(1), 1 if product.recurring else None, product.unit, currency)


def _format_other_period(quote: QuotedPrice, product: ProductExplanation) -> str:
    """Return what the quoted price is for, where that is not what the estimate is for."""
    if (quote.term_months is not None) == product.recurring:
        return ""
    return ", paid once," if product.recurring else " a month"


def _format_period(product: ProductExplanation) -> str:
    return " and month" if product.recurring else ""


def describe_factors(product: ProductExplanation) -> str:
    """Return `Volume −7.0 %, Term +2.1 %`; "" where no factor has an effect."""
    return ", ".join(
        f"{_get_factor_name(factor)} {_format_effect(factor.effect)}"
        for factor in _get_effective_factors(product)
    )


def _get_effective_factors(product: ProductExplanation) -> list[PriceFactor]:
    return [factor for factor in product.factors if round(factor.effect, 3) != 1]


def make_factors_figure(factors: list[PriceFactor]) -> Figure:
    """Return the chart: a bar for the effect of each factor."""
    shares = [float(factor.effect - 1) * 100 for factor in factors]
    widest = max(abs(share) for share in shares)
    return {
        "data": [
            {
                "type": "bar",
                "orientation": "h",
                "y": [_get_factor_name(factor) for factor in factors],
                "x": shares,
                "text": [_format_effect(factor.effect) for factor in factors],
                "textposition": "outside",
                "cliponaxis": False,
                "marker": {"color": ACCENT},
                "hovertemplate": "%{y}: %{text}<extra></extra>",
            }
        ],
        "layout": {
            "xaxis": {"visible": False, "range": [-widest * 1.6, widest * 1.6], "fixedrange": True},
            "yaxis": {"automargin": True, "autorange": "reversed", "fixedrange": True},
            "bargap": 0.45,
        },
    }


def _get_factor_name(factor: PriceFactor) -> str:
    return _FACTOR_NAMES.get(factor.name, factor.name.replace("_", " "))


def _format_effect(effect: Decimal) -> str:
    share = (effect - 1) * 100
    return f"{'+' if share > 0 else '−'}{abs(share):.1f} %"
