"""Purchases become columns, and a selection of rows keeps what belongs to each."""

import numpy as np
import pytest

from app.service.pricing.estimator.candidates import Candidates, attribute_key
from app.service.purchase_records import PriceQuery
from tests.service.pricing.made_up_purchases import FIRST_DAY, purchase

PURCHASES = [
    purchase(id="pen", attributes={"colour": "blue"}),
    purchase(id="desk", product="Standing desk", attributes={"width": 160.0}),
    purchase(id="pen again", supplier="Other"),
]


def test_each_purchase_keeps_its_values_and_has_none_of_the_others() -> None:
    candidates = Candidates.from_purchases(PURCHASES)
    assert candidates.ids == ["pen", "desk", "pen again"]
    assert [candidates.texts[at] for at in candidates.text] == [
        "Blue ballpoint pen",
        "Standing desk",
        "Blue ballpoint pen",
    ]
    assert (candidates.attributes[attribute_key("colour")] != 0).tolist() == [True, False, False]
    assert np.isnan(candidates.numbers[attribute_key("width")]).tolist() == [True, False, True]
    suppliers = candidates.facet("supplier")
    assert suppliers[0] == suppliers[1] != suppliers[2]


def test_number_and_brand_are_part_of_what_names_an_article() -> None:
    named = Candidates.from_purchases(
        [purchase(item_id="C-10010", brand="Sitwell"), purchase(brand="Sitwell")]
    )
    assert named.texts == ["Blue ballpoint pen C-10010 Sitwell", "Blue ballpoint pen Sitwell"]
    query = PriceQuery("Blue ballpoint pen", item_id="C-10010", brand="Sitwell")
    assert Candidates.from_query(query, FIRST_DAY.toordinal()).texts == named.texts[:1]


def test_a_selection_has_the_texts_of_its_rows_only() -> None:
    chosen = Candidates.from_purchases(PURCHASES).take(np.array([2, 0]))
    assert chosen.ids == ["pen again", "pen"]
    assert chosen.texts == ["Blue ballpoint pen"]
    assert chosen.text.tolist() == [0, 0]


def test_a_query_is_one_row_without_a_price() -> None:
    row = Candidates.from_query(
        PriceQuery("Standing desk", quantity=4, term_months=12), FIRST_DAY.toordinal()
    )
    assert len(row) == 1
    assert np.isnan(row.log_rate[0])
    assert (row.log_quantity[0], row.term[0]) == (pytest.approx(np.log(4)), 12)
