"""Learns from the sample purchases what a deployment that shows them begins with.

    python -m tests.benchmarks.sample_fitting

writes `app/service/sample/calibration.json`, the same bytes at each time.
"""

import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from app.service.context import open_context
from app.service.database.schema import migrate
from app.service.pricing.calibration_store import describe_measured
from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.learning.calibration_fitting import MAX_PURCHASES
from app.service.pricing.past_purchases import load_latest_purchases
from app.service.pricing.relearning import fit_and_measure
from app.service.purchase_records import Purchase
from app.service.sample.seeding import CALIBRATION, ensure_sample
from app.settings import Settings

DAY = datetime(2026, 1, 15, tzinfo=UTC)


def draw(day: datetime) -> list[Purchase]:
    """Return the sample purchases as a deployment stores them that starts on a day."""
    with tempfile.TemporaryDirectory() as folder:
        context = open_context(Settings(data_dir=Path(folder)), clock=lambda: day)
        migrate(context.database)
        ensure_sample(context)
        with context.database.reading() as connection:
            purchases = load_latest_purchases(connection, MAX_PURCHASES, sample=True)
        context.close()
    return purchases


def fit() -> str:
    """Return the text of the file."""
    calibration, backtest, verdicts = fit_and_measure(draw(DAY), Calibration())
    made = {"learnt": json.loads(calibration.to_json()), "measured": describe_measured(backtest, verdicts)}
    return json.dumps(made) + "\n"


if __name__ == "__main__":
    Path(str(CALIBRATION)).write_text(fit())
