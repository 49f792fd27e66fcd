"""What a deployment does after an import: learn anew, and measure itself on its latest purchases."""

from collections.abc import Sequence

import numpy as np

from app.service.background.aside import aside
from app.service.context import Context, open_context
from app.service.pricing.backtest import Backtest, score
from app.service.pricing.calibration import Calibration
from app.service.pricing.candidates import Candidates
from app.service.pricing.impact import attribute_names
from app.service.pricing.learning import FEWEST, MOST_PURCHASES, learn
from app.service.pricing.learnt import keep_calibration, latest_calibration
from app.service.pricing.prediction import predict
from app.service.pricing.store import latest_purchases
from app.service.purchases.records import Purchase
from app.settings import Settings

# The latest purchases that are estimated again from those before them, at most so many and such a share.
MOST_MEASURED, MEASURED_SHARE = 500, 0.25


def learn_from_purchases(context: Context, _: str) -> None:
    """The task `LEARN`: learns from past purchases, keeps that and how right it was."""
    aside(_learn, context.settings)


def _learn(settings: Settings) -> None:
    context = open_context(settings)
    try:
        learn_and_keep(context)
    finally:
        context.database.close()


def learn_and_keep(context: Context) -> None:
    """Learns from the latest purchases on record, here and now."""
    with context.database.reading() as connection:
        purchases = latest_purchases(connection, MOST_PURCHASES)
        before = latest_calibration(connection)
    learnt, backtest = relearn(purchases, before)
    with context.database.writing() as connection:
        keep_calibration(connection, learnt, backtest, context.clock())


def relearn(
    purchases: Sequence[Purchase], before: Calibration | None = None
) -> tuple[Calibration, Backtest | None]:
    """A calibration learnt on `purchases` (the latest `MOST_PURCHASES` are enough), and a rolling backtest.

    `before` is the calibration in use, from which learning starts. The backtest is None where there are
    too few purchases before the latest ones to say anything. Takes seconds to a minute of one processor.
    """
    latest = sorted(purchases, key=lambda row: row.purchase_date)[-MOST_PURCHASES:]
    calibration = learn(Candidates.of(latest), names=attribute_names(latest), past_only=True, before=before)
    measured = min(MOST_MEASURED, int(len(latest) * MEASURED_SHARE))
    if len(latest) - measured < FEWEST or not measured:
        return calibration, None
    # Random among the later ones: a single large order at the end would measure one supplier's prices.
    later = np.arange(len(latest) // 2, len(latest))
    chosen: list[int] = np.sort(np.random.default_rng(20_240_229).permutation(later)[:measured]).tolist()
    told = list(predict(latest, [latest[row] for row in chosen], as_of="rolling"))
    return calibration, score(told, [float(latest[row].unit_price) for row in chosen])
