"""The closest candidates of a query, as the rows of an array."""

import pytest

from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.evidence import (
    MAX_COMPARABLES,
    PAIR_FEATURES,
    Comparison,
    Evidence,
    compare_candidates,
)
from app.service.pricing.estimator.hedonic_model import HedonicModel
from app.service.pricing.estimator.text_similarity import DocumentFrequencies
from app.service.purchase_records.query import PriceQuery
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
    assert comparison.rows.tolist() == [1, 0]
    assert comparison.evidence.present.sum() == 2
    assert comparison.evidence.pair_features.shape == (1, MAX_COMPARABLES, len(PAIR_FEATURES))
    assert comparison.evidence.pair_features[0, :2, PAIR_FEATURES.index("same product")].tolist() == [1, 0]


def test_no_more_than_the_closest_are_kept() -> None:
    comparison = compare(*["Standing desk"] * MAX_COMPARABLES, "Blue ballpoint pen")
    assert len(comparison.rows) == MAX_COMPARABLES
    assert comparison.rows[0] == MAX_COMPARABLES


def test_the_evidence_of_several_queries_is_joined_in_their_order() -> None:
    parts = [compare("Standing desk").evidence, compare("Blue ballpoint pen").evidence]
    joined = Evidence.concatenate(parts)
    same_product = joined.pair_features[:, 0, PAIR_FEATURES.index("same product")]
    assert same_product == pytest.approx([0, 1])
