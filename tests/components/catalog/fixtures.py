"""Catalog records for the examples of the components."""

from app.contract.catalog import Feature, PricingDimension, Product, ProductCompany
from app.contract.pricing import ProductPrices
from tests.components.estimates.fixtures import make_percentiles
from tests.components.fixtures import NOON, make_id


def make_product(number: int = 1, name: str = "Ledger Cloud") -> Product:
    """Return a product with a dimension of each kind and both kinds of dependency."""
    users, sso, seats, tier = (make_id(10 * number + at) for at in range(1, 5))
    fields: list[dict[str, object]] = [
        _make_dimension(
            users,
            "Users",
            {"type": "number", "label": "users", "required": True, "min": 5, "max": 5000, "step": 1},
        ),
        _make_dimension(sso, "Single sign-on", {"type": "checkbox", "label": "included", "required": False}),
        _make_dimension(
            seats,
            "Administrators",
            {"type": "number", "label": "administrators", "required": False, "min": 0, "step": 1},
            {"dependsOnDimensionId": users, "dependency": "quantity"},
        ),
        _make_dimension(
            tier,
            "Directory sync",
            {
                "type": "select",
                "label": "level",
                "required": False,
                "options": [{"label": "Hourly", "value": "1"}, {"label": "Live", "value": "2"}],
            },
            {"dependsOnDimensionId": sso, "dependency": "inclusion"},
        ),
    ]
    return Product(
        id=make_id(number),
        name=name,
        description="Books and ledgers for mid-sized companies.",
        pricing_dimensions=[PricingDimension.model_validate(field) for field in fields],
        included_features=[Feature(id=make_id(90), name="Audit log")],
        last_updated_at=NOON,
        competitors=[],
        company=ProductCompany(
            id=make_id(9), name="Ledgerworks", legal_name="Ledgerworks Ltd", domain="ledgerworks.example"
        ),
        currency="USD",
    )


def _make_dimension(
    ident: str, name: str, field: dict[str, object], depends_on: dict[str, object] | None = None
) -> dict[str, object]:
    return {
        "id": ident,
        "name": name,
        "description": None,
        "priceImpactKnown": True,
        "formField": {"readonly": False, **field},
        "dependsOn": depends_on or {},
    }


def make_product_prices() -> ProductPrices:
    """Return a range of users, one of days, and one of too few purchases."""
    users = {"unit": "user", "recurring": True, "purchases": 214, "own_purchases": 12}
    days = {"unit": "day", "recurring": False, "purchases": 9, "own_purchases": 0}
    evidence = {"first_bought": "2025-03-03", "last_bought": "2026-06-05"}
    ranges = [
        {**users, **evidence, "prices": make_percentiles(42.5).model_dump()},
        {**days, **evidence, "prices": make_percentiles(1_150).model_dump()},
        {
            "unit": "site",
            "recurring": True,
            "purchases": 2,
            "own_purchases": 0,
            "reason": "No price range: fewer than 5 purchases.",
        },
    ]
    return ProductPrices.model_validate(
        {
            "product_id": make_id(1),
            "currency": "USD",
            "timestamp": NOON,
            "purchases_on_record": 240,
            "not_converted": 15,
            "ranges": ranges,
        }
    )
