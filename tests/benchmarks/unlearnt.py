"""How honest the ranges are before anything was learnt, on goods that the built-in prior does not know.

    python -m tests.benchmarks.unlearnt

prints `PRIOR_RELIABILITY` of `app/service/pricing/estimator/prior.py`. Small samples of each set of real
purchases estimate purchases of other orders, as the service does before its first learning: with a prior that
was fitted to the other sets. A range rests on where the prices of the other sets lay, so that every set is a
stranger to all that is measured on it.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np

from app.service.charges.charge import count_months_of_price
from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates, Floats, Ints
from app.service.pricing.estimator.distribution import GRID, LEVELS, PriceDistribution
from app.service.pricing.estimator.estimate import estimate_among
from app.service.pricing.estimator.mixture import REPEAT_WIDTH
from app.service.pricing.estimator.prior import PRIOR_RELIABILITY
from app.service.pricing.learning.calibration_fitting import _GRID, _empirical, _limit
from app.service.pricing.learning.hedonic_fitting import OwnModels
from app.service.pricing.learning.purchase_pool import PurchasePool
from app.service.purchase_records import PriceQuery
from tests.benchmarks.backtesting import sets
from tests.benchmarks.figures import Figure
from tests.benchmarks.prior_fitting import fit_prior
from tests.benchmarks.real_purchases import hide_price, read_set, take_orders
from tests.benchmarks.small_data import SIZES

SEEDS, ASKED = 8, 100
LEAST_COVERED = 0.75
"""What the 80 % ranges of a stranger hold at least, as the mean over the sets."""
_LOW, _HIGH = GRID.index(0.1), GRID.index(0.9)


class Asked(NamedTuple):
    """One entry for each price: the predicted probabilities just below and just above it, the weight, by
    orders and adding up to 1, and how many purchases were known."""

    low: Floats
    high: Floats
    weights: Floats
    sizes: Ints


def run(full: bool) -> list[Figure]:
    """For `python -m tests.benchmarks`: in small counts one set, by what the service has of all four."""
    figures: list[Figure] = []
    covered: dict[int, list[float]] = {}
    names = sets()
    for name in names if full else names[:1]:
        others = [other for other in names if other != name]
        widened = fit_reliability(others) if full else np.array(PRIOR_RELIABILITY)
        asked = ask(name)
        for size in np.unique(asked.sizes).tolist():
            share = _measure_coverage(asked, asked.sizes == size, widened)
            covered.setdefault(size, []).append(share)
            figures.append(Figure(f"unlearnt, {size:,} purchases of {name}", "80 % covered", share, "share"))
    for size, shares in covered.items() if full else ():
        mean, subject = float(np.mean(shares)), f"unlearnt, {size:,} purchases of a strange set"
        figures.append(Figure(subject, "80 % covered", mean, "share", at_least=LEAST_COVERED))
    return figures


def fit_reliability(names: Iterable[str]) -> Floats:
    """The probabilities of `GRID` as the prices of these sets show them, one set counting as much as
    another."""
    parts = [ask(name) for name in names]
    low, high, weights, _ = (np.concatenate(column) for column in zip(*parts, strict=True))
    # Wider where prices show that the probabilities of the grid are too narrow.
    return _limit(_empirical(low, high, weights), _GRID)


@cache
def ask(name: str) -> Asked:
    """Estimate purchases of a set from small samples of it, as if it were another kind of goods than all that
    the prior knows."""
    prior = fit_prior([other for other in sets() if other != name])
    unlearnt = Calibration(mixture_coefficients=prior, reliability=dict.fromkeys(LEVELS, GRID))
    around: list[Floats] = []
    orders: list[str] = []
    sizes: list[int] = []
    purchases = read_set(name)
    for size in (size for size in SIZES if len(purchases) >= size + ASKED):
        for seed in range(SEEDS):
            known, asked = take_orders(purchases, size, seed)
            candidates, models = Candidates.from_purchases(known), OwnModels()
            pool = PurchasePool(candidates, unlearnt.document_frequencies)
            known_ids, day = {row.id for row in known}, int(candidates.day.max())
            for row in asked[:ASKED]:
                query = PriceQuery.from_purchase(hide_price(row))
                query_row = Candidates.from_query(query, day)
                found = pool.find_candidates(query_row, past_only=False)
                if not len(found):
                    continue
                adapted = models.adapt_calibration(unlearnt, found, known_ids)
                price = estimate_among([query], query_row, found, adapted)[0]
                if isinstance(price, PriceDistribution):
                    months = count_months_of_price(row.price_period, row.term_months) or 1
                    paid = np.log(float(row.unit_price) / (months if price.recurring else 1))
                    around.append(_find_probabilities(price, paid))
                    orders.append(f"{size} {seed} {row.order_id or row.id}")
                    sizes.append(size)
    order = np.unique(orders, return_inverse=True)[1]
    weights = 1.0 / np.bincount(order)[order]
    low, high = np.array(around).T
    return Asked(low, high, weights / weights.sum(), np.array(sizes))


def _find_probabilities(price: PriceDistribution, paid: float) -> Floats:
    rising = price.log_unit_prices + np.arange(len(GRID)) * 1e-9
    return np.interp([paid - 2 * REPEAT_WIDTH, paid + 2 * REPEAT_WIDTH], rising, GRID, left=0.0, right=1.0)


def _measure_coverage(asked: Asked, chosen: np.ndarray, widened: Floats) -> float:
    low, high, weights = asked.low[chosen], asked.high[chosen], asked.weights[chosen]
    below = [
        np.clip((widened[end] - low) / np.maximum(high - low, 1e-9), 0.0, 1.0) @ weights / weights.sum()
        for end in (_LOW, _HIGH)
    ]
    return float(below[1] - below[0])


def main() -> None:
    """Print the probabilities."""
    print(", ".join(f"{probability:.3g}" for probability in fit_reliability(sets())))


if __name__ == "__main__":
    main()
