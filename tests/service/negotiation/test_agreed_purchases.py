"""An agreed price is saved once, as a purchase that only the organisation sees."""

from datetime import date
from typing import Any

import pytest
import sqlalchemy as sa

from app.service.agreements.learning.reconciling import learn_from_agreements
from app.service.context import Context
from app.service.database.tables import agreement, article, company, product, purchase, purchase_with_product
from app.service.negotiation import jobs
from app.service.negotiation.previous_price import LastPurchase
from app.service.purchase_records import PriceQuery
from app.service.purchases.product_refresh import refresh_stale_products
from tests.service.conftest import key_for
from tests.service.negotiation.market_fixture import add_product, add_purchases
from tests.service.negotiation.negotiation_driver import NegotiationDriver
from tests.service.negotiation.strategy.test_scope_evidence import SETUP
from tests.service.negotiation.test_attachments import attach, quote_document


def own(context: Context) -> list[Any]:
    """The purchases that belong to an organisation."""
    with context.database.reading() as connection:
        return list(
            connection.execute(
                sa.select(purchase, article.c.product_id)
                .select_from(purchase_with_product)
                .where(purchase.c.organisation_id.is_not(None))
                .order_by(purchase.c.unit_price)
            )
        )


def agreed(driver: NegotiationDriver, amount: float, *, months: int | None = None, **start: Any) -> str:
    negotiation_id = driver.start_planned(**start)
    driver.message(negotiation_id)
    term = {} if months is None else {"termLength": months}
    driver.update(negotiation_id, "agreement", amount=amount, currency="USD", signedAt="2026-11-20", **term)
    driver.run_tasks()
    return negotiation_id


def kept(driver: NegotiationDriver, negotiation_id: str) -> str:
    (entry,) = (one for one in driver.timeline(negotiation_id)["entries"] if one["kind"] == "purchase")
    return entry["text"]


@pytest.mark.campaign
def test_the_agreed_price_is_a_purchase_of_the_organisation_once(
    driver: NegotiationDriver, context: Context
) -> None:
    negotiation_id = agreed(driver, 900)
    assert "Suite 365 USD 900" in kept(driver, negotiation_id)
    jobs.save_agreed_purchase(context, negotiation_id)  # as after a crash
    (bought,) = own(context)
    assert (bought.product_id, bought.quantity, bought.unit_price) == (driver.market.product_id, 10, 90)
    assert (bought.price_period, bought.term_months, bought.currency) == ("term", 12, "USD")
    assert kept(driver, negotiation_id)


YEARS = [{"firstMonth": 12 * year, "months": 12} for year in range(3)]
DATED_YEARS = [{"startDate": f"{year}-01-01", "endDate": f"{year}-12-31"} for year in (2027, 2028, 2029)]


def in_years(driver: NegotiationDriver, years: list[dict[str, Any]]) -> dict[str, Any]:
    """A scope of three years, each of which has a price of its own."""
    scope = driver.market.scope(months=36)
    [term] = scope["productTerms"]
    scope["scopeTerms"][0]["startDate"] = "2027-01-01"
    return {**scope, "productTerms": [{**term, **year} for year in years]}


@pytest.mark.parametrize("years", [YEARS, DATED_YEARS])
def test_the_years_of_a_scope_are_those_of_its_contract(
    driver: NegotiationDriver, years: list[dict[str, Any]]
) -> None:
    agreed(driver, 1_800, scope=in_years(driver, years))
    [recorded] = driver.get("/v1/agreements")["data"]
    assert [(one["firstMonth"], one["months"]) for one in recorded["lines"]] == [(0, 12), (12, 12), (24, 12)]


@pytest.mark.parametrize("years", [YEARS, DATED_YEARS])
def test_a_price_for_less_than_the_years_of_its_scope_is_no_purchase(
    driver: NegotiationDriver, context: Context, years: list[dict[str, Any]]
) -> None:
    scope = in_years(driver, years)
    shorter = agreed(driver, 1_800, months=24, scope=scope)
    assert "agreed for 24 months, and parts of the scope end later" in kept(driver, shorter)
    assert own(context) == []
    [recorded] = driver.get("/v1/agreements")["data"]
    assert (recorded["totalValue"], recorded.get("lines")) == (1_800, None)
    assert "USD 600" in kept(driver, agreed(driver, 1_800, months=36, scope=scope))
    driver.clock.advance(days=1)
    for months, is_measured in ((36, True), (24, False)):
        measures = driver.timeline(agreed(driver, 1_800, months=months, scope=scope))["measures"]
        assert ("previous_price" in [one["against"] for one in measures]) == is_measured


@pytest.mark.campaign
def test_the_next_negotiation_is_compared_with_the_agreed_purchase(driver: NegotiationDriver) -> None:
    agreed(driver, 900)
    driver.clock.advance(days=1)
    again = agreed(driver, 1600, scope=driver.market.scope(quantity=20))
    saved = {one["against"]: one for one in driver.timeline(again)["measures"]}
    assert (saved["previous_price"]["baseline"], saved["previous_price"]["saved"]) == (1800, 200)
    assert "20 November 2026" in saved["previous_price"]["basis"]


def test_an_agreed_price_is_not_its_own_previous_price(driver: NegotiationDriver) -> None:
    first = agreed(driver, 900)
    assert "previous" not in driver.timeline(first)
    driver.clock.advance(days=1)
    again = agreed(driver, 1600, scope=driver.market.scope(quantity=20))
    saved = {one["against"]: one for one in driver.timeline(again)["measures"]}
    assert driver.timeline(again)["previous"]["amount"] == saved["previous_price"]["baseline"] == 1800


def test_the_price_of_a_part_is_no_previous_price_of_the_whole(driver: NegotiationDriver) -> None:
    agreed(driver, 900)
    driver.clock.advance(days=1)
    quote = quote_document(users=10, unit_price=140, more=[SETUP])
    read = driver.api.post("/v1/scope/from-document", files={"file": ("q.docx", quote)}).json()
    driver.run_tasks()
    whole = agreed(driver, 1000, scope={"scopeId": read["scopeId"]})
    against = {one["against"] for one in driver.timeline(whole)["measures"]}
    assert against == {"first_offer", "target", "median_estimate"}


@pytest.mark.parametrize(
    ("unit", "attributes", "may_be"),
    [
        (None, {}, True),
        ("Users", {"edition": "PRO"}, True),
        ("GB", {"edition": "Pro"}, False),
        ("user", {"edition": "Starter"}, False),
    ],
)
def test_the_price_of_another_edition_or_unit_is_no_previous_price(
    unit: str | None, attributes: dict[str, Any], may_be: bool
) -> None:
    last = LastPurchase(date(2026, 5, 1), 10, "month", 12, unit, attributes)
    assert last.may_be_of(PriceQuery("Suite", unit="user", attributes={"edition": "Pro"})) is may_be


@pytest.mark.campaign
def test_the_previous_price_is_scaled_to_the_term_that_was_agreed(driver: NegotiationDriver) -> None:
    agreed(driver, 900)
    driver.clock.advance(days=1)
    again = agreed(driver, 2400, months=36)
    (measure,) = driver.timeline(again)["measures"]
    assert (measure["against"], measure["baseline"], measure["saved"]) == ("previous_price", 2700, 300)


@pytest.mark.campaign
def test_another_organisation_does_not_see_the_agreed_purchase(
    driver: NegotiationDriver, context: Context
) -> None:
    asked = driver.market.scope()
    other = {"Authorization": f"Bearer {key_for(context, 'Elsewhere')}"}

    def seen() -> list[Any]:
        company_id = driver.market.company_id
        paths = (
            "/v1/catalog/companies",
            f"/v1/catalog/companies/{company_id}",
            f"/v1/negotiation/faqs/{company_id}",
        )
        reads = [driver.api.get(path, headers=other).json() for path in paths]
        priced = driver.api.post("/v1/pricing/preview", json=asked, headers=other).json()
        return [reads, priced.get("estimate")]

    with context.database.writing() as connection:
        connection.execute(sa.update(product).values(stale=True))
    refresh_stale_products(context.database, driver.clock())
    before = seen()
    agreed(driver, 300)
    assert seen() == before


@pytest.mark.campaign
def test_a_price_for_several_products_is_split_and_the_timeline_says_how(
    driver: NegotiationDriver, context: Context
) -> None:
    with context.database.writing() as connection:
        second, quantity_id = add_product(connection, driver.market.company_id, "Vault 12")
        add_purchases(connection, second, [30.0 + n % 3 for n in range(40)])
    terms = driver.market.scope()
    terms["productTerms"][0]["finalPrice"] = 300
    terms["productTerms"].append(
        {"productId": second, "pricingDimensions": [{"id": quantity_id, "value": 2}], "finalPrice": 100}
    )
    negotiation_id = agreed(driver, 360, scope=terms)
    assert "split by the prices in the scope" in kept(driver, negotiation_id)
    prices = {row.product_id: row.unit_price * row.quantity for row in own(context)}
    assert prices == pytest.approx({driver.market.product_id: 270, second: 90})


def test_invented_products_get_no_purchase_and_the_timeline_says_so(
    driver: NegotiationDriver, context: Context
) -> None:
    with context.database.writing() as connection:
        connection.execute(sa.update(company).values(sample=True))
    negotiation_id = agreed(driver, 900)
    assert "sample data" in kept(driver, negotiation_id)
    assert own(context) == []


@pytest.mark.parametrize("countered", [False, True])
def test_what_was_offered_for_another_quantity_is_agreed_for_that(
    driver: NegotiationDriver, context: Context, countered: bool
) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 1000)
    lines = [{"productId": driver.market.product_id, "quantity": 25}]
    driver.quote(negotiation_id, 9000 if countered else 2500, lines=lines)
    if countered:
        [asked] = driver.escalations(negotiation_id)
        driver.update(negotiation_id, "decision", decision="counter", amount=2500, escalationId=asked["id"])
    driver.clock.advance(days=1)
    driver.update(negotiation_id, "agreement", amount=2500, currency="USD")
    driver.run_tasks()
    [bought] = own(context)
    assert (bought.quantity, bought.unit_price, bought.term_months) == (25, 100, 12)
    timeline = driver.timeline(negotiation_id)
    assert timeline["measures"] == [], "25 units cost more than 10"
    assert timeline["unmeasured"] == (
        "The price was agreed for other quantities or products than those of the first offer, the target and"
        " the median estimate, and is not measured against them."
    )
    [agreement] = driver.get("/v1/agreements")["data"]
    assert [line["quantity"] for line in agreement["lines"]] == [25]
    accuracy = driver.get("/v1/negotiation/accuracy")
    why = "The price was agreed for other quantities or products."
    assert accuracy["uncounted"] == [{"reason": why, "total": 1}]
    driver.clock.advance(days=1)
    again = agreed(driver, 2700, scope=driver.market.scope(quantity=30))
    [saved] = [one for one in driver.timeline(again)["measures"] if one["against"] == "previous_price"]
    assert saved["baseline"] == 3000, "30 units at what one of the 25 cost"


def test_what_was_offered_in_another_edition_is_on_record_in_that(
    driver: NegotiationDriver, context: Context
) -> None:
    edition = {"name": "Edition", "type": "select", "options": ["Starter", "Professional"]}
    entry = {
        "supplier": {"name": "Harbour Ltd"},
        "product": {"name": "Harbour Vault", "unit": "user", "dimensions": [edition]},
    }
    made = driver.api.post("/v1/catalog/entries", json=entry).json()
    dimensions = driver.get(f"/v1/catalog/products/{made['productId']}")["pricingDimensions"]
    values = [{"id": one["id"], "value": value} for one, value in zip(dimensions, (10, "1"), strict=True)]
    asked = driver.market.scope()
    asked["productTerms"] = [{"productId": made["productId"], "pricingDimensions": values}]
    negotiation_id = driver.start_planned(supplier={"companyId": made["companyId"]}, scope=asked)
    attach(driver, negotiation_id, quote_document(item="Harbour Vault Professional"))
    driver.run_tasks()
    driver.update(negotiation_id, "agreement", amount=1050, currency="USD")
    driver.run_tasks()
    [recorded] = driver.get("/v1/agreements")["data"]
    negotiated = driver.summary(negotiation_id)["scope"]["id"]
    agreed_scope = driver.get(f"/v1/scope/{recorded['scopeId']}")
    assert driver.timeline(negotiation_id)["agreementId"] == recorded["id"]
    assert agreed_scope["previousScopeId"] == negotiated != recorded["scopeId"]
    [bought] = agreed_scope["productTerms"]
    assert [one["value"] for one in bought["pricingDimensions"]] == [10, "2"]
    learn_from_agreements(context, find_owner(context))
    assert [one.attributes for one in own(context)] == [{"edition": "Professional"}]


def find_owner(context: Context) -> str:
    with context.database.reading() as connection:
        return connection.execute(sa.select(agreement.c.organisation_id)).scalar_one()


def test_what_was_offered_for_unknown_quantities_is_no_purchase(
    driver: NegotiationDriver, context: Context
) -> None:
    with context.database.writing() as connection:
        second, _ = add_product(connection, driver.market.company_id, "Vault 12")
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 2500, lines=[{"productId": driver.market.product_id}, {"productId": second}])
    driver.update(negotiation_id, "agreement", amount=2500, currency="USD")
    driver.run_tasks()
    assert own(context) == []
    assert "how much of each product that is, is not known" in kept(driver, negotiation_id)
    [agreement] = driver.get("/v1/agreements")["data"]
    assert (agreement["totalValue"], "lines" in agreement) == (2500, False)
