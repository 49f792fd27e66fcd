"""What moved an estimate, and how strong and recent the evidence is, product by product."""

from decimal import Decimal

import streamlit as st

from app.contract.pricing import PriceFactor, ProductExplanation
from components import pricing_fixtures
from components.elements.figure import ACCENT, Figure, draw_figure
from components.formatting.counts import counted, day
from components.formatting.escape_markdown import plain
from components.formatting.money import quantity
from components.formatting.unit_price import fine, per_unit

_NAMES = {
    "volume": "Volume",
    "term": "Term",
    "renewal": "New or renewal",
    "recency": "Recency",
    "dimensions": "Other dimensions",
}
_LEVELS = {
    "repeat": "purchases of the very same article: this product, edition and unit from this supplier",
    "product": "purchases of this product in other editions, units or wordings",
    "similar": "purchases of similar products, or of its name at other suppliers",
    "related": "purchases of related products",
    "coarse": "purchases of the supplier's kind only: treat the range as rough",
}


def draw_price_factors(product: ProductExplanation, currency: str, *, key: str) -> None:
    """The evidence in sentences, then each factor's effect."""
    st.markdown(f"**{plain(product.name)}** rests on {plain(level_in_words(product.level))}.")
    st.caption(plain(evidence_in_words(product)))
    for sentence in beside_in_words(product, currency):
        st.caption(plain(sentence))
    moved = _that_moved(product)
    if moved:
        draw_figure(figure(moved), key=key, alt=moved_in_words(product), height=60 + 34 * len(moved))
    else:
        st.caption("Nothing moved it: no difference from the comparables is known to matter for the price.")


def evidence_in_words(product: ProductExplanation) -> str:
    """How many purchases, how many of them of the same thing, how old."""
    looked_at = f"{counted(product.purchases, 'purchase')} looked at, the newest of {day(product.newest)}"
    if product.like_for_like is None:
        return f"{looked_at}."
    if not product.like_for_like:
        return f"{looked_at}; none of them is of the same product, edition and unit."
    same = f"{counted(product.like_for_like, 'is', 'are')} of the same product, edition and unit"
    newest = f", the newest of those of {day(product.newest_like_for_like)}"
    return f"{looked_at}; {same}{newest}."


def beside_in_words(product: ProductExplanation, currency: str) -> list[str]:
    """The price of a unit, the list price, what was asked elsewhere, what is not known, how right it was."""
    found = [f"{unit_prices_in_words(product, currency)}."]
    if product.list_price is not None:
        listed = unit_price_in_words(product, product.list_price.unit_price, currency)
        stated = f" ({day(product.list_price.stated_on)})" if product.list_price.stated_on else ""
        found.append(f"Published list price {listed}{stated}. {product.list_price.reason}")
    if product.unknown_dimensions:
        names = ", ".join(one.name for one in product.unknown_dimensions)
        found.append(f"Not stated, though the price depends on it: {names}.")
    if product.quoted:
        asked = "; ".join(
            f"{fine(one.unit_price, one.currency)} for {quantity(one.quantity)} on {day(one.quoted_on)}"
            for one in product.quoted
        )
        found.append(f"Asked of you in other quotes, for a unit{_month(product)} (asked, not paid): {asked}.")
    found.append(accuracy_in_words(product))
    return found


def unit_prices_in_words(product: ProductExplanation, currency: str) -> str:
    """`Median USD 12.50 per user and month, quoted at USD 14`."""
    median = f"Median {unit_price_in_words(product, product.unit_price, currency)}"
    if product.quoted_unit_price is None:
        return median
    return f"{median}, quoted at {fine(product.quoted_unit_price, currency)}"


def unit_price_in_words(product: ProductExplanation, price: Decimal, currency: str) -> str:
    """`USD 12.50 per user and month`."""
    return per_unit(price, Decimal(1), 1 if product.recurring else None, product.unit, currency)


def _month(product: ProductExplanation) -> str:
    return " and month" if product.recurring else ""


_BASES = {
    "supplier": "of this supplier",
    "level": "that rest on such purchases",
    "all": "of this deployment",
}


def accuracy_in_words(product: ProductExplanation) -> str:
    """How right such estimates were, with what that rests on."""
    accuracy = product.accuracy
    if accuracy is None or accuracy.mdape is None or accuracy.coverage80 is None:
        return "How right such estimates are has not been measured yet."
    data = " (sample data)" if product.sample else ""
    return (
        f"Estimates {_BASES.get(accuracy.basis, accuracy.basis)}{data} were off by "
        f"{100 * accuracy.mdape:.0f} % in the middle, held against {counted(accuracy.n, 'past price')}; "
        f"the interval of 80 % held {100 * accuracy.coverage80:.0f} %."
    )


def level_in_words(level: str) -> str:
    """What a product's price rests on."""
    return _LEVELS.get(level, level)


def moved_in_words(product: ProductExplanation) -> str:
    """`Volume −7.0 %, Term +2.1 %`; empty where nothing moved the price."""
    return ", ".join(f"{_name(factor)} {_percent(factor.effect)}" for factor in _that_moved(product))


def _that_moved(product: ProductExplanation) -> list[PriceFactor]:
    return [factor for factor in product.factors if round(factor.effect, 3) != 1]


def figure(factors: list[PriceFactor]) -> Figure:
    """A bar for each factor around no effect."""
    shares = [float(factor.effect - 1) * 100 for factor in factors]
    widest = max(abs(share) for share in shares)
    return {
        "data": [
            {
                "type": "bar",
                "orientation": "h",
                "y": [_name(factor) for factor in factors],
                "x": shares,
                "text": [_percent(factor.effect) for factor in factors],
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


def _name(factor: PriceFactor) -> str:
    return _NAMES.get(factor.name, factor.name.replace("_", " "))


def _percent(effect: Decimal) -> str:
    share = (effect - 1) * 100
    return f"{'+' if share > 0 else '−'}{abs(share):.1f} %"


def example() -> None:
    draw_price_factors(pricing_fixtures.product_explanation(), "USD", key="example-factors")
