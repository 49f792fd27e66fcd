"""The closest candidates of a query, as the rows of an array."""

from decimal import Decimal

import numpy as np
import pytest

from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.evidence import (
    MAX_COMPARABLES,
    MAX_OF_ONE_ORDER,
    PAIR_FEATURES,
    Comparison,
    Evidence,
    compare_candidates,
)
from app.service.pricing.estimator.hedonic_model import HedonicModel
from app.service.pricing.estimator.text_similarity import DocumentFrequencies
from app.service.purchase_records import PriceQuery, Purchase
from tests.service.pricing.made_up_purchases import FIRST_DAY, purchase

NOTHING_KNOWN = DocumentFrequencies.from_texts([])


def compare(*products: str) -> Comparison:
    query = Candidates.from_query(PriceQuery("Blue ballpoint pen", supplier="Acme"), FIRST_DAY.toordinal())
    candidates = Candidates.from_purchases(
        purchase(id=str(at), product=product) for at, product in enumerate(products)
    )
    return compare_candidates(query, candidates, HedonicModel(), NOTHING_KNOWN)


def test_the_most_alike_comes_first_and_what_is_missing_is_not_present() -> None:
    comparison = compare("Standing desk", "Blue ballpoint pen")
    assert comparison.rows.tolist() == [[1, 0]]
    assert comparison.evidence.present.sum() == 2
    assert comparison.evidence.pair_features.shape == (1, MAX_COMPARABLES, len(PAIR_FEATURES))
    assert comparison.evidence.pair_features[0, :2, PAIR_FEATURES.index("same product")].tolist() == [1, 0]


def test_no_more_than_the_closest_are_kept() -> None:
    comparison = compare(*["Standing desk"] * MAX_COMPARABLES, "Blue ballpoint pen")
    assert comparison.rows.shape == (1, MAX_COMPARABLES)
    assert comparison.rows[0, 0] == MAX_COMPARABLES


def test_years_without_any_purchase_count_as_one() -> None:
    candidates = Candidates.from_purchases([purchase(id="last")])
    years = [
        compare_candidates(
            Candidates.from_query(PriceQuery("Blue ballpoint pen"), FIRST_DAY.toordinal() + days),
            candidates,
            HedonicModel(),
            NOTHING_KNOWN,
        ).evidence.pair_features[0, 0, PAIR_FEATURES.index("years")]
        for days in (180, 365, 2_000)
    ]
    assert years[0] < years[1] == pytest.approx(years[2])


def test_few_of_one_order_come_before_those_of_others() -> None:
    lines = [purchase(id=f"line {at}", order_id="one") for at in range(MAX_COMPARABLES + 5)]
    others = [
        purchase(id=f"other {at}", product="Standing desk", order_id=f"of {at}")
        for at in range(MAX_COMPARABLES)
    ]
    query = Candidates.from_query(PriceQuery("Blue ballpoint pen"), FIRST_DAY.toordinal())

    def ids(*purchases: Purchase) -> list[str]:
        candidates = Candidates.from_purchases(purchases)
        rows = compare_candidates(query, candidates, HedonicModel(), NOTHING_KNOWN).rows[0].tolist()
        return [candidates.ids[row] for row in rows]

    chosen = ids(*lines, *others)
    assert len(chosen) == MAX_COMPARABLES
    assert [key for key in chosen if key.startswith("line")] == chosen[:MAX_OF_ONE_ORDER]
    assert len(ids(*lines[:9], others[0])) == 10, "none is left out where there is room"


def test_a_price_that_several_paid_and_the_direction_of_the_quantity_count() -> None:
    query = Candidates.from_query(PriceQuery("Blue ballpoint pen", quantity=4), FIRST_DAY.toordinal())
    prices = {"a": (2, 10), "b": (2, 1), "c": (3, 4)}
    candidates = Candidates.from_purchases(
        purchase(id=key, unit_price=Decimal(price), quantity=Decimal(quantity))
        for key, (price, quantity) in prices.items()
    )
    comparison = compare_candidates(query, candidates, HedonicModel(), NOTHING_KNOWN)
    place = {candidates.ids[row]: at for at, row in enumerate(comparison.rows[0].tolist())}
    pairs = comparison.evidence.pair_features[0]
    shared, larger = (pairs[:, PAIR_FEATURES.index(name)] for name in ("price shared", "larger quantity"))
    assert [shared[place[key]] for key in "abc"] == pytest.approx([np.log(2), np.log(2), 0])
    assert [larger[place[key]] for key in "abc"] == pytest.approx([np.log(0.4), np.log(4), 0])


def test_the_evidence_of_several_queries_is_joined_in_their_order() -> None:
    parts = [compare("Standing desk").evidence, compare("Blue ballpoint pen").evidence]
    joined = Evidence.concatenate(parts)
    same_product = joined.pair_features[:, 0, PAIR_FEATURES.index("same product")]
    assert same_product == pytest.approx([0, 1])
