from dataclasses import replace

import numpy as np
import pytest

from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.evidence import MAX_COMPARABLES, PAIR_FEATURES, QUERY_FEATURES, Evidence
from app.service.pricing.estimator.mixture import (
    COEFFICIENT_COUNT,
    Densities,
    MixtureCoefficients,
    evaluate_mixture,
)
from app.service.pricing.estimator.prior import PRIOR_COEFFICIENTS
from app.service.pricing.learning.mixture_fitting import PenalisedLikelihood, fit_mixture, minimise_objective


def evidence(number: int, seed: int = 3) -> Evidence:
    """Evidence of no meaning, with comparables missing here and there."""
    random = np.random.default_rng(seed)
    present = random.random((number, MAX_COMPARABLES)) < 0.4
    present[:, 0] = True
    return Evidence(
        pair_features=random.random((number, MAX_COMPARABLES, len(PAIR_FEATURES))) * 0.5,
        query_features=random.random((number, len(QUERY_FEATURES))),
        present=present,
        log_rate=random.normal(3, 0.5, (number, MAX_COMPARABLES)),
        adjustment=random.normal(0, 0.2, (number, MAX_COMPARABLES)),
        hedonic_estimate=random.normal(3, 0.5, number),
    )


def densities(found: Evidence) -> Densities:
    return Densities.from_components(
        evaluate_mixture(MixtureCoefficients.from_array(PRIOR_COEFFICIENTS), found), found
    )


def test_the_gradient_is_that_of_the_likelihood() -> None:
    found = evidence(12)
    random = np.random.default_rng(5)
    objective = PenalisedLikelihood(
        found, random.normal(3, 0.5, 12), random.random(12) + 0.5, PRIOR_COEFFICIENTS
    )
    at = PRIOR_COEFFICIENTS + random.normal(0, 0.1, COEFFICIENT_COUNT)
    _, gradient = objective(at)
    for place in range(COEFFICIENT_COUNT):
        step = np.zeros(COEFFICIENT_COUNT)
        step[place] = 1e-5
        slope = (objective(at + step)[0] - objective(at - step)[0]) / 2e-5
        assert gradient[place] == pytest.approx(slope, abs=1e-5, rel=1e-3)


def test_fitting_increases_the_likelihood() -> None:
    found = evidence(60)
    prices = found.log_rate[:, 0]
    objective = PenalisedLikelihood(found, prices, np.ones(60), PRIOR_COEFFICIENTS)
    learnt = fit_mixture(found, prices, np.ones(60), PRIOR_COEFFICIENTS)
    assert objective(learnt)[0] < objective(PRIOR_COEFFICIENTS)[0] - 0.1


def test_the_search_finds_the_bottom_of_a_valley() -> None:
    scale = np.array([1.0, 10.0, 100.0])
    found = minimise_objective(lambda x: (float(scale @ (x - 3) ** 2), 2 * scale * (x - 3)), np.zeros(3))
    assert found == pytest.approx(np.full(3, 3.0), abs=1e-2)


def test_a_quantile_has_its_probability_below_it() -> None:
    probabilities = np.tile([0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99], (8, 1))
    told = densities(evidence(8))
    assert told.cumulative(told.quantiles(probabilities)) == pytest.approx(probabilities, abs=0.01)


def test_a_query_among_others_is_answered_as_alone() -> None:
    found, probabilities = evidence(8), np.array([[0.05, 0.5, 0.95]])
    together = densities(found).quantiles(np.repeat(probabilities, 8, axis=0))
    alone = [densities(found.take(np.array([at]))).quantiles(probabilities)[0] for at in range(8)]
    assert together == pytest.approx(np.array(alone))


def test_a_missing_comparable_changes_nothing() -> None:
    found = evidence(1)
    changed = replace(found, log_rate=np.where(found.present, found.log_rate, 99.0))
    probabilities = np.array([[0.05, 0.5, 0.95]])
    assert (
        densities(found).quantiles(probabilities).tolist()
        == densities(changed).quantiles(probabilities).tolist()
    )


def test_an_empty_market_has_columns_of_no_length() -> None:
    assert len(Candidates.from_purchases([])) == 0
