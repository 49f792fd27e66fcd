"""Fits a new calibration after an import, and measures it on the latest purchases."""

from collections.abc import Sequence

import numpy as np

from app.service.access.audit import PRICES_LEARNT, record_for_everybody
from app.service.background.subprocess_job import run_with_own_context
from app.service.context import Context
from app.service.pricing.backtest.figures import BacktestFigures, predict_purchases, score_predictions
from app.service.pricing.backtest.verdict_figures import (
    VerdictFigures,
    estimate_trial_quotes,
    judge_trial_quotes,
    make_trial_quotes,
)
from app.service.pricing.calibration_store import (
    describe_measured,
    is_news,
    load_latest_calibration,
    store_calibration,
)
from app.service.pricing.estimate_availability import update_estimate_availability
from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.learning.attribute_impact import collect_attribute_names
from app.service.pricing.learning.calibration_fitting import MAX_PURCHASES, fit_calibration
from app.service.pricing.learning.purchase_pool import PurchasePool
from app.service.pricing.past_purchases import load_latest_purchases
from app.service.purchase_records import Purchase

# How many of the latest purchases are estimated from those before them: at most so many, and such a share.
MAX_MEASURED, MEASURED_SHARE = 500, 0.25
MIN_BEFORE_MEASURED = 40
"""With fewer purchases before them no accuracy is told: they estimate much worse than all of them will."""


def learn_from_purchases(context: Context, _: str) -> None:
    """The task `LEARN`: fit a calibration to past purchases, measure and store it."""
    run_with_own_context(context, _learn_all)


def _learn_all(context: Context) -> None:
    learn_and_store(context)
    update_estimate_availability(context, recheck_available=True)


def learn_and_store(context: Context) -> None:
    """Fit, measure and store a calibration for real purchases. That of the sample data comes with it."""
    with context.database.reading() as connection:
        purchases = load_latest_purchases(connection, MAX_PURCHASES, sample=False)
        previous = load_latest_calibration(connection)
    if not purchases:
        return
    calibration, backtest, verdicts = fit_and_measure(purchases, previous)
    with context.database.writing() as connection:
        if is_news(connection, calibration):
            record_for_everybody(connection, PRICES_LEARNT, context.clock())
        store_calibration(connection, calibration, describe_measured(backtest, verdicts), context.clock())


def fit_and_measure(
    purchases: Sequence[Purchase], previous: Calibration | None = None
) -> tuple[Calibration, BacktestFigures | None, VerdictFigures | None]:
    """A calibration fitted to `purchases` (the latest `MAX_PURCHASES` are enough), with the figures of a
    rolling backtest and of the verdicts on the same purchases.

    Fitting starts at the `previous` calibration. The figures are None where there are too few purchases
    before the latest ones. Takes seconds to two minutes of one processor.
    """
    latest = sorted(purchases, key=lambda row: row.purchase_date)[-MAX_PURCHASES:]
    calibration = fit_calibration(
        Candidates.from_purchases(latest),
        names=collect_attribute_names(latest),
        past_only=True,
        previous=previous,
    )
    measured = min(MAX_MEASURED, int(len(latest) * MEASURED_SHARE))
    if len(latest) - measured < MIN_BEFORE_MEASURED or not measured:
        return calibration, None, None
    # A random choice of the later ones, because a large order at the end would measure one supplier's prices.
    later = np.arange(len(latest) // 2, len(latest))
    chosen: list[int] = np.sort(np.random.default_rng(20_240_229).permutation(later)[:measured]).tolist()
    measured_purchases = [latest[row] for row in chosen]
    predictions = list(predict_purchases(latest, measured_purchases, as_of="rolling"))
    figures = score_predictions(
        predictions,
        [float(row.unit_price) for row in measured_purchases],
        [row.supplier for row in measured_purchases],
    )
    return calibration, figures, _measure_verdicts(latest, chosen)


def _measure_verdicts(purchases: Sequence[Purchase], chosen: Sequence[int]) -> VerdictFigures:
    """Measure the verdicts on quotes made of the purchases at these positions, estimated from earlier
    purchases with a calibration fitted without their orders."""
    orders = {purchases[at].order_id or purchases[at].id for at in chosen}
    candidates = Candidates.from_purchases(purchases)
    others = np.array([at for at, row in enumerate(purchases) if (row.order_id or row.id) not in orders])
    calibration = fit_calibration(
        candidates.take(others), names=collect_attribute_names(purchases), past_only=True
    )
    pool = PurchasePool(candidates, calibration.document_frequencies)
    return judge_trial_quotes(
        estimate_trial_quotes(make_trial_quotes(purchases, chosen), pool, calibration, past_only=True)
    )
