"""What was learnt from past purchases, kept in the database and, once read, in memory."""

from weakref import WeakKeyDictionary

import sqlalchemy as sa
from sqlalchemy import Connection, Engine

from app.service.database.tables.pricing import calibration
from app.service.pricing.calibration import Calibration

KEPT = 5
"""Calibrations that stay on record, the latest."""

_read: WeakKeyDictionary[Engine, tuple[str, Calibration]] = WeakKeyDictionary()
_LATEST = sa.select(calibration.c.id).order_by(calibration.c.made_at.desc(), calibration.c.id.desc()).limit(1)


def latest_calibration(connection: Connection) -> Calibration:
    """What was learnt last; the built-in prior before anything was. Reading its megabyte takes longer than an
    estimate, so a process does that once."""
    latest: str | None = connection.scalar(_LATEST)
    if latest is None:
        return _PRIOR
    known = _read.get(connection.engine)
    if known is None or known[0] != latest:
        text = connection.scalar(sa.select(calibration.c.learnt).where(calibration.c.id == latest))
        known = _read[connection.engine] = latest, Calibration.from_json(str(text))
    return known[1]


_PRIOR = Calibration()
