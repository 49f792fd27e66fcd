"""What moved an estimate, and how strong and recent the evidence is, product by product."""

from decimal import Decimal

import streamlit as st

from app.contract.pricing import PriceExplanation, PriceFactor, ProductExplanation
from components import specimens
from components.counting import counted, day
from components.figure import ACCENT, Figure, draw_figure
from components.plain import plain

_NAMES = {
    "volume": "Volume",
    "term": "Term",
    "renewal": "New or renewal",
    "recency": "Recency",
    "dimensions": "Other dimensions",
}
_LEVELS = {
    "repeat": "purchases of the very same article",
    "product": "purchases of the same product",
    "similar": "purchases of similar products",
    "related": "purchases of related products",
    "coarse": "purchases of the supplier's kind only: treat the range as rough",
}


def draw_price_factors(product: ProductExplanation, *, key: str) -> None:
    """The evidence in a sentence, then each factor's effect."""
    st.markdown(f"**{plain(product.name)}** rests on {plain(level_in_words(product.level))}.")
    st.caption(
        f"{counted(product.purchases, 'purchase')} looked at, worth "
        f"{product.effective_purchases:.1f} equal ones; the most alike {product.best_similarity:.0f} %, "
        f"the newest of {day(product.newest)}."
    )
    moved = _that_moved(product)
    if moved:
        draw_figure(figure(moved), key=key, alt=moved_in_words(product), height=60 + 34 * len(moved))
    else:
        st.caption("Nothing moved it: no difference from the comparables is known to matter for the price.")


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
    explanation = PriceExplanation(
        currency="USD",
        timestamp=specimens.NOON,
        products=[
            ProductExplanation(
                product_id=specimens.identity(1),
                name="Ledger Cloud",
                level="product",
                best_similarity=Decimal(96),
                purchases=214,
                effective_purchases=Decimal("31.4"),
                newest=specimens.NOON.date(),
                unit_price=Decimal(33),
                recurring=True,
                factors=[
                    PriceFactor(name="volume", effect=Decimal("0.93")),
                    PriceFactor(name="term", effect=Decimal("1.021")),
                ],
                comparables=[],
            )
        ],
    )
    draw_price_factors(explanation.products[0], key="example-factors")
