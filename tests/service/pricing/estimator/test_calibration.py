"""What a deployment learnt is stored as text and read again, and anything else is refused."""

import json
from datetime import date

import numpy as np
import pytest

from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.distribution import GRID, LEVELS
from app.service.pricing.estimator.evidence import NEW_PAIR_FEATURES, PAIR_FEATURES
from app.service.pricing.estimator.hedonic_model import HedonicModel, Scale
from app.service.pricing.estimator.mixture import COEFFICIENT_COUNT
from app.service.pricing.estimator.prior import PRIOR_COEFFICIENTS, PRIOR_RELIABILITY
from app.service.pricing.estimator.text_similarity import BUCKETS, DocumentFrequencies

SUPPLIER = 7
WIDER = tuple(probability * 0.5 if probability < 0.5 else probability for probability in GRID)


def test_a_calibration_is_read_as_it_was_written() -> None:
    learnt = Calibration(
        learnt_on=12,
        learnt_until=date(2024, 5, 6),
        hedonic_model=HedonicModel(2.5, numbers={"volume": Scale(1.0, 2.0, -0.1)}),
        document_frequencies=DocumentFrequencies.from_texts(["Blue pen"]),
        attribute_impact={"size": 0.25},
        new_supplier_coefficients=np.arange(0.0, COEFFICIENT_COUNT),
        newness_reliability={"new_supplier": dict.fromkeys(LEVELS, WIDER)},
    )
    again = Calibration.from_json(learnt.to_json())
    assert again.to_json() == learnt.to_json()
    assert (again.learnt_until, again.attribute_impact) == (date(2024, 5, 6), {"size": 0.25})
    assert again.hedonic_model.numbers == {"volume": Scale(1.0, 2.0, -0.1)}
    assert again.reliability_of("similar", "new_supplier") == WIDER
    assert again.reliability_of("similar", "known") == PRIOR_RELIABILITY
    assert again.coefficients_for(SUPPLIER, 0).tolist() == list(range(COEFFICIENT_COUNT))
    assert again.coefficients_for(0, 0).tolist() == PRIOR_COEFFICIENTS.tolist()
    assert again.document_frequencies.counts.sum() == learnt.document_frequencies.counts.sum() > 0


def test_one_of_the_version_before_is_read_and_says_nothing_of_what_is_new() -> None:
    learnt = np.arange(1.0, COEFFICIENT_COUNT + 1)
    known = learnt.copy()
    places = [
        group * len(PAIR_FEATURES) + PAIR_FEATURES.index(name)
        for group in range(4)
        for name in NEW_PAIR_FEATURES
    ]
    known[places] = 0
    record = json.loads(Calibration().to_json()) | {
        "version": 1,
        "mixture": np.delete(learnt, places).tolist(),
    }
    assert Calibration.from_json(json.dumps(record)).mixture_coefficients.tolist() == known.tolist()


def test_one_from_before_newness_was_measured_says_nothing_of_it() -> None:
    record = json.loads(Calibration().to_json()) | {"version": 2}
    del record["newness"]
    before = Calibration.from_json(json.dumps(record))
    assert before.reliability_of("coarse", "new_supplier") == PRIOR_RELIABILITY


def test_one_from_before_new_suppliers_were_learnt_estimates_them_as_the_others() -> None:
    record = json.loads(Calibration().to_json()) | {"version": 3}
    del record["newSupplierMixture"]
    before = Calibration.from_json(json.dumps(record))
    assert before.coefficients_for(SUPPLIER, 0).tolist() == before.mixture_coefficients.tolist()


def test_a_supplier_that_was_not_learnt_from_stays_new_until_many_purchases_are_known() -> None:
    coefficients = np.zeros(BUCKETS, dtype=np.float32)
    coefficients[SUPPLIER] = 0.1
    model = HedonicModel(2.5, coefficients, has_trends=False)
    zeros, ones = np.zeros(COEFFICIENT_COUNT), np.ones(COEFFICIENT_COUNT)
    learnt = Calibration(hedonic_model=model, mixture_coefficients=ones, new_supplier_coefficients=zeros)
    assert learnt.coefficients_for(SUPPLIER, 1).min() == 1
    none, one, many = (learnt.coefficients_for(SUPPLIER + 1, number).max() for number in (0, 1, 1_000))
    assert none == 0 < one < 0.1 < 0.9 < many < 1


@pytest.mark.parametrize(("version", "has_trends"), [(2, False), (4, False), (5, True)])
def test_what_was_learnt_before_suppliers_had_trends_has_none(version: int, has_trends: bool) -> None:
    record = json.loads(Calibration().to_json()) | {"version": version}
    assert Calibration.from_json(json.dumps(record)).hedonic_model.has_trends is has_trends


@pytest.mark.parametrize(
    "damage",
    [
        {"newness": {"known": {"coarse": [0.5]}}},
        {"version": 0},
        {"version": 1},
        {"mixture": [1.0]},
        {"newSupplierMixture": [1.0]},
        {"counts": "nonsense"},
        {"reliability": {}},
    ],
    ids=lambda damage: next(iter(damage)),
)
def test_another_version_or_shape_is_refused(damage: dict[str, object]) -> None:
    record = json.loads(Calibration().to_json()) | damage
    with pytest.raises(ValueError, match="no calibration of this version"):
        Calibration.from_json(json.dumps(record))
