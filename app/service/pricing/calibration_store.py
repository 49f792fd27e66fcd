"""What was learnt from past purchases, kept in the database and, once read, in memory."""

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, Row

from app.contract.pricing import (
    CalibrationLevel,
    CalibrationPoint,
    CalibrationVerdicts,
    PriceCalibration,
)
from app.service.database.tables.pricing import calibration
from app.service.database.tables.purchases import article, purchase
from app.service.database.visibility import visible_to
from app.service.ids import new_id
from app.service.pricing.backtest.figures import BacktestFigures
from app.service.pricing.backtest.verdict_figures import VerdictFigures
from app.service.pricing.estimator.calibration import Calibration

log = logging.getLogger(__name__)

STORED_CALIBRATIONS = 5
"""Calibrations that stay on record, the latest."""

_read: WeakKeyDictionary[Engine, dict[bool, tuple[str, Calibration]]] = WeakKeyDictionary()
_LATEST = (
    sa.select(calibration.c.id)
    .where(calibration.c.sample == sa.bindparam("sample", type_=sa.Boolean))
    .order_by(calibration.c.made_at.desc(), calibration.c.id.desc())
    .limit(1)
)


def latest_calibration(connection: Connection, *, sample: bool = False) -> Calibration:
    """What was learnt last from real purchases, or from those of invented suppliers; the built-in prior
    before anything was, and where another version of the service learnt it. Reading its megabyte takes longer
    than an estimate, so a process does that once."""
    latest: str | None = connection.scalar(_LATEST, {"sample": sample})
    if latest is None:
        return _PRIOR
    read = _read.setdefault(connection.engine, {})
    known = read.get(sample)
    if known is None or known[0] != latest:
        text = connection.scalar(sa.select(calibration.c.learnt).where(calibration.c.id == latest))
        known = read[sample] = latest, _parse_calibration(str(text))
    return known[1]


def _parse_calibration(text: str) -> Calibration:
    try:
        return Calibration.from_json(text)
    except ValueError as error:
        log.warning("Estimates are made with the built-in prior until the next import: %s.", error)
        return _PRIOR


def store_calibration(
    connection: Connection,
    learnt: Calibration,
    backtest: BacktestFigures | None,
    now: datetime,
    *,
    sample: bool = False,
    verdicts: VerdictFigures | None = None,
) -> None:
    """What estimates are made with from now on, and how good it and its verdicts were on the past."""
    figures = {} if backtest is None else backtest.to_stored_record()
    if figures and verdicts is not None:
        figures["verdicts"] = verdicts.to_stored_record()
    connection.execute(
        calibration.insert().values(
            id=new_id(),
            made_at=now,
            sample=sample,
            learnt=learnt.to_json(),
            backtest=figures,
            learnt_on=learnt.learnt_on,
            learnt_until=learnt.learnt_until,
        )
    )
    kept = connection.scalars(_LATEST.limit(STORED_CALIBRATIONS), {"sample": sample}).all()
    connection.execute(
        calibration.delete().where(
            calibration.c.sample.is_(sa.true() if sample else sa.false()), calibration.c.id.not_in(kept)
        )
    )


def load_backtest(
    connection: Connection, organisation_id: str | None, *, sample: bool | None = None
) -> PriceCalibration | None:
    """The figures of the latest calibration that was measured: of real purchases, or of invented suppliers'.
    Where it is not said which, of real ones, unless the organisation sees none of those."""
    if sample is None:
        measured = load_backtest(connection, organisation_id, sample=False)
        if measured or _sees_real_purchases(connection, organisation_id):
            return measured
        return load_backtest(connection, organisation_id, sample=True)
    row = _load_latest_measured(connection, sample)
    if row is None:
        return None
    figures: dict[str, Any] = row.backtest
    verdicts = figures.get("verdicts")
    return PriceCalibration(
        made_at=row.made_at,
        sample=sample,
        learnt_on=row.learnt_on,
        learnt_until=row.learnt_until,
        by_similarity=[CalibrationLevel(**level) for level in figures["by_similarity"]],
        percentiles=[CalibrationPoint(told=told, below=below) for told, below in figures["percentiles"]],
        verdicts=None if verdicts is None else CalibrationVerdicts(**verdicts),
        **{name: figures[name] for name in _FIGURES},
    )


def load_accuracy(connection: Connection, *, sample: bool) -> Mapping[str, Any]:
    """The figures of the same calibration as they are stored; empty where nothing was measured."""
    row = _load_latest_measured(connection, sample)
    return {} if row is None else row.backtest


def _load_latest_measured(connection: Connection, sample: bool) -> Row[Any] | None:
    columns = (calibration.c[name] for name in ("made_at", "learnt_on", "learnt_until", "backtest"))
    row: Row[Any] | None = connection.execute(
        sa.select(*columns)
        .where(
            calibration.c.learnt_until.is_not(None),
            calibration.c.sample.is_(sa.true() if sample else sa.false()),
        )
        .order_by(calibration.c.made_at.desc(), calibration.c.id.desc())
        .limit(1)
    ).first()
    return row if row is not None and row.backtest else None


def _sees_real_purchases(connection: Connection, organisation_id: str | None) -> bool:
    """Whether the organisation sees a purchase of a supplier that is not invented."""
    real = sa.select(purchase.c.id).join(article, article.c.id == purchase.c.article_id)
    found = real.where(article.c.sample.is_(sa.false()), visible_to(purchase.c, organisation_id)).limit(1)
    return connection.scalar(found) is not None


_PRIOR = Calibration()
_FIGURES = ("n", "refused", "pinball", "coverage80", "coverage50", "mdape", "width")
