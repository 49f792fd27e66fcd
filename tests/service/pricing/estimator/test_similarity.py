"""How much a past purchase has in common with a query."""

from datetime import timedelta
from math import log

import pytest

from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.similarity import Similarity, classify_similarity, measure_similarity
from app.service.pricing.estimator.text_similarity import DocumentFrequencies
from app.service.purchase_records import PriceQuery
from tests.service.pricing.made_up_purchases import FIRST_DAY, purchase

QUERY = PriceQuery(
    "Blue ballpoint pen", quantity=10, supplier="Acme", term_months=12, attributes={"size": "large"}
)


def measure(**changed: object) -> Similarity:
    """The similarity of one purchase with the query, asked a year after the first day."""
    candidates = Candidates.from_purchases([purchase(**changed)])
    day = FIRST_DAY + timedelta(days=365)
    return measure_similarity(
        Candidates.from_query(QUERY, day.toordinal()),
        candidates,
        DocumentFrequencies.from_texts(candidates.texts),
    )


def test_what_is_stated_by_both_and_equal_is_shared() -> None:
    same = measure(attributes={"size": "large"})
    assert (same.same_product[0], same.same_supplier[0], same.dimensions[0]) == (1, 1, 1)
    assert same.same_unit[0] == 0, "the query names no unit"
    assert measure(attributes={"size": "small"}).dimensions[0] == pytest.approx(1 / 2)
    assert measure(supplier="Other").same_supplier[0] == 0


def test_gaps_are_differences_in_ln_and_years() -> None:
    other = measure(quantity=100, term_months=24)
    assert other.quantity_gap[0] == pytest.approx(log(10))
    assert other.term_gap[0] == pytest.approx(log(2))
    assert other.years[0] == pytest.approx(1, rel=0.01)
    assert measure().term_gap[0] == 0, "the purchase names no term"


@pytest.mark.parametrize(
    ("changed", "level"),
    [
        ({}, "repeat"),
        ({"supplier": "Other"}, "product"),
        ({"product": "Ballpoint pen, blue"}, "similar"),
        ({"product": "Hourly rate of an electrician"}, "coarse"),
    ],
)
def test_the_level_names_the_best_comparable(changed: dict[str, object], level: str) -> None:
    assert classify_similarity(measure(**changed)) == [level]
