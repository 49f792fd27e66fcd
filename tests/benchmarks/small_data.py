"""Estimates from few purchases: 50, 200 and 1,000 of each set of real ones, in whole orders.

Each sample estimates purchases of other orders, as the service would. The loss is a ratio to the plain
quantiles of the nearest purchases of the same sample.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np

from app.service.pricing.backtest.figures import BacktestFigures, score_predictions
from app.service.pricing.backtest.prediction import QUANTILES, Prediction, predict_purchases
from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.distribution import GRID
from app.service.pricing.estimator.evidence import compare_candidates
from app.service.pricing.learning.purchase_pool import PurchasePool
from app.service.purchase_records.query import PriceQuery, months_per_price
from app.service.purchase_records.records import Purchase
from app.service.purchases.reading import read_purchases
from tests.benchmarks.backtesting import DATA, sets
from tests.benchmarks.figures import Figure

SIZES = (50, 200, 1_000)
ASKED = 200
"""Purchases of other orders that each sample estimates."""
NEAREST = 20
LEAST_COVERED, MOST_COVERED = 0.75, 0.88


def run(full: bool) -> list[Figure]:
    """For `python -m tests.benchmarks`."""
    names = sorted(sets(), key=lambda name: (DATA / name / "purchases.csv.gz").stat().st_size)
    seeds = range(10 if full else 2)
    figures: list[Figure] = []
    for name in names if full else names[:1]:
        purchases = read_set(name)
        for size in SIZES:
            if len(purchases) >= size + ASKED:
                figures += measure(name, purchases, size, seeds)
    return figures


def read_set(name: str) -> list[Purchase]:
    """All purchases of a set that can be read."""
    rows = read_purchases(DATA / name / "purchases.csv.gz", lenient=True)
    return [row for row in rows if isinstance(row, Purchase)]


def measure(name: str, purchases: Sequence[Purchase], size: int, seeds: range) -> list[Figure]:
    """The share covered and the loss, as means over the samples."""
    found: list[BacktestFigures] = []
    plain: list[float] = []
    for seed in seeds:
        known, asked = take_orders(purchases, size, seed)
        prices = [float(row.unit_price) for row in asked]
        predictions = list(predict_purchases(known, [hide_price(row) for row in asked], as_of="frozen"))
        found.append(score_predictions(predictions, list(prices)))
        nearest = predict_plainly(known, asked)
        plain.append(score_predictions(nearest, list(prices)).pinball)
    covered = [one.coverage80 for one in found]
    loss = sum(one.pinball for one in found) / sum(plain)
    error = float(np.std(covered, ddof=1) / np.sqrt(len(covered)))
    subject, note = f"{size:,} purchases, {name}", f"{len(seeds)} samples of whole orders"
    share, spread = float(np.mean(covered)), f"{note}; ± {error:.3f}"
    return [
        Figure(subject, "80 % covered", share, "share", at_least=LEAST_COVERED, note=spread),
        Figure(subject, "80 % covered, at most", share, "share", at_most=MOST_COVERED),
        Figure(subject, "loss, of the nearest", loss, "ratio", at_most=1, note=note),
    ]


def take_orders(purchases: Sequence[Purchase], size: int, seed: int) -> tuple[list[Purchase], list[Purchase]]:
    """At most `size` purchases of random whole orders, and as many as are asked of the orders after them."""
    of_order: dict[str, list[Purchase]] = {}
    for row in purchases:
        of_order.setdefault(row.order_id or row.id, []).append(row)
    orders = list(of_order)
    Random(seed).shuffle(orders)
    known: list[Purchase] = []
    asked: list[Purchase] = []
    for order in orders:
        if len(known) + len(of_order[order]) <= size:
            known += of_order[order]
        elif len(asked) < ASKED:
            asked += of_order[order]
        else:
            break
    return known, asked[:ASKED]


def hide_price(row: Purchase) -> Purchase:
    """A purchase as it is asked about: nothing of its price is left."""
    return replace(row, unit_price=row.unit_price * 0, total_price=row.total_price * 0, list_price=None)


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
            rates = comparison.candidates.log_rate[comparison.rows[:NEAREST]]
        log_prices = np.quantile(rates, GRID) + np.log(months_per_price(row))
        quantiles = tuple(np.exp(np.interp(QUANTILES, GRID, log_prices)).tolist())
        predictions.append(Prediction(row.id, quantiles, log_prices, "none", False, 0.0))
    return predictions
