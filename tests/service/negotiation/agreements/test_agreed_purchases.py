"""An agreed price becomes a purchase of the organisation, once, and nobody else's."""

from typing import Any

import pytest
import sqlalchemy as sa

from app.service.context import Context
from app.service.database.tables.catalog import company, product
from app.service.database.tables.purchases import purchase
from app.service.negotiation import jobs
from app.service.purchases.product_refresh import complete
from tests.service.conftest import key_for
from tests.service.negotiation.market_fixture import add_product, add_purchases
from tests.service.negotiation.negotiation_driver import Desk


def own(context: Context) -> list[Any]:
    """The purchases that belong to an organisation."""
    with context.database.reading() as connection:
        return list(
            connection.execute(
                purchase.select()
                .where(purchase.c.organisation_id.is_not(None))
                .order_by(purchase.c.unit_price)
            )
        )


def agreed(desk: Desk, amount: float, **start: Any) -> str:
    negotiation_id = desk.planned(**start)
    desk.message(negotiation_id)
    desk.update(negotiation_id, "agreement", amount=amount, currency="USD", signedAt="2026-11-20")
    desk.work()
    return negotiation_id


def kept(desk: Desk, negotiation_id: str) -> str:
    (entry,) = (one for one in desk.timeline(negotiation_id)["entries"] if one["kind"] == "purchase")
    return entry["text"]


def test_the_agreed_price_is_a_purchase_of_the_organisation_once(desk: Desk, context: Context) -> None:
    negotiation_id = agreed(desk, 900)
    assert "Suite 365 900 USD" in kept(desk, negotiation_id)
    jobs.keep_purchase(context, negotiation_id)  # as after a crash
    (bought,) = own(context)
    assert (bought.product_id, bought.quantity, bought.unit_price) == (desk.market.product_id, 10, 90)
    assert (bought.price_period, bought.term_months, bought.currency) == ("term", 12, "USD")
    assert kept(desk, negotiation_id)


def test_the_next_negotiation_is_measured_against_it(desk: Desk) -> None:
    agreed(desk, 900)
    desk.clock.step(days=1)
    again = agreed(desk, 1600, scope=desk.market.scope(quantity=20))
    saved = {one["against"]: one for one in desk.timeline(again)["measures"]}
    assert (saved["previous_price"]["baseline"], saved["previous_price"]["saved"]) == (1800, 200)
    assert "2026-11-20" in saved["previous_price"]["basis"]


def test_another_organisation_sees_nothing_of_it(desk: Desk, context: Context) -> None:
    asked = desk.market.scope()
    other = {"Authorization": f"Bearer {key_for(context, 'Elsewhere')}"}

    def seen() -> list[Any]:
        company_id = desk.market.company_id
        paths = (
            "/v1/catalog/companies",
            f"/v1/catalog/companies/{company_id}",
            f"/v1/negotiation/faqs/{company_id}",
        )
        reads = [desk.api.get(path, headers=other).json() for path in paths]
        priced = desk.api.post("/v1/pricing/preview", json=asked, headers=other).json()
        return [reads, priced.get("estimate")]

    with context.database.writing() as connection:
        connection.execute(sa.update(product).values(stale=True))
    complete(context.database, desk.clock())
    before = seen()
    agreed(desk, 300)
    assert seen() == before


def test_a_price_for_several_products_is_split_and_says_by_what(desk: Desk, context: Context) -> None:
    with context.database.writing() as connection:
        second, quantity_id = add_product(connection, desk.market.company_id, "Vault 12")
        add_purchases(connection, desk.market.company_id, second, [30.0 + n % 3 for n in range(40)])
    terms = desk.market.scope()
    terms["productTerms"][0]["finalPrice"] = 300
    terms["productTerms"].append(
        {"productId": second, "pricingDimensions": [{"id": quantity_id, "value": 2}], "finalPrice": 100}
    )
    negotiation_id = agreed(desk, 360, scope=terms)
    assert "by the prices that the scope states" in kept(desk, negotiation_id)
    prices = {row.product_id: row.unit_price * row.quantity for row in own(context)}
    assert prices == pytest.approx({desk.market.product_id: 270, second: 90})


def test_invented_products_get_no_purchase_and_the_timeline_says_so(desk: Desk, context: Context) -> None:
    with context.database.writing() as connection:
        connection.execute(sa.update(company).values(sample=True))
    negotiation_id = agreed(desk, 900)
    assert "sample data" in kept(desk, negotiation_id)
    assert own(context) == []
