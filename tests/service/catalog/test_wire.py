"""Stored wire records against the contract."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.contract.catalog import Category, Company, CompanyInList, Product, ProductFamily, ProductInList
from app.service.catalog.denormalise import rebuild_records
from app.service.catalog.purchase_recount import update_purchase_counts
from app.service.catalog.wire import to_json_amount
from app.service.context import Context
from app.service.database.tables import product
from app.service.pricing.estimate_availability import update_estimate_availability
from tests.service.catalog.conformance import assert_conforms
from tests.service.catalog.conftest import NOW, SmallCatalog


def _get(api: Any, path: str) -> Any:
    answer = api.get(f"/v1/catalog{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_every_read_has_the_keys_of_the_interface_and_no_other(api: TestClient, small: SmallCatalog) -> None:
    assert_conforms(Company, _get(api, f"/companies/{small.acme}"))
    assert_conforms(Company, _get(api, f"/companies/{small.zenith}"))
    assert_conforms(ProductFamily, _get(api, f"/product-families/{small.suite}"))
    for product_id in (small.seats, small.storage, small.competing_product):
        assert_conforms(Product, _get(api, f"/products/{product_id}"))


def test_every_listed_record_has_the_keys_of_the_interface_and_no_other(
    api: TestClient, small: SmallCatalog
) -> None:
    for model, path in (
        (Category, "/categories"),
        (CompanyInList, "/companies"),
        (ProductFamily, f"/companies/{small.acme}/product-families"),
        (ProductInList, f"/companies/{small.acme}/products"),
    ):
        records = _get(api, path)["data"]
        assert records
        for record in records:
            assert_conforms(model, record)


def test_a_company_shows_its_products_and_prices_paid(api: TestClient, small: SmallCatalog) -> None:
    company = _get(api, f"/companies/{small.acme}")
    assert company["realPurchaseCount"] == 4  # those of May 2025 and 2026
    assert company["category"]["parentCategoryId"] == small.parent
    assert company["defaultPriceRange"] == {"min": 12.5, "max": 12.5, "currency": "EUR"}
    assert [family["id"] for family in company["productFamilies"]] == [small.suite]
    assert [product["name"] for product in company["products"]] == ["Seats", "Archive"]
    assert [competitor["domain"] for competitor in company["competitors"]] == ["zenith.example"]
    newest = company["learningDataSamples"][0]
    assert newest["startDate"] == "2026-05-01T00:00:00.000Z"
    assert newest["negotiatedPrice"] == newest["primaryDimensionValue"] * 1.25 * 12
    assert newest["numberOfOtherDimensions"] == 1
    assert newest["primaryDimensionName"] == "Quantity"
    assert len(company["learningDataSamples"]) == 6


@pytest.mark.parametrize(("currency", "price"), [("EUR", 9), ("USD", None)])
def test_a_competing_product_has_a_price_only_in_the_currency_of_the_product(
    api: TestClient, context: Context, small: SmallCatalog, currency: str, price: int | None
) -> None:
    with context.database.writing() as connection:
        changed = product.update().where(product.c.id == small.competing_product)
        connection.execute(changed.values(currency=currency))
        rebuild_records(connection, [small.acme], NOW)
    (competing,) = _get(api, f"/products/{small.seats}")["competitors"]
    assert competing.get("defaultPrice") == price


def test_an_estimate_is_promised_once_it_is_known_to_succeed(
    api: TestClient, context: Context, small: SmallCatalog
) -> None:
    assert _get(api, f"/products/{small.seats}")["isCustomEstimateAvailable"] is False
    context.settings.currency = "EUR"  # in which the seats were bought
    update_estimate_availability(context)
    shown = {
        key: _get(api, f"/products/{key}")["isCustomEstimateAvailable"]
        for key in (small.seats, small.storage, small.competing_product)
    }
    # The archive is sold by the same supplier; the chairs have nothing in common with what was bought.
    assert shown == {small.seats: True, small.storage: True, small.competing_product: False}


def test_the_time_of_a_record_changes_only_with_the_record(
    api: TestClient, context: Context, small: SmallCatalog
) -> None:
    before = _get(api, f"/companies/{small.acme}")
    with context.database.writing() as connection:
        rebuild_records(connection, [small.acme, small.zenith], NOW + timedelta(hours=1))
    assert _get(api, f"/companies/{small.acme}") == before
    later = NOW + timedelta(days=2 * 365)
    assert update_purchase_counts(replace(context, clock=lambda: later)) == 1
    after = _get(api, f"/companies/{small.acme}")
    assert after["realPurchaseCount"] == 0
    assert after["lastUpdatedAt"] == "2028-11-19T09:30:00.000Z"
    assert after["products"] == before["products"]


def test_counts_are_brought_up_to_date_as_time_passes(
    api: TestClient, context: Context, small: SmallCatalog
) -> None:
    later = replace(context, clock=lambda: NOW + timedelta(days=2 * 365))
    assert update_purchase_counts(later) == 1
    assert update_purchase_counts(later) == 0
    assert _get(api, f"/companies/{small.acme}")["realPurchaseCount"] == 0
    assert _get(api, "/companies?name=acme")["data"][0]["realPurchaseCount"] == 0


def test_money_keeps_its_cents_and_small_prices_their_digits() -> None:
    assert [to_json_amount(value) for value in (12.0, 1234567.891, 0.0123456789, 1.2345, 34.855001)] == [
        12,
        1234567.89,
        0.0123457,
        1.2345,
        34.86,
    ]
