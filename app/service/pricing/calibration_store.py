"""Calibrations and how accurate they were, in the database; the latest ones also in memory."""

import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.engine import memory_of
from app.service.database.tables import calibration
from app.service.ids import new_id
from app.service.pricing.backtest.figures import MIN_SUPPLIER_PURCHASES, AccuracyFigures, BacktestFigures
from app.service.pricing.backtest.verdict_figures import VerdictFigures
from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.distribution import Level

log = logging.getLogger(__name__)

STORED_CALIBRATIONS = 5
"""How many of the latest calibrations stay on record."""

AccuracyBasis = Literal["supplier", "level", "all", "not_measured"]

_LATEST = (
    sa.select(calibration.c.id)
    .where(calibration.c.sample == sa.bindparam("sample", type_=sa.Boolean))
    .order_by(calibration.c.made_at.desc(), calibration.c.id.desc())
    .limit(1)
)


_LATEST_MEASURED = _LATEST.with_only_columns(calibration.c.backtest).where(
    calibration.c.learnt_until.is_not(None)
)


@dataclass(slots=True)
class CalibrationsInMemory:
    """The latest calibrations that a process has read, by whether they are of sample data, with their ids."""

    by_sample: dict[bool, tuple[str, Calibration]] = field(
        default_factory=dict[bool, tuple[str, Calibration]]
    )


def load_latest_calibration(connection: Connection, *, sample: bool = False) -> Calibration:
    """The latest calibration, of real purchases or of the sample data; the built-in prior where there is
    none, or only one of another version. Reading its megabyte takes longer than an estimate, so a process
    does it once."""
    latest: str | None = connection.scalar(_LATEST, {"sample": sample})
    if latest is None:
        return _PRIOR
    memory = memory_of(connection).get(CalibrationsInMemory).by_sample
    known = memory.get(sample)
    if known is None or known[0] != latest:
        text = connection.scalar(sa.select(calibration.c.learnt).where(calibration.c.id == latest))
        known = memory[sample] = latest, _parse_calibration(str(text))
    return known[1]


def _parse_calibration(text: str) -> Calibration:
    try:
        return Calibration.from_json(text)
    except ValueError as error:
        log.warning("Estimates are made with the built-in prior until the next import: %s.", error)
        return _PRIOR


def describe_measured(backtest: BacktestFigures | None, verdicts: VerdictFigures | None) -> dict[str, Any]:
    """Return as a record to store how accurate a calibration and its verdicts were."""
    if backtest is None:
        return {}
    figures: dict[str, Any] = backtest.to_stored_record()
    return figures if verdicts is None else figures | {"verdicts": asdict(verdicts)}


def store_calibration(
    connection: Connection,
    fitted: Calibration,
    measured: Mapping[str, Any],
    now: datetime,
    *,
    sample: bool = False,
) -> None:
    """Store the calibration that estimates use from now on, with what `describe_measured` returned."""
    connection.execute(
        calibration.insert().values(
            id=new_id(),
            made_at=now,
            sample=sample,
            learnt=fitted.to_json(),
            backtest=measured,
            learnt_on=fitted.learnt_on,
            learnt_until=fitted.learnt_until,
        )
    )
    kept_ids = connection.scalars(_LATEST.limit(STORED_CALIBRATIONS), {"sample": sample}).all()
    connection.execute(
        calibration.delete().where(
            calibration.c.sample.is_(sa.true() if sample else sa.false()), calibration.c.id.not_in(kept_ids)
        )
    )


def is_news(connection: Connection, fitted: Calibration) -> bool:
    """Whether a calibration of real purchases was learnt from others than the latest. The same work, done
    again after a worker died, is no news."""
    latest = connection.execute(
        sa.select(calibration.c.learnt_on, calibration.c.learnt_until).where(
            calibration.c.id.in_(_LATEST.params(sample=False))
        )
    ).first()
    return latest is None or tuple(latest) != (fitted.learnt_on, fitted.learnt_until)


@dataclass(frozen=True, slots=True)
class MeasuredAccuracy:
    """The figures of a backtest by supplier id, by level of similarity, and of all estimates (None where
    nothing was measured); how many verdicts were given on quotes made of the same purchases, and how many of
    them were wrong."""

    by_supplier: Mapping[str, AccuracyFigures] = field(default_factory=dict[str, AccuracyFigures])
    by_level: Mapping[str, AccuracyFigures] = field(default_factory=dict[str, AccuracyFigures])
    overall: AccuracyFigures | None = None
    verdicts: int | None = None
    wrong_verdicts: int | None = None

    def most_specific(self, supplier: str, level: Level) -> tuple[AccuracyBasis, AccuracyFigures | None]:
        """The figures of the supplier if enough of its purchases were measured, else of the level, else of
        all."""
        candidates: tuple[tuple[AccuracyBasis, AccuracyFigures | None], ...] = (
            ("supplier", self.by_supplier.get(supplier)),
            ("level", self.by_level.get(level)),
            ("all", self.overall),
        )
        for basis, figures in candidates:
            if figures and figures.n >= MIN_SUPPLIER_PURCHASES and figures.mdape is not None:
                return basis, figures
        return "not_measured", None


def load_accuracy(connection: Connection, *, sample: bool) -> MeasuredAccuracy:
    """The accuracy of the latest calibration that was measured, as `describe_measured` wrote it."""
    figures: Mapping[str, Any] | None = connection.scalar(_LATEST_MEASURED, {"sample": sample})
    if not figures:
        return MeasuredAccuracy()
    verdicts = figures.get("verdicts", {})
    return MeasuredAccuracy(
        by_supplier={
            supplier: AccuracyFigures.from_record(record)
            for supplier, record in figures.get("by_supplier", {}).items()
        },
        by_level={
            record["level"]: AccuracyFigures.from_record(record) for record in figures["by_similarity"]
        },
        overall=AccuracyFigures.from_record(figures),
        verdicts=verdicts.get("given"),
        wrong_verdicts=verdicts.get("wrong"),
    )


_PRIOR = Calibration()
