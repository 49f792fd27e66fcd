"""FAQs are computed from purchases, at least five behind each, and hold no markup of others."""

import re

import sqlalchemy as sa

from app.service.database.tables import purchase
from tests.service.negotiation.market_fixture import add_company, add_product, add_purchases
from tests.service.negotiation.negotiation_driver import NegotiationDriver


def answers(driver: NegotiationDriver, company_id: str) -> dict[str, str]:
    read = driver.get(f"/v1/negotiation/faqs/{company_id}")
    assert read["lastUpdatedAt"] == "2026-11-20T12:00:00.000Z"
    return {faq["question"]: faq["answer"] for faq in read["faqs"]}


def test_every_answer_is_based_on_at_least_five_purchases_and_names_their_number(
    driver: NegotiationDriver,
) -> None:
    found = answers(driver, driver.market.company_id)
    assert len(found) >= 5
    for answer in found.values():
        counts = [int(count) for count in re.findall(r"Based on (\d+) purchases", answer)]
        assert counts
        assert min(counts) >= 5


def test_names_are_escaped(driver: NegotiationDriver) -> None:
    text = " ".join(answers(driver, driver.market.company_id).values())
    assert "Rival &lt;b&gt;&amp; Sons&lt;/b&gt;" in text
    assert "Support &lt;24h&gt;" in text


def test_a_supplier_with_four_purchases_has_no_answers_and_one_with_five_has(
    driver: NegotiationDriver,
) -> None:
    with driver.context.database.writing() as connection:
        seller = add_company(connection, "Small", "small.example")
        product_id, _ = add_product(connection, seller, "Small Suite")
        add_purchases(connection, product_id, [10] * 4)
    assert answers(driver, seller) == {}
    with driver.context.database.writing() as connection:
        add_purchases(connection, product_id, [10])
    assert "What discount does Small usually give?" in answers(driver, seller)


def test_the_discount_is_computed_from_the_purchases(driver: NegotiationDriver) -> None:
    with driver.context.database.writing() as connection:
        connection.execute(sa.update(purchase).values(unit_price=9.0, list_price=12.0))
    answer = answers(driver, driver.market.company_id)["What discount does Seller 24 usually give?"]
    assert answer.count("25 %") == 3


def test_an_unknown_company_is_a_404(driver: NegotiationDriver) -> None:
    assert driver.api.get(f"/v1/negotiation/faqs/{driver.market.product_id}").status_code == 404
