"""What the estimator has learnt, how good it was on the past, and the rates that it converts with."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Json, Key, metadata

calibration = sa.Table(
    "calibration",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("made_at", Instant, nullable=False),
    sa.Column("sample", sa.Boolean, nullable=False, server_default=sa.false()),  # learnt from invented data
    sa.Column("learnt", sa.Text, nullable=False),  # `Calibration` as JSON
    sa.Column("backtest", Json, nullable=False),  # `BacktestFigures`; {} where not measured
    sa.Column("learnt_on", sa.Integer, nullable=False),  # purchases
    sa.Column("learnt_until", sa.Date),  # the day of the latest; null where they were too few to learn from
)

exchange_rate = sa.Table(
    # On `day` one unit of `base` was worth `rate` units of `currency`, as an import says: where several do,
    # the one that was completed last counts. Empty unless rates are imported.
    "exchange_rate",
    metadata,
    sa.Column("organisation_id", Key, primary_key=True),  # whose; `visibility.EVERYBODY`: the deployment's
    sa.Column("base", sa.String(3), primary_key=True),
    sa.Column("currency", sa.String(3), primary_key=True),
    sa.Column("day", sa.Date, primary_key=True),
    sa.Column("import_id", Key, primary_key=True),  # of `data_import`; "" where the command brought it
    sa.Column("rate", sa.Double, nullable=False),
    sa.Column("imported_at", Instant, nullable=False),
    sa.Index(None, "organisation_id", "imported_at"),
)
