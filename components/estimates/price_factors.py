"""The factors of an estimate, and how strong and recent its evidence is, product by product."""

from datetime import datetime
from decimal import Decimal

import streamlit as st

from app.contract.comparability import find_far_quantity, is_too_old
from app.contract.money import format_money, format_quantity
from app.contract.pricing import PriceFactor, ProductExplanation, QuotedPrice
from components.elements.figure import ACCENT, Figure, draw_figure
from components.formatting.counts import format_count, format_date, format_total_per_unit
from components.formatting.texts import escape_markdown

FEW_LEARNT = 50
"""With fewer purchases ranges were measured to hold too few prices, or too many."""

_FACTOR_NAMES = {
    "volume": "Volume",
    "term": "Term",
    "renewal": "New or renewal",
    "recency": "Recency",
    "dimensions": "Other dimensions",
}
_LEVEL_NAMES = {
    "repeat": "like-for-like purchases: this product, edition and unit from this supplier",
    "product": "purchases of this product in other editions or units, or under other names",
    "similar": "purchases of similar products, or of products of this name from other suppliers",
    "related": "purchases of related products",
    "coarse": "purchases from suppliers of the same kind only; treat the range as a rough guide",
}


def draw_price_factors(
    product: ProductExplanation, currency: str, asked_at: datetime | None, *, key: str
) -> None:
    """Draw the evidence in sentences, then the effect of each factor. `asked_at` is when it was
    estimated, None where the service does not say."""
    st.markdown(
        f"**{escape_markdown(product.name)}** is based on {escape_markdown(describe_level(product.level))}."
    )
    st.caption(escape_markdown(describe_evidence(product)))
    for sentence in describe_context(product, currency, asked_at):
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


def describe_evidence(product: ProductExplanation) -> str:
    """Return how many purchases there are, how many of them are like for like, and the newest date of
    each."""
    considered = (
        f"{format_count(product.purchases, 'purchase')} considered, the newest from "
        f"{format_date(product.newest)}"
    )
    if product.like_for_like is None:
        return f"{considered}."
    if not product.like_for_like:
        return f"{considered}; none of them is of the same product, edition and unit."
    same = f"{format_count(product.like_for_like, 'is', 'are')} of the same product, edition and unit"
    newest = f", the newest of them from {format_date(product.newest_like_for_like)}"
    return f"{considered}; {same}{newest}."


def describe_context(product: ProductExplanation, currency: str, asked_at: datetime | None) -> list[str]:
    """Return sentences on unit price, list price, unknown dimensions, other quotes, why the range is wide,
    and past accuracy."""
    sentences = [f"{describe_unit_prices(product, currency)}."]
    if product.list_price is not None:
        listed = format_product_unit_price(product, product.list_price.unit_price, currency)
        stated = f" ({format_date(product.list_price.stated_on)})" if product.list_price.stated_on else ""
        sentences.append(f"Published list price {listed}{stated}. {product.list_price.reason}")
    if product.unknown_dimensions:
        names = ", ".join(one.name for one in product.unknown_dimensions)
        sentences.append(f"Not stated, although the price depends on it: {names}.")
    if product.quoted:
        quotes = "; ".join(
            f"{format_money(one.unit_price, one.currency)}{_format_other_period(one, product)} for "
            f"{format_quantity(one.quantity)} on {format_date(one.quoted_on)}"
            for one in product.quoted
        )
        sentences.append(
            f"Other quotes that you received, per unit{_format_period(product)} (quoted, not paid): {quotes}."
        )
    if product.widening is not None:
        sentences.append(product.widening.reason)
    return [*sentences, *describe_warnings(product, asked_at), describe_accuracy(product)]


SAMPLE_PURCHASES = "The purchases behind it are sample data: they are generated, and describe no real market."


def describe_warnings(product: ProductExplanation, asked_at: datetime | None) -> list[str]:
    """Return why the range says less than it seems to: it is of sample data, little was learnt, all purchases
    are old, or they were of quite other quantities."""
    said = (
        SAMPLE_PURCHASES if product.sample else None,
        _describe_few_learnt(product),
        _describe_age(product, asked_at),
        _describe_quantity(product),
    )
    return [one for one in said if one]


def _describe_quantity(product: ProductExplanation) -> str | None:
    asked, bought = product.quantity, [one.quantity for one in product.comparables if not one.other_pack]
    if not asked or (nearest := find_far_quantity(asked, bought)) is None:
        return None
    least = "at most" if asked > nearest else "at least"
    return (
        f"The comparable purchases were of {least} {format_quantity(nearest)}: what a unit costs at a "
        f"quantity of {format_quantity(asked)} is not known, and the range does not allow for it."
    )


def _describe_age(product: ProductExplanation, asked_at: datetime | None) -> str | None:
    if asked_at is None or not is_too_old(product.newest, asked_at.date()):
        return None
    return (
        f"The newest comparable purchase is from {format_date(product.newest)}: how prices have changed "
        "since then is not known, and the range does not allow for it."
    )


def _describe_few_learnt(product: ProductExplanation) -> str | None:
    if product.learnt_on is None or product.learnt_on >= FEW_LEARNT:
        return None
    if product.learnt_on:
        return (
            f"Only {product.learnt_on} past purchases were learnt from: how much each of them counts, and "
            "how sure the range is, rests on little."
        )
    return (
        "Nothing was learnt from past purchases yet: how much each of them counts is built in, and how sure "
        "the range is was never checked. Parley learns from purchases that every organisation here sees, "
        "from ten on, a minute after their import; the estimate can then change a lot. What your "
        "organisation imports for itself, as the Import page does, stays yours: what it paid is learnt from "
        "at once, for your organisation alone, from ten comparable purchases on."
    )


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


_ACCURACY_BASES = {
    "supplier": "for this supplier",
    "level": "based on such purchases",
    "all": "in this workspace",
}


def describe_accuracy(product: ProductExplanation) -> str:
    """Return how accurate such estimates were, and what that was measured on."""
    accuracy = product.accuracy
    if accuracy is None or accuracy.mdape is None or accuracy.coverage80 is None:
        return "The accuracy of such estimates has not been measured yet."
    data = " (sample data)" if product.sample else ""
    return (
        f"Estimates {_ACCURACY_BASES.get(accuracy.basis, accuracy.basis)}{data} had a median error of "
        f"{100 * accuracy.mdape:.0f} % over {format_count(accuracy.n, 'past price')}; our 80 % range "
        f"contained {100 * accuracy.coverage80:.0f} % of actual prices."
    )


def describe_level(level: str) -> str:
    """Return what kind of purchases an estimate is based on."""
    return _LEVEL_NAMES.get(level, level)


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
