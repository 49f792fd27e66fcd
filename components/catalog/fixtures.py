"""Catalog records for the examples of the components."""

from app.contract.catalog import Feature, PricingDimension, Product, ProductCompany
from components.fixtures import NOON, make_id


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
