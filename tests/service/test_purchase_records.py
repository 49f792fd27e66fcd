"""Past purchases: what they are made of, the question that one answers, its price for one month, and all in
the bytes that a comparison reads."""

from math import exp, log, nan

import numpy as np
import pytest

from app.service.charges.charge import count_months_of_price
from app.service.purchase_records import (
    PriceQuery,
    digest_purchase,
    encode_name,
    encode_value,
    log_rate,
    pack,
    pack_query,
    unpack,
)
from tests.service.pricing.made_up_purchases import FIRST_DAY, purchase


def test_the_id_and_the_order_of_attributes_do_not_make_another_purchase() -> None:
    one = purchase(id="1", attributes={"size": "L", "width": 2.0})
    assert digest_purchase(one) == digest_purchase(purchase(id="2", attributes={"width": 2.0, "size": "L"}))


@pytest.mark.parametrize(
    "changed",
    [{"supplier": "Other"}, {"quantity": 11}, {"unit_price": 3}, {"unit": "box"}, {"currency": "EUR"},
     {"order_id": "o-2"}, {"purchase_date": FIRST_DAY.replace(year=2023)}, {"attributes": {"size": "L"}}],
    ids=lambda changed: next(iter(changed)),
)  # fmt: skip
def test_whatever_tells_purchases_apart_changes_the_digest(changed: dict[str, object]) -> None:
    assert digest_purchase(purchase(**changed)) != digest_purchase(purchase())


@pytest.mark.parametrize(
    ("period", "term", "months"),
    [("once", 36, 1), ("month", 36, 1), ("year", 36, 12), ("term", 36, 36), ("term", None, None)],
)
def test_a_price_covers_the_months_of_its_period(period: str, term: int | None, months: int | None) -> None:
    bought = purchase(price_period=period, term_months=term)
    assert count_months_of_price(bought.price_period, term) == months
    assert exp(log_rate(bought)) == pytest.approx(2 / months if months else nan, nan_ok=True)


def test_a_query_states_the_terms_of_the_purchase_and_none_of_what_was_paid() -> None:
    query = PriceQuery.from_purchase(purchase(price_period="year", unit="seat", attributes={"size": "L"}))
    assert (query.product, query.quantity, query.unit, query.recurring) == (
        "Blue ballpoint pen",
        10,
        "seat",
        True,
    )
    assert query.attributes == {"size": "L"}
    dearer = purchase(
        price_period="year", unit="seat", attributes={"size": "L"}, unit_price=9, total_price=90
    )
    assert PriceQuery.from_purchase(dearer) == query


def test_what_is_packed_is_unpacked_with_each_attribute_at_its_purchase() -> None:
    heads, attributes, rows = unpack(
        [
            pack(purchase()),
            pack(purchase(price_period="year", term_months=24, attributes={"size": "L", "width": 160.0})),
        ]
    )
    assert heads["day"].tolist() == [FIRST_DAY.toordinal()] * 2
    assert heads["log_rate"] == pytest.approx([log(2), log(2 / 12)])
    assert heads["term"].tolist() == [0, 24]
    assert heads["recurring"].tolist() == [0, 1]
    assert rows.tolist() == [1, 1]
    assert attributes["name"].tolist() == [encode_name("size"), encode_name("width")]
    assert np.isnan(attributes["number"]).tolist() == [True, False]


def test_a_query_has_the_codes_of_the_purchase_that_it_asks_for_and_no_price() -> None:
    bought = purchase(unit="box", brand="Bic")
    heads, _, _ = unpack([pack(bought), pack_query(PriceQuery.from_purchase(bought), FIRST_DAY.toordinal())])
    assert heads["facets"][0].tolist() == heads["facets"][1].tolist()
    assert np.isnan(heads["log_rate"][1])


def test_a_value_is_the_same_in_either_case_and_under_its_own_name_only() -> None:
    assert encode_value("unit", "Box") == encode_value("unit", "BOX") != encode_value("brand", "Box")
    assert encode_value("unit", "") == encode_value("unit", None) == 0
