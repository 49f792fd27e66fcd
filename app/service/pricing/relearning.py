"""What a deployment does after an import: learn anew, and measure itself on its latest purchases."""

from collections.abc import Sequence

import numpy as np

from app.service.background.subprocess_job import run_in_subprocess
from app.service.context import Context, open_context
from app.service.pricing.backtest.figures import BacktestFigures, score_predictions
from app.service.pricing.backtest.prediction import predict_purchases
from app.service.pricing.backtest.verdict_figures import (
    VerdictFigures,
    estimate_trial_quotes,
    judge_trial_quotes,
    make_trial_quotes,
)
from app.service.pricing.calibration_store import load_latest_calibration, store_calibration
from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.learning.attribute_impact import collect_attribute_names
from app.service.pricing.learning.calibration_fitting import MAX_PURCHASES, MIN_PURCHASES, fit_calibration
from app.service.pricing.learning.purchase_pool import PurchasePool
from app.service.pricing.past_purchases import load_latest_purchases
from app.service.purchase_records.records import Purchase
from app.settings import Settings

# The latest purchases that are estimated again from those before them, at most so many and such a share.
MAX_MEASURED, MEASURED_SHARE = 500, 0.25


def learn_from_purchases(context: Context, _: str) -> None:
    """The task `LEARN`: learns from past purchases, keeps that and how right it was."""
    run_in_subprocess(_learn_in_subprocess, context.settings)


def _learn_in_subprocess(settings: Settings) -> None:
    context = open_context(settings)
    try:
        learn_and_store(context)
    finally:
        context.close()


def learn_and_store(context: Context) -> None:
    """Learns from the latest purchases on record, here and now: from real ones and, apart, from those of
    invented suppliers, where there are any."""
    for sample in (False, True):
        with context.database.reading() as connection:
            purchases = load_latest_purchases(connection, MAX_PURCHASES, sample=sample)
            before = load_latest_calibration(connection, sample=sample)
        if not purchases and (sample or before.learnt_on):
            continue
        learnt, backtest, verdicts = fit_and_measure(purchases, before)
        with context.database.writing() as connection:
            store_calibration(connection, learnt, backtest, context.clock(), sample=sample, verdicts=verdicts)


def fit_and_measure(
    purchases: Sequence[Purchase], before: Calibration | None = None
) -> tuple[Calibration, BacktestFigures | None, VerdictFigures | None]:
    """A calibration learnt on `purchases` (the latest `MOST_PURCHASES` are enough), a rolling backtest, and
    how often verdicts on the same purchases are wrong.

    `before` is the calibration in use, from which learning starts. The figures are None where there are
    too few purchases before the latest ones to say anything. Takes seconds to two minutes of one processor.
    """
    latest = sorted(purchases, key=lambda row: row.purchase_date)[-MAX_PURCHASES:]
    calibration = fit_calibration(
        Candidates.from_purchases(latest),
        names=collect_attribute_names(latest),
        past_only=True,
        previous=before,
    )
    measured = min(MAX_MEASURED, int(len(latest) * MEASURED_SHARE))
    if len(latest) - measured < MIN_PURCHASES or not measured:
        return calibration, None, None
    # Random among the later ones: a single large order at the end would measure one supplier's prices.
    later = np.arange(len(latest) // 2, len(latest))
    chosen: list[int] = np.sort(np.random.default_rng(20_240_229).permutation(later)[:measured]).tolist()
    asked = [latest[row] for row in chosen]
    told = list(predict_purchases(latest, asked, as_of="rolling"))
    figures = score_predictions(
        told, [float(row.unit_price) for row in asked], [row.supplier for row in asked]
    )
    return calibration, figures, _measure_verdicts(latest, chosen)


def _measure_verdicts(purchases: Sequence[Purchase], chosen: Sequence[int]) -> VerdictFigures:
    """The verdicts on quotes made of the purchases at these positions, estimated from those before them with
    what was learnt without their orders."""
    orders = {purchases[at].order_id or purchases[at].id for at in chosen}
    everything = Candidates.from_purchases(purchases)
    others = np.array([at for at, row in enumerate(purchases) if (row.order_id or row.id) not in orders])
    learnt = fit_calibration(
        everything.take(others), names=collect_attribute_names(purchases), past_only=True
    )
    market = PurchasePool(everything, learnt.document_frequencies)
    return judge_trial_quotes(
        estimate_trial_quotes(make_trial_quotes(purchases, chosen), market, learnt, past_only=True)
    )
