"""Fits the mixture's built-in prior to the sets of real purchases.

    python -m tests.benchmarks.prior_fitting

prints the two tables of `app/service/pricing/estimator/prior.py`. Half of the weight is that of purchases
estimated from all other orders of their set, half that of purchases estimated from small samples: a prior
decides most where a deployment knows little. Each set counts as much as another, however large it is. Without
one set the prior is a stranger to it, as it is to the purchases of a deployment.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Floats
from app.service.pricing.estimator.evidence import PAIR_FEATURES, QUERY_FEATURES, Evidence, compare_candidates
from app.service.pricing.estimator.text_similarity import DocumentFrequencies
from app.service.pricing.learning.calibration_fitting import FOLDS, observe_purchases
from app.service.pricing.learning.hedonic_fitting import fit_hedonic_model
from app.service.pricing.learning.mixture_fitting import fit_mixture
from app.service.pricing.learning.order_groups import order_weights, split_by_order
from app.service.pricing.learning.purchase_pool import PurchasePool
from app.service.purchase_records import Purchase
from tests.benchmarks.backtesting import sets
from tests.benchmarks.real_purchases import read_set, take_orders

MAX_OF_WHOLE_SET = 3_000
SAMPLE_SIZES, SAMPLES = (15, 40, 120, 400), 12
MIN_KNOWN = 5
WEIGHT_OF_SET = 2_000.0
"""How many purchases a set counts for beside `PENALTY`."""
PENALTY = 30.0
"""So strong that what holds for one kind of goods alone does not become the prior of all."""
_FIRST_SEED = 100  # the benchmark of small data begins at 0


class Observed(NamedTuple):
    """The evidence of purchases, with their ln prices and weights, which add up to 1."""

    evidence: Evidence
    log_rates: Floats
    weights: Floats


def fit_prior(names: Iterable[str]) -> Floats:
    """The coefficients that fit these sets together, penalised by their distance from a plain beginning."""
    parts = [part for name in names for part in observe_set(name)]
    return fit_mixture(
        Evidence.concatenate([part.evidence for part in parts]),
        np.concatenate([part.log_rates for part in parts]),
        np.concatenate([part.weights for part in parts]),
        plain_coefficients(),
        penalty=PENALTY,
    )


def plain_coefficients() -> Floats:
    """Before any purchase was seen: what is like the query counts more. Terms stay as here, since no set
    states them."""
    pairs = np.zeros((len(PAIR_FEATURES), 4))
    pairs[PAIR_FEATURES.index("text")] = 5.0, 0.0, 0.0, 0.0
    pairs[PAIR_FEATURES.index("same product")] = 3.0, 2.0, -0.5, 0.0
    pairs[PAIR_FEATURES.index("dimensions")] = 2.0, 0.0, 0.0, 0.0
    pairs[PAIR_FEATURES.index("dimensions of the same product")] = 2.0, 0.0, 0.0, 0.0
    pairs[PAIR_FEATURES.index("term gap")] = -0.5, -0.5, 0.2, 0.0
    pairs[PAIR_FEATURES.index("years")] = -1.0, 0.0, 0.0, 0.0
    pairs[PAIR_FEATURES.index("always")] = 0.0, -3.0, -1.0, 0.0
    queries = np.zeros((len(QUERY_FEATURES), 4))
    queries[QUERY_FEATURES.index("always")] = 1.0, 0.0, 1.0, 0.0
    return np.concatenate([pairs.T.ravel(), queries.T.ravel()])


@cache
def observe_set(name: str) -> list[Observed]:
    """The set estimated from all of itself, and from small samples of it."""
    purchases = read_set(name)
    small = [_observe_samples(purchases, size) for size in SAMPLE_SIZES]
    half = WEIGHT_OF_SET / 2
    return [
        _weigh(_observe_whole(purchases), half),
        *(_weigh(observed, half / len(small)) for observed in small),
    ]


def _weigh(observed: Observed, weight: float) -> Observed:
    return observed._replace(weights=observed.weights * weight / observed.weights.sum())


def _observe_whole(purchases: list[Purchase]) -> Observed:
    rows = Candidates.from_purchases(purchases)
    weights = order_weights(rows.order)
    pool = PurchasePool(rows, DocumentFrequencies.from_texts(rows.texts))
    estimated = np.zeros(len(rows), dtype=np.bool_)
    estimated[np.random.default_rng(1).permutation(len(rows))[:MAX_OF_WHOLE_SET]] = True
    folds = split_by_order(rows.order, FOLDS)
    observations = observe_purchases(rows, weights, pool, estimated, folds, past_only=False)
    at = observations.rows
    return Observed(Evidence.concatenate(observations.evidence), rows.log_rate[at], weights[at])


def _observe_samples(purchases: list[Purchase], size: int) -> Observed:
    evidence: list[Evidence] = []
    log_rates: list[float] = []
    weights: list[float] = []
    for seed in range(_FIRST_SEED, _FIRST_SEED + SAMPLES):
        known, asked = (Candidates.from_purchases(part) for part in take_orders(purchases, size, seed))
        if len(known) < MIN_KNOWN:
            continue
        model = fit_hedonic_model(known, order_weights(known.order))
        pool = PurchasePool(known, DocumentFrequencies.from_texts(known.texts))
        weight_of_asked = order_weights(asked.order)
        for row in range(0, len(asked), 2):
            query_row = asked.take(np.array([row]))
            candidates = pool.find_candidates(query_row, past_only=False)
            candidates = candidates.take(np.flatnonzero(candidates.recurring == query_row.recurring[0]))
            if len(candidates):
                evidence.append(compare_candidates(query_row, candidates, model, pool.frequencies).evidence)
                log_rates.append(float(asked.log_rate[row]))
                weights.append(float(weight_of_asked[row]))
    return Observed(Evidence.concatenate(evidence), np.array(log_rates), np.array(weights))


def main() -> None:
    """Print the tables of coefficients."""
    coefficients = fit_prior(sets())
    pairs, queries = np.split(coefficients, [4 * len(PAIR_FEATURES)])
    for features, values in ((PAIR_FEATURES, pairs), (QUERY_FEATURES, queries)):
        for name, row in zip(features, values.reshape(4, -1).T.tolist(), strict=True):
            print(f'    "{name}": ({", ".join(f"{value:.3f}" for value in row)}),')
        print()


if __name__ == "__main__":
    main()
