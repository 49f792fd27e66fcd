"""Purchases and queries in the bytes that a comparison reads."""

from math import log

import numpy as np
import pytest

from app.service.purchase_records.packing import encode_name, encode_value, pack, pack_query, unpack
from app.service.purchase_records.records import PriceQuery
from tests.service.pricing.made_up_purchases import FIRST_DAY, purchase


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
