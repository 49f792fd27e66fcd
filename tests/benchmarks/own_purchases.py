"""How much an organisation's estimates gain from its own purchases beside a market that everybody sees.

    python -m tests.benchmarks own_purchases

Each set is cut by supplier: purchases of some suppliers are an organisation's own, those of the others are
the market, which is learnt from. The organisation estimates purchases of other orders of its suppliers, as a
scope asks. The loss is a ratio to the better of two estimates: by the market alone, and by its own purchases
alone."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np

from app.service.pricing.backtest.figures import QUANTILES, Prediction, score_predictions
from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.distribution import GRID, NotEstimable
from app.service.pricing.estimator.estimate import estimate_among
from app.service.pricing.learning.calibration_fitting import fit_calibration
from app.service.pricing.learning.hedonic_fitting import OwnModels
from app.service.pricing.learning.purchase_pool import PurchasePool
from app.service.purchase_records import PriceQuery, Purchase
from tests.benchmarks.backtesting import sets
from tests.benchmarks.figures import Figure
from tests.benchmarks.real_purchases import read_set, take_orders

SIZES = (50, 200, 400)
MOST_OWN, ASKED, LEAST_ASKED = 900, 150, 30
GOAL = 0.9


def run(full: bool) -> list[Figure]:
    """For `python -m tests.benchmarks`."""
    figures: list[Figure] = []
    for name in sets() if full else ["gsa-os2"]:
        losses: dict[int, list[tuple[float, ...]]] = {size: [] for size in SIZES}
        for seed in range(1, 4 if full else 2):
            market, own = split_by_supplier(read_set(name), seed)
            learnt = fit_calibration(Candidates.from_purchases(market), past_only=False)
            for size in SIZES:
                known, asked = take_orders(own, size, seed)
                if len(asked) >= LEAST_ASKED:
                    losses[size].append(measure(market, learnt, known, asked[:ASKED]))
        for size, found in losses.items():
            if found:
                by_market, by_own, compared, learnt_from = np.array(found).T
                better = np.minimum(by_market, by_own)
                subject, note = f"{name}, {size} own purchases", f"{len(found)} organisations"
                for what, loss, goal in (
                    ("loss, compared with", compared, None),
                    ("loss, learnt from", learnt_from, GOAL),
                ):
                    ratio = float(np.exp(np.log(loss / better).mean()))
                    figures.append(Figure(subject, what, ratio, "ratio", at_most=goal, note=note))
    return figures


def split_by_supplier(purchases: Sequence[Purchase], seed: int) -> tuple[list[Purchase], list[Purchase]]:
    """The purchases of the market, and those of the organisation's suppliers: about a third of all, at most
    about `MOST_OWN`."""
    suppliers = sorted({row.supplier for row in purchases})
    Random(seed).shuffle(suppliers)
    own: set[str] = set()
    enough = min(MOST_OWN, len(purchases) // 3)
    for supplier in suppliers[:-1]:
        if sum(row.supplier in own for row in purchases) < enough:
            own.add(supplier)
    return [row for row in purchases if row.supplier not in own], [
        row for row in purchases if row.supplier in own
    ]


def measure(
    market: Sequence[Purchase], learnt: Calibration, own: Sequence[Purchase], asked: Sequence[Purchase]
) -> tuple[float, ...]:
    """The loss by the market alone, by the own purchases alone, compared with them, and learnt from them."""
    of_own = fit_calibration(Candidates.from_purchases(own), past_only=False)
    both = [*market, *own]
    return (
        _loss(asked, market, learnt),
        _loss(asked, own, of_own),
        _loss(asked, both, learnt),
        _loss(asked, both, learnt, {row.id for row in own}),
    )


def _loss(
    asked: Sequence[Purchase], known: Sequence[Purchase], learnt: Calibration, own_ids: set[str] | None = None
) -> float:
    pool = PurchasePool(Candidates.from_purchases(known), learnt.document_frequencies)
    coarse = np.log(np.quantile([float(row.unit_price) for row in known], GRID))
    models, predictions = OwnModels(), list[Prediction]()
    for row in asked:
        query = replace(PriceQuery.from_purchase(row), buyer=None, category=None, description=None)
        query_row = Candidates.from_query(query, row.purchase_date.toordinal())
        candidates = pool.find_candidates(query_row, past_only=False)
        adapted = models.adapt_calibration(learnt, candidates, own_ids or ())
        price = estimate_among([query], query_row, candidates, adapted)[0]
        is_refused = isinstance(price, NotEstimable)
        log_prices = coarse if is_refused else price.log_unit_prices
        prices = np.exp(np.interp(QUANTILES, GRID, log_prices)).tolist()
        predictions.append(Prediction(row.id, tuple(prices), "coarse", is_refused, 0.0))
    return score_predictions(predictions, [float(row.unit_price) for row in asked]).pinball
