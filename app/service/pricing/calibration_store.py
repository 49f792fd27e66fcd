"""Calibrations and how accurate they were, in the database; the latest ones also in memory."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from typing import Any, Literal, Self

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.pricing import (
    CalibrationLevel,
    CalibrationNewness,
    CalibrationPoint,
    CalibrationVerdicts,
    PriceCalibration,
)
from app.service.database.process_memory import memory_of
from app.service.database.sample_rule import has_real_data
from app.service.database.tables.pricing import calibration
from app.service.ids import new_id
from app.service.pricing.backtest.figures import MIN_SUPPLIER_PURCHASES, BacktestFigures
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
    return figures if verdicts is None else figures | {"verdicts": verdicts.to_stored_record()}


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


def load_backtest(
    connection: Connection, organisation_id: str | None, *, sample: bool | None = None
) -> PriceCalibration | None:
    """The figures of the latest calibration that was measured, of real purchases or of the sample data.
    Without `sample` it is of real ones, or of the sample data as long as that counts."""
    if sample is None:
        measured = load_backtest(connection, organisation_id, sample=False)
        if measured or connection.scalar(sa.select(has_real_data(organisation_id))):
            return measured
        return load_backtest(connection, organisation_id, sample=True)
    row = _load_latest_measured(connection, sample)
    if row is None:
        return None
    figures = row.backtest
    verdicts = figures.get("verdicts")
    return PriceCalibration(
        made_at=row.made_at,
        sample=sample,
        learnt_on=row.learnt_on,
        learnt_until=row.learnt_until,
        by_similarity=[CalibrationLevel(**level) for level in figures["by_similarity"]],
        percentiles=[CalibrationPoint(told=told, below=below) for told, below in figures["percentiles"]],
        orders=figures.get("orders"),
        coverage80_error=figures.get("coverage80_error"),
        by_newness=[CalibrationNewness(**one) for one in figures.get("by_newness", [])],
        verdicts=None if verdicts is None else CalibrationVerdicts(**verdicts),
        **{name: figures[name] for name in _FIGURES},
    )


@dataclass(frozen=True, slots=True)
class AccuracyFigures:
    """How accurate `n` estimates were: the median absolute error as a share of the price, and the share of
    prices inside the interval of 80 %."""

    n: int
    mdape: float | None
    coverage80: float

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        return cls(record["n"], record.get("mdape"), record["coverage80"])


@dataclass(frozen=True, slots=True)
class MeasuredAccuracy:
    """The figures of a backtest by supplier id, by level of similarity, and of all estimates (None where
    nothing was measured)."""

    by_supplier: Mapping[str, AccuracyFigures] = field(default_factory=dict[str, AccuracyFigures])
    by_level: Mapping[str, AccuracyFigures] = field(default_factory=dict[str, AccuracyFigures])
    overall: AccuracyFigures | None = None

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
    """The accuracy of the latest calibration that was measured."""
    row = _load_latest_measured(connection, sample)
    if row is None:
        return MeasuredAccuracy()
    figures = row.backtest
    return MeasuredAccuracy(
        by_supplier={
            supplier: AccuracyFigures.from_record(record)
            for supplier, record in figures.get("by_supplier", {}).items()
        },
        by_level={
            record["level"]: AccuracyFigures.from_record(record) for record in figures["by_similarity"]
        },
        overall=AccuracyFigures.from_record(figures),
    )


@dataclass(frozen=True, slots=True)
class _MeasuredCalibration:
    """`backtest` is what `BacktestFigures.to_stored_record` wrote, with the figures of verdicts."""

    made_at: datetime
    learnt_on: int
    learnt_until: date
    backtest: Mapping[str, Any]


def _load_latest_measured(connection: Connection, sample: bool) -> _MeasuredCalibration | None:
    columns = (calibration.c[field.name] for field in fields(_MeasuredCalibration))
    rows = connection.execute(
        sa.select(*columns)
        .where(
            calibration.c.learnt_until.is_not(None),
            calibration.c.sample.is_(sa.true() if sample else sa.false()),
        )
        .order_by(calibration.c.made_at.desc(), calibration.c.id.desc())
        .limit(1)
    )
    row = rows.first()
    return _MeasuredCalibration(*row) if row is not None and row.backtest else None


_PRIOR = Calibration()
_FIGURES = ("n", "refused", "pinball", "coverage80", "coverage50", "mdape", "width")
