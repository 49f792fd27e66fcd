"""What an example shows of an estimate's evidence."""

from datetime import timedelta
from decimal import Decimal

from app.contract.pricing import (
    Accuracy,
    ListPrice,
    PriceComparable,
    PriceExplanation,
    PriceFactor,
    PriceVerdict,
    ProductExplanation,
    QuotedPrice,
)
from app.contract.scope import Coverage, UncoveredLine
from components import fixtures


def verdict(word: str = "negotiate", *reasons: str) -> PriceVerdict:
    """A verdict on USD 52,400; a withheld one has no target."""
    target = None if word == "withheld" else Decimal(43_263)
    return PriceVerdict(
        word=word,
        reasons=list(reasons or ("About 62 in a hundred such purchases cost less: a usual price.",)),
        basis="whole",
        judged_amount=Decimal(52_400),
        target=target,
        to_target=None if target is None else Decimal(52_400) - target,
        median=None if target is None else Decimal(48_000),
    )


def coverage() -> Coverage:
    """Of a quote of two lines, of which one is covered."""
    return Coverage(
        share=Decimal("0.94"),
        covered_amount=Decimal(52_400),
        quoted_amount=Decimal(55_900),
        lines=2,
        lines_covered=1,
        uncovered=[UncoveredLine(description="Onboarding", amount=Decimal(3_500), why="It is no product.")],
    )


def comparable(number: int = 0) -> PriceComparable:
    """One of the specimens' similar purchases, in full."""
    return PriceComparable(
        id=fixtures.identity(500 + number),
        purchase_date=fixtures.NOON.date() - timedelta(days=40 * number),
        quantity=Decimal(80 + 12 * number),
        term_months=Decimal(12),
        unit_price=Decimal("33.40"),
        weight=Decimal("0.08"),
        similarity=Decimal(96),
        parts={"product": Decimal(100)},
        relation="same_article" if number % 3 else "same_product",
        own=number == 1,
        supplier="Ledgerworks",
        product_name="Ledger Cloud",
        attributes={"Edition": "Professional" if number % 3 else "Starter"},
        unit="user",
        paid=Decimal("33.40"),
        paid_currency="USD",
        price_period="month",
    )


def product_explanation() -> ProductExplanation:
    """Of the specimens' first product."""
    return ProductExplanation(
        product_id=fixtures.identity(1),
        name="Ledger Cloud",
        level="repeat",
        best_similarity=Decimal(96),
        purchases=214,
        effective_purchases=Decimal("31.4"),
        newest=fixtures.NOON.date(),
        unit_price=Decimal("33.33"),
        recurring=True,
        factors=[
            PriceFactor(name="volume", effect=Decimal("0.93")),
            PriceFactor(name="term", effect=Decimal("1.021")),
        ],
        comparables=[comparable(number) for number in range(12)],
        like_for_like=8,
        newest_like_for_like=fixtures.NOON.date(),
        unit="user",
        quantity=Decimal(120),
        months=Decimal(12),
        quoted_amount=Decimal(52_400),
        quoted_unit_price=Decimal("36.39"),
        list_price=ListPrice(
            unit_price=Decimal(45),
            total=Decimal(64_800),
            stated_on=fixtures.NOON.date(),
            source="purchase",
            reason="The median paid is 26% below it, as past purchases were.",
        ),
        quoted=[
            QuotedPrice(
                scope_id=fixtures.identity(71),
                quoted_on=fixtures.NOON.date(),
                quantity=Decimal(100),
                term_months=Decimal(12),
                amount=Decimal(45_000),
                unit_price=Decimal("37.50"),
                currency="USD",
            )
        ],
        accuracy=Accuracy(basis="level", n=240, mdape=Decimal("0.06"), coverage80=Decimal("0.81")),
        verdict=verdict(),
    )


def explanation(word: str = "negotiate", *reasons: str) -> PriceExplanation:
    """With a verdict on the quote."""
    return PriceExplanation(
        currency="USD",
        timestamp=fixtures.NOON,
        products=[product_explanation()],
        coverage=coverage(),
        verdict=verdict(word, *reasons),
    )
