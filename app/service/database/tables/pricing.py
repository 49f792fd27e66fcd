"""What the estimator has learnt, and how good it was on the past."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Json, Key, metadata

calibration = sa.Table(
    "calibration",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("made_at", Instant, nullable=False),
    sa.Column("learnt", sa.Text, nullable=False),  # `pricing.calibration.Calibration` as JSON
    sa.Column("backtest", Json, nullable=False),
)
