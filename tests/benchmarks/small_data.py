"""Estimates from few purchases: 20, 50, 200 and 1,000 of each set of real ones, in whole orders.

Each sample estimates purchases of other orders, as the service would, with a prior that was fitted to the
other sets only. The loss is a ratio to the plain quantiles of the nearest purchases of the same sample.
"""

from collections.abc import Sequence

import numpy as np

from app.service.charges.charge import count_months_of_price
from app.service.pricing.backtest.figures import (
    QUANTILES,
    BacktestFigures,
    Prediction,
    predict_purchases,
    score_predictions,
)
from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates, Floats
from app.service.pricing.estimator.distribution import GRID
from app.service.pricing.estimator.evidence import compare_candidates
from app.service.pricing.learning.purchase_pool import PurchasePool
from app.service.purchase_records import PriceQuery, Purchase
from tests.benchmarks.backtesting import DATA, sets
from tests.benchmarks.figures import Figure
from tests.benchmarks.prior_fitting import fit_prior
from tests.benchmarks.real_purchases import ASKED, hide_price, read_set, take_orders

SIZES = (20, 50, 200, 1_000)
MIN_JUDGED = 50
"""Fewer purchases are measured, and held against no goal."""
NEAREST = 20
LEAST_COVERED, MOST_COVERED = 0.75, 0.88


def run(full: bool) -> list[Figure]:
    """For `python -m tests.benchmarks`."""
    names = sorted(sets(), key=lambda name: (DATA / name / "purchases.csv.gz").stat().st_size)
    seeds = range(12 if full else 4)
    figures: list[Figure] = []
    for name in names if full else names[:1]:
        purchases = read_set(name)
        prior = fit_prior([other for other in sets() if other != name])
        for size in SIZES:
            if len(purchases) >= size + ASKED:
                figures += measure(name, purchases, size, seeds, prior)
    return figures


def measure(name: str, purchases: Sequence[Purchase], size: int, seeds: range, prior: Floats) -> list[Figure]:
    """The share covered and the loss, as means over the samples."""
    found: list[BacktestFigures] = []
    plain: list[float] = []
    for seed in seeds:
        known, asked = take_orders(purchases, size, seed)
        prices = [float(row.unit_price) for row in asked]
        questions = [hide_price(row) for row in asked]
        predictions = list(predict_purchases(known, questions, as_of="frozen", prior=prior))
        found.append(score_predictions(predictions, list(prices)))
        nearest = predict_plainly(known, asked)
        plain.append(score_predictions(nearest, list(prices)).pinball)
    covered = [one.coverage80 for one in found]
    loss = sum(one.pinball for one in found) / sum(plain)
    error = float(np.std(covered, ddof=1) / np.sqrt(len(covered)))
    subject, note = f"{size:,} purchases, {name}", f"{len(seeds)} samples of whole orders"
    share, spread = float(np.mean(covered)), f"{note}; ± {error:.3f}"
    if size < MIN_JUDGED:
        return [
            Figure(subject, "80 % covered", share, "share", note=spread),
            Figure(subject, "loss, of the nearest", loss, "ratio", note=note),
        ]
    return [
        Figure(subject, "80 % covered", share, "share", at_least=LEAST_COVERED, note=spread),
        Figure(subject, "80 % covered, at most", share, "share", at_most=MOST_COVERED),
        Figure(subject, "loss, of the nearest", loss, "ratio", at_most=1, note=note),
    ]


def predict_plainly(known: Sequence[Purchase], asked: Sequence[Purchase]) -> list[Prediction]:
    """The quantiles of the nearest purchases' prices, whatever else is known of them."""
    candidates, unlearnt = Candidates.from_purchases(known), Calibration()
    pool = PurchasePool(candidates, unlearnt.document_frequencies)
    day = int(candidates.day.max())
    predictions: list[Prediction] = []
    for row in asked:
        query_row = Candidates.from_query(PriceQuery.from_purchase(row), day)
        near = pool.find_candidates(query_row, past_only=False)
        rates = candidates.log_rate
        if len(near):
            comparison = compare_candidates(
                query_row, near, unlearnt.hedonic_model, unlearnt.document_frequencies
            )
            rates = comparison.candidates.log_rate[comparison.rows[0, :NEAREST]]
        log_prices = np.quantile(rates, GRID) + np.log(
            count_months_of_price(row.price_period, row.term_months) or 1
        )
        quantiles = tuple(np.exp(np.interp(QUANTILES, GRID, log_prices)).tolist())
        predictions.append(Prediction(row.id, quantiles, "none", False, 0.0))
    return predictions
