"""What the estimator has learnt, and how good it was on the past."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Json, Key, metadata

calibration = sa.Table(
    "calibration",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("made_at", Instant, nullable=False),
    sa.Column("learnt", sa.Text, nullable=False),  # `pricing.calibration.Calibration` as JSON
    sa.Column("backtest", Json, nullable=False),  # `pricing.backtest.Backtest`; {} where nothing was measured
    sa.Column("learnt_on", sa.Integer, nullable=False),  # purchases
    sa.Column("learnt_until", sa.Date),  # the day of the latest; null where they were too few to learn from
)
