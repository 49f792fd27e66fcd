"""The evidence report is one page of its own: what it says, and that nothing in it runs."""

from datetime import UTC, datetime
from decimal import Decimal

from app.contract.pricing import PERCENTILES, AdvancedEstimate
from app.contract.scope import Scope
from app.dashboard.evidence_report import MOST_PURCHASES, as_report

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)
ID = "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"


def report(quote: float | None, purchases: int = 1) -> str:
    scope = Scope.model_validate(
        {
            "id": ID,
            "source": "manual",
            "createdOn": NOW.isoformat(),
            "scopeTerms": [{"termLength": 12, "purchaseType": "renewal"}],
            "productTerms": [
                {
                    "productId": ID,
                    "productName": "<script>Suite</script>",
                    "pricingDimensions": [],
                    "includedFeatures": [],
                }
            ],
        }
    )
    percentiles = {f"percentile{percent}": 10 * percent for percent in PERCENTILES}
    estimate = AdvancedEstimate.model_validate(
        {
            "estimate": percentiles,
            "productEstimates": [],
            "currency": "USD",
            "timestamp": NOW.isoformat(),
            "realPurchaseCount": [],
            "realSimilarPurchases": [
                {
                    "id": ID,
                    "startDate": NOW.isoformat(),
                    "termMonths": 12,
                    "negotiatedPrice": 480 + at,
                    "productNames": ["Suite"],
                    "primaryDimensionName": "Users",
                    "primaryDimensionValue": 10,
                    "numberOfOtherDimensions": 0,
                    "similarityRate": 97,
                }
                for at in range(purchases)
            ],
        }
    )
    return as_report([(scope, estimate)], {ID: quote}, NOW).decode()


def test_the_quote_is_held_against_the_median() -> None:
    said = report(612.5)
    assert "Quote: USD 612.50, USD 112.50 above the median; a quarter pay at most USD 250.00." in said
    assert "Quote" not in report(None)


def test_a_page_has_room_for_the_most_alike() -> None:
    said = report(None, MOST_PURCHASES + 3)
    assert f"the {MOST_PURCHASES} most alike of {MOST_PURCHASES + 3}" in said
    assert said.count("2026-03-05") == MOST_PURCHASES
    assert f"USD {Decimal(480 + MOST_PURCHASES):,.2f}" not in said


def test_nothing_in_it_runs_or_is_fetched() -> None:
    said = report(1)
    assert "<script" not in said
    assert "&lt;script&gt;Suite" in said
    assert "http" not in said
