"""A small catalog: two suppliers that compete, one discontinued, in a two-level tree."""

from dataclasses import dataclass
from datetime import UTC, date, datetime

import pytest
from sqlalchemy import insert

from app.service.catalog.denormalise import rebuild_categories, rebuild_records
from app.service.catalog.entries import category_row, company_row, family_row, product_row
from app.service.catalog.rows import (
    checkbox_dimension,
    make_dependent,
    quantity_dimension,
    select_dimension,
    set_impact_known,
)
from app.service.context import Context
from app.service.database.tables import article, category, company, product, product_family, purchase
from app.service.ids import build_purchase_id, new_id

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


@dataclass(frozen=True)
class SmallCatalog:
    """Ids of what was written."""

    parent: str
    child: str
    acme: str
    zenith: str
    suite: str
    seats: str
    storage: str
    competing_product: str


@pytest.fixture
def small(context: Context) -> SmallCatalog:
    ids = SmallCatalog(*(new_id() for _ in SmallCatalog.__dataclass_fields__))
    quantity, edition, support = new_id(), new_id(), new_id()
    dimensions = [
        set_impact_known(quantity_dimension(quantity, "user"), True),
        select_dimension(edition, "Edition", "edition", ["Basic", "Plus"], required=True, default="Plus"),
        make_dependent(checkbox_dimension(support, "Support", "support"), quantity, "inclusion"),
    ]
    parent = category_row(ids.parent, "Software", NOW, description="Programs")
    child = category_row(ids.child, "Office", NOW, parent_id=ids.parent)
    acme = company_row(
        ids.acme,
        "Äcme 100% GmbH",
        NOW,
        legal_name="Äcme 100% Gesellschaft mbH",
        domain="acme.example",
        category=child,
        details={
            "description": "Office software.",
            "url": "https://acme.example",
            "icon": "https://acme.example/icon.png",
            "fiscalYearEnd": "--01-31",
            "stockSymbols": [{"symbol": "ACM", "exchange": "XETR"}],
            "competitorIds": [ids.zenith],
        },
    )
    zenith = company_row(
        ids.zenith,
        "Zenith_Soft",
        NOW,
        domain="zenith.example",
        discontinued=True,
        details={"description": "Old."},
    )
    products = [
        product_row(
            ids.seats,
            acme,
            "Seats",
            NOW,
            sort_order=0,
            dimensions=dimensions,
            quantity_dimension_id=quantity,
            family_id=ids.suite,
            item_id="AC-1",
            currency="EUR",
            default_price=12.5,
            features=[{"id": new_id(), "name": "SSO", "description": "Single sign-on"}],
            sources={edition: "edition"},
            details={
                "description": "A seat.",
                "url": "https://acme.example/seats",
                "icon": "https://acme.example/seats.png",
                "competitorIds": [ids.competing_product],
            },
        )
        | {"purchase_count": 6},
        product_row(
            ids.storage,
            acme,
            "Archive",
            NOW,
            sort_order=1,
            dimensions=[quantity_dimension(new_id(), None)],
            quantity_dimension_id="",
            details={"description": ""},
        ),
        product_row(
            ids.competing_product,
            zenith,
            "Chairs",
            NOW,
            sort_order=0,
            dimensions=[quantity_dimension(new_id(), "chair")],
            quantity_dimension_id="",
            currency="EUR",
            default_price=9.0,
            details={
                "description": "Chairs.",
                "url": "https://zenith.example/chairs",
                "icon": "https://z.example/i",
            },
        ),
    ]
    bought = [
        {
            "id": build_purchase_id(number),
            "article_id": 1,
            "purchase_date": date(2024 + number % 3, 5, 1),
            "currency": "EUR",
            "quantity": 10.0 + number,
            "unit_price": 1.25,
            "price_period": "month",
            "term_months": 12,
            "attributes": {"edition": "Plus", "free text": "x"},
        }
        for number in range(6)
    ]
    with context.database.writing() as connection:
        connection.execute(insert(category), [parent, child])
        connection.execute(insert(company), [acme, zenith])
        connection.execute(insert(product_family), [family_row(ids.suite, ids.acme, "Suite", 0, NOW)])
        connection.execute(insert(product), products)
        connection.execute(
            insert(article), [{"id": 1, "product_id": ids.seats, "text": "Seats", "digest": "d"}]
        )
        connection.execute(insert(purchase), bought)
        rebuild_categories(connection, NOW)
        rebuild_records(connection, [ids.acme, ids.zenith], NOW)
    return ids
