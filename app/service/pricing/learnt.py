"""What was learnt from past purchases, kept in the database and, once read, in memory."""

import logging
from datetime import datetime
from typing import Any
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from sqlalchemy import Connection, Engine

from app.contract.pricing import CalibrationLevel, CalibrationPoint, PriceCalibration
from app.service.database.tables.pricing import calibration
from app.service.ids import new_id
from app.service.pricing.backtest import Backtest
from app.service.pricing.calibration import Calibration

log = logging.getLogger(__name__)

KEPT = 5
"""Calibrations that stay on record, the latest."""

_read: WeakKeyDictionary[Engine, tuple[str, Calibration]] = WeakKeyDictionary()
_LATEST = sa.select(calibration.c.id).order_by(calibration.c.made_at.desc(), calibration.c.id.desc()).limit(1)


def latest_calibration(connection: Connection) -> Calibration:
    """What was learnt last; the built-in prior before anything was, and
    where another version of the service learnt it. Reading its megabyte takes longer than an
    estimate, so a process does that once."""
    latest: str | None = connection.scalar(_LATEST)
    if latest is None:
        return _PRIOR
    known = _read.get(connection.engine)
    if known is None or known[0] != latest:
        text = connection.scalar(sa.select(calibration.c.learnt).where(calibration.c.id == latest))
        known = _read[connection.engine] = latest, _readable(str(text))
    return known[1]


def _readable(text: str) -> Calibration:
    try:
        return Calibration.from_json(text)
    except ValueError as error:
        log.warning("Estimates are made with the built-in prior until the next import: %s.", error)
        return _PRIOR


def keep_calibration(
    connection: Connection, learnt: Calibration, backtest: Backtest | None, now: datetime
) -> None:
    """What estimates are made with from now on, and how good it was on the past."""
    connection.execute(
        calibration.insert().values(
            id=new_id(),
            made_at=now,
            learnt=learnt.to_json(),
            backtest={} if backtest is None else backtest.as_stored(),
            learnt_on=learnt.learnt_on,
            learnt_until=learnt.learnt_until,
        )
    )
    kept = _LATEST.with_only_columns(calibration.c.id).limit(KEPT)
    connection.execute(calibration.delete().where(calibration.c.id.not_in(kept)))


def stored_backtest(connection: Connection) -> PriceCalibration | None:
    """The figures of the latest calibration that was measured."""
    row = connection.execute(
        sa.select(
            calibration.c.made_at, calibration.c.learnt_on, calibration.c.learnt_until, calibration.c.backtest
        )
        .where(calibration.c.learnt_until.is_not(None))
        .order_by(calibration.c.made_at.desc(), calibration.c.id.desc())
        .limit(1)
    ).first()
    if row is None or not row.backtest:
        return None
    figures: dict[str, Any] = row.backtest
    return PriceCalibration(
        made_at=row.made_at,
        learnt_on=row.learnt_on,
        learnt_until=row.learnt_until,
        by_similarity=[CalibrationLevel(**level) for level in figures["by_similarity"]],
        percentiles=[CalibrationPoint(told=told, below=below) for told, below in figures["percentiles"]],
        **{name: figures[name] for name in _FIGURES},
    )


_PRIOR = Calibration()
_FIGURES = ("n", "refused", "pinball", "coverage80", "coverage50", "mdape", "width")
