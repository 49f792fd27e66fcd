"""Estimates with their evidence for the examples of the components."""

from datetime import timedelta
from decimal import Decimal

from app.contract.pricing import (
    PERCENTILES,
    Accuracy,
    AdvancedEstimate,
    CompanyPurchaseCount,
    ListPrice,
    NextStep,
    Percentiles,
    PriceComparable,
    PriceExplanation,
    PriceFactor,
    PriceVerdict,
    ProductEstimate,
    ProductExplanation,
    QuotedPrice,
    SimilarPurchase,
    Widening,
)
from app.contract.scope import Coverage, UncoveredLine
from tests.components.fixtures import NOON, make_id


def make_percentiles(median: float = 48_000, step: float = 0.021) -> Percentiles:
    """Return a plausible estimate around `median`, each percentile `step` above the one before."""
    values = {
        f"percentile{percent}": Decimal(round(median * (1 + step) ** ((percent - 50) / 5), 2)).quantize(
            Decimal("0.01")
        )
        for percent in PERCENTILES
    }
    return Percentiles.model_validate(values)


def make_similar_purchases(number: int = 12) -> list[SimilarPurchase]:
    """Return past purchases, the most similar first."""
    return [
        SimilarPurchase(
            id=make_id(500 + at),
            start_date=f"{(NOON - timedelta(days=40 * at)).date()}",
            term_months=Decimal(12 if at % 3 else 36),
            negotiated_price=Decimal(41_000 + 1_700 * ((at * 7) % 11)),
            product_names=["Ledger Cloud"] if at % 4 else ["Ledger Cloud", "Support"],
            primary_dimension_name="Users",
            primary_dimension_value=Decimal(80 + 12 * ((at * 5) % 9)),
            number_of_other_dimensions=at % 3,
            similarity_rate=Decimal(96 - 3 * at),
        )
        for at in range(number)
    ]


def make_advanced_estimate() -> AdvancedEstimate:
    """Return an estimate of one product, and of another without comparable purchases."""
    return AdvancedEstimate(
        estimate=make_percentiles(),
        product_estimates=[
            ProductEstimate(
                status="success",
                defaulted=False,
                name="Ledger Cloud",
                product_id=make_id(1),
                estimate=make_percentiles(),
            ),
            ProductEstimate(
                status="error",
                defaulted=False,
                name="Support",
                product_id=make_id(2),
                code="pricing_failed",
                message="No comparable purchase in USD.",
            ),
        ],
        currency="USD",
        timestamp=NOON,
        real_purchase_count=[
            CompanyPurchaseCount(company_id=make_id(9), company_name="Ledgerworks", real_purchase_count=214)
        ],
        real_similar_purchases=make_similar_purchases(),
    )


LEVELS = {"accept": "low", "consider": "usual", "negotiate": "high"}
STEPS = {
    "accept": NextStep(action="accept", amount=Decimal(52_400)),
    "consider": NextStep(action="ask", amount=Decimal(41_000)),
    "negotiate": NextStep(action="ask", amount=Decimal(41_000)),
}


def make_verdict(word: str = "negotiate", *reasons: str) -> PriceVerdict:
    """Return a verdict on USD 52,400; a withheld one has no target."""
    target = None if word == "withheld" else Decimal(43_263)
    return PriceVerdict(
        word=word,
        price_level=LEVELS.get(word),
        reasons=list(reasons or ("A high price: about 84 % of comparable purchases cost less.",)),
        basis="whole",
        judged_amount=Decimal(52_400),
        target=target,
        to_target=None if target is None else Decimal(52_400) - target,
        median=None if target is None else Decimal(48_000),
        next_step=STEPS.get(word, NextStep(action="compare")),
    )


def make_coverage() -> Coverage:
    """Return the coverage of a quote of two lines, one of which is covered."""
    return Coverage(
        share=Decimal("0.94"),
        covered_amount=Decimal(52_400),
        quoted_amount=Decimal(55_900),
        lines=2,
        lines_covered=1,
        uncovered=[
            UncoveredLine(description="Onboarding", amount=Decimal(3_500), why="It is not a product.")
        ],
    )


def make_comparable(number: int = 0) -> PriceComparable:
    """Return one of the similar purchases with all details."""
    return PriceComparable(
        id=make_id(500 + number),
        purchase_date=NOON.date() - timedelta(days=40 * number),
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


def make_product_explanation() -> ProductExplanation:
    """Return the explanation of the first product."""
    return ProductExplanation(
        product_id=make_id(1),
        name="Ledger Cloud",
        level="repeat",
        best_similarity=Decimal(96),
        purchases=214,
        effective_purchases=Decimal("31.4"),
        newest=NOON.date(),
        unit_price=Decimal("33.33"),
        recurring=True,
        factors=[
            PriceFactor(name="volume", effect=Decimal("0.93")),
            PriceFactor(name="term", effect=Decimal("1.021")),
        ],
        comparables=[make_comparable(number) for number in range(12)],
        like_for_like=8,
        newest_like_for_like=NOON.date(),
        unit="user",
        quantity=Decimal(120),
        months=Decimal(12),
        quoted_amount=Decimal(52_400),
        quoted_unit_price=Decimal("36.39"),
        list_price=ListPrice(
            unit_price=Decimal(45),
            total=Decimal(64_800),
            stated_on=NOON.date(),
            source="purchase",
            reason="The median price paid is 26 % below it.",
        ),
        quoted=[
            QuotedPrice(
                scope_id=make_id(71),
                quoted_on=NOON.date(),
                quantity=Decimal(100),
                term_months=Decimal(12),
                amount=Decimal(45_000),
                unit_price=Decimal("37.50"),
                currency="USD",
            )
        ],
        widening=Widening(
            newness="new_supplier",
            by=Decimal("0.14"),
            reason="No comparable purchase is from this supplier: the range was widened by 14 %.",
        ),
        accuracy=Accuracy(basis="level", n=240, mdape=Decimal("0.06"), coverage80=Decimal("0.81")),
        verdict=make_verdict(),
    )


def make_explanation(word: str = "negotiate", *reasons: str) -> PriceExplanation:
    """Return an explanation with a verdict on the quote."""
    return PriceExplanation(
        currency="USD",
        timestamp=NOON,
        products=[make_product_explanation()],
        coverage=make_coverage(),
        verdict=make_verdict(word, *reasons),
    )
