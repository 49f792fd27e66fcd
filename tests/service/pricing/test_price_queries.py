"""What of a product term is priced: quantities that depend on another's, and the months it is bought for."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from pydantic import TypeAdapter

from app.contract.catalog import PricingDimension
from app.contract.scope import DimensionValue, NewProductTerm, NewScopeTerm
from app.service.catalog.rows import (
    checkbox_dimension,
    make_dependent,
    number_dimension,
    quantity_dimension,
)
from app.service.ids import new_id
from app.service.pricing.catalog_product import CatalogProduct
from app.service.pricing.scope_estimate import build_price_query
from app.service.scopes.terms import StoredProductTerm, StoredScopeTerm, check_product_term

PRODUCT, USERS, BACKUP, GUESTS = (new_id() for _ in range(4))
DIMENSIONS = TypeAdapter(list[PricingDimension]).validate_python(
    [
        quantity_dimension(USERS, "user"),
        make_dependent(checkbox_dimension(BACKUP, "Backup", "backup"), USERS, "quantity"),
        make_dependent(number_dimension(GUESTS, "Guests", "guest", minimum=0, step=1), USERS, "quantity"),
    ]
)


OFFICE = CatalogProduct(
    id=PRODUCT,
    name="Office",
    company_id=new_id(),
    company_name="Works",
    company_sample=False,
    family_id=None,
    item_id=None,
    item_key=None,
    brand=None,
    currency="USD",
    default_price=None,
    purchase_count=9,
    dimensions=DIMENSIONS,
    dimension_source={BACKUP: "backup", GUESTS: "guests"},
    quantity_dimension_id=USERS,
)


def term(**values: int) -> NewProductTerm:
    ids = {"users": USERS, "backup": BACKUP, "guests": GUESTS}
    return NewProductTerm(
        product_id=PRODUCT,
        pricing_dimensions=[
            DimensionValue(id=ids[name], value=Decimal(value)) for name, value in values.items()
        ],
    )


@pytest.mark.parametrize(
    ("values", "refused"),
    [
        ({"users": 250, "backup": 1}, []),
        ({"users": 0, "backup": 1}, []),
        ({"users": 250, "guests": 250}, []),
        ({"users": 250, "guests": 251}, ["“Guests” cannot exceed “Number of users” (250)."]),
        ({"users": 250, "backup": 2}, ["“Backup” is a checkbox: 1, or 0."]),
    ],
)
def test_a_number_is_bounded_and_a_checkbox_is_not(values: dict[str, int], refused: list[str]) -> None:
    year = NewScopeTerm(term_length=12, purchase_type="renewal")
    faults = check_product_term(term(**values), {PRODUCT: DIMENSIONS}, [year], "")
    assert [fault.detail.replace(DIMENSIONS[0].name, "Number of users") for fault in faults] == refused


def test_a_year_of_a_term_is_priced_for_its_months_unless_it_has_dates() -> None:
    year = StoredProductTerm.from_request(term(users=250)).with_own_months(12, 24)
    dated = replace(year, start_date=date(2026, 1, 1), end_date=date(2026, 6, 30))
    terms = [StoredScopeTerm(36, "new_purchase")]
    months = [build_price_query(OFFICE, one, terms, "USD").term_months for one in (year, dated)]
    assert months == [12, 6]
    assert StoredProductTerm.from_record(year.to_record()) == year


@pytest.mark.parametrize(("ticked", "backups"), [(1, 250.0), (0, 0.0)])
def test_a_ticked_checkbox_is_priced_for_the_other_quantity(ticked: int, backups: float) -> None:
    query = build_price_query(
        OFFICE,
        StoredProductTerm.from_request(term(users=250, backup=ticked, guests=7)),
        [StoredScopeTerm(12, "new_purchase")],
        "USD",
    )
    assert query.quantity == 250
    assert query.attributes == {"backup": backups, "guests": 7.0}
