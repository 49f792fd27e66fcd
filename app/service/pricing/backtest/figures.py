"""The figures of a backtest: how accurate predictions are for purchases whose price is known."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from statistics import median
from time import perf_counter
from typing import Any, Literal, Self, TextIO

import numpy as np

from app.service.charges.charge import count_months_of_price
from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates, Flags, Floats, Rows
from app.service.pricing.estimator.distribution import (
    GRID,
    LEVELS,
    NEWNESSES,
    NotEstimable,
    PriceDistribution,
)
from app.service.pricing.estimator.estimate import estimate_among
from app.service.pricing.estimator.prior import PRIOR_COEFFICIENTS
from app.service.pricing.learning.attribute_impact import collect_attribute_names
from app.service.pricing.learning.calibration_fitting import fit_calibration
from app.service.pricing.learning.purchase_pool import PurchasePool
from app.service.purchase_records import PriceQuery, Purchase, encode_value
from app.service.tables.table import RejectedRow

AsOf = Literal["rolling", "frozen"]

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
# The level of a row that the service would refuse to estimate.
_NO_LEVEL = "none"
# Days after which a rolling backtest fits a new calibration, as a deployment does after each import.
_REFIT_DAYS = 365

_GRID: Floats = np.array(GRID, dtype=np.float64)
_COLUMNS = ("row_id", "q10", "q25", "q50", "q75", "q90", "similarity", "refused")


@dataclass(frozen=True, slots=True)
class Prediction:
    """The prediction for one row: unit prices at `QUANTILES`. `order` is the row's, or the row itself where
    it has none."""

    row_id: str
    quantiles: tuple[float, ...]
    similarity: str
    refused: bool
    milliseconds: float
    newness: str = _NO_LEVEL
    order: str = ""


def predict_purchases(
    train: Sequence[Purchase],
    questions: Iterable[Purchase | RejectedRow],
    *,
    as_of: AsOf,
    prior: Floats = PRIOR_COEFFICIENTS,
) -> Iterator[Prediction]:
    """Predict each question, in order; a rejected row gets the coarsest distribution.

    `frozen` predicts from all of `train`, with a calibration fitted to all of it. `rolling` predicts from the
    purchases of `train` before the question's day, with a calibration fitted at the first question's day and
    again every year after it. Calibrations are drawn towards `prior`, the mixture's coefficients.
    """
    return _Predictor(train, as_of, prior).predict_all(list(questions))


class _Predictor:
    def __init__(self, train: Sequence[Purchase], as_of: AsOf, prior: Floats) -> None:
        self._prior = prior
        self._purchases = Candidates.from_purchases(train)
        self._attribute_names = collect_attribute_names(train)
        self._past_only = as_of == "rolling"
        self._last_day = int(self._purchases.day.max()) if train else date.min.toordinal()
        self._first_day = self._last_day
        self._fitted: dict[int, tuple[Calibration, PurchasePool]] = {}

    def predict_all(self, questions: list[Purchase | RejectedRow]) -> Iterator[Prediction]:
        self._first_day = min(
            (self._day_of(question) for question in questions if isinstance(question, Purchase)),
            default=self._last_day,
        )
        for question in questions:
            if isinstance(question, RejectedRow):
                yield self._predict_coarsely(question.row_id, self._last_day + 1, 0, 1.0, 0.0)
            else:
                yield replace(self._predict(question), order=question.order_id or question.id)

    def _predict(self, question: Purchase) -> Prediction:
        query = PriceQuery.from_purchase(question)
        day = self._day_of(question)
        calibration, pool = self._fitted_by(day)
        start = perf_counter()
        query_row = Candidates.from_query(query, day)
        candidates = pool.find_candidates(query_row, past_only=self._past_only)
        price = estimate_among([query], query_row, candidates, calibration)[0]
        milliseconds = 1000 * (perf_counter() - start)
        periods = count_months_of_price(question.price_period, question.term_months) or 1
        if isinstance(price, NotEstimable):
            return self._predict_coarsely(
                question.id, day, encode_value("currency", question.currency), periods, milliseconds
            )
        return _prediction(question.id, price, np.log(periods) if price.recurring else 0.0, milliseconds)

    def _day_of(self, question: Purchase) -> int:
        stated = question.purchase_date.toordinal()
        return stated if stated > _UNDATED else self._last_day

    def _fitted_by(self, day: int) -> tuple[Calibration, PurchasePool]:
        """The calibration fitted by that day, and the pool to find candidates in; fitted once for each
        period."""
        period = (day - self._first_day) // _REFIT_DAYS if self._past_only else 0
        fitted = self._fitted.get(period)
        if fitted is None:
            past = self._purchases
            if self._past_only:
                past = past.take(np.flatnonzero(past.day < self._first_day + period * _REFIT_DAYS))
            before = self._fitted[max(self._fitted)][0] if self._fitted else None
            calibration = fit_calibration(
                past,
                names=self._attribute_names,
                past_only=self._past_only,
                previous=before,
                prior=self._prior,
            )
            fitted = calibration, PurchasePool(self._purchases, calibration.document_frequencies)
            # The rows of a file are mostly in order of their day, or few, so that older periods are rarely
            # needed.
            if len(self._fitted) >= _MAX_PERIODS:
                self._fitted.clear()
            self._fitted[period] = fitted
        return fitted

    def _predict_coarsely(
        self, row_id: str, day: int, currency: int, periods: float, milliseconds: float
    ) -> Prediction:
        """The prediction without comparables: the distribution of the prices of all purchases."""
        fitted = np.ones(len(self._purchases), dtype=np.bool_)
        if currency:
            fitted &= self._purchases.currency == currency
        if self._past_only:
            fitted &= self._purchases.day < day
        rates = self._purchases.log_rate[fitted] if fitted.any() else np.zeros(1)
        log_prices = np.quantile(rates, _GRID) + np.log(periods)
        return Prediction(row_id, _quantile_prices(log_prices), _NO_LEVEL, True, milliseconds)


_UNDATED = date(1970, 1, 1).toordinal()
_MAX_PERIODS = 40


def _prediction(row_id: str, price: PriceDistribution, log_periods: float, milliseconds: float) -> Prediction:
    log_prices = price.log_unit_prices + log_periods
    return Prediction(row_id, _quantile_prices(log_prices), price.level, False, milliseconds, price.newness)


def _quantile_prices(log_prices: Floats) -> tuple[float, ...]:
    return tuple(np.exp(np.interp(QUANTILES, _GRID, log_prices)).tolist())


def write_predictions(predictions: Iterable[Prediction], file: TextIO) -> Iterator[Prediction]:
    """Write each prediction as a line of CSV (unit prices), and yield it once it is written."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for prediction in predictions:
        prices = (f"{price:.7g}" for price in prediction.quantiles)
        writer.writerow((prediction.row_id, *prices, prediction.similarity, int(prediction.refused)))
        yield prediction
    file.flush()


_QUANTILES = np.array(QUANTILES)
_TOLERANCE = 1e-9

MIN_SUPPLIER_PURCHASES = 20
"""How many estimates of a supplier (or level) must be measured before their accuracy is shown."""


@dataclass(frozen=True, slots=True)
class LevelFigures:
    """The figures of the estimates of one level of similarity."""

    level: str
    n: int
    pinball: float
    coverage80: float
    coverage50: float
    width: float
    mdape: float | None = None
    orders: int | None = None
    coverage80_error: float | None = None


@dataclass(frozen=True, slots=True)
class NewnessFigures:
    """The figures of the estimates of one newness, as those of a level."""

    newness: str
    n: int
    orders: int
    coverage80: float
    coverage80_error: float | None
    width: float


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


@dataclass(frozen=True, slots=True, kw_only=True)
class BacktestFigures:
    """The figures of a backtest.

    `pinball` is the mean pinball loss of ln unit price over the 10, 25, 50, 75 and 90 % quantiles,
    `coverage80` and `coverage50` the share of prices inside the intervals, `mdape` the median absolute
    error of the median as a share of the price, `width` the median of q90/q10, `ms` the median
    milliseconds of an estimate. `refused` of the `n` rows would have got no estimate from the service
    and are scored with the coarsest distribution. The rows are of `orders`, and `coverage80_error` is the
    standard error of `coverage80` with the rows of an order counted as dependent; None for one order.
    """

    n: int
    refused: int
    pinball: float
    coverage80: float
    coverage50: float
    mdape: float
    width: float
    ms: float
    orders: int | None = None
    coverage80_error: float | None = None
    by_similarity: tuple[LevelFigures, ...]
    by_newness: tuple[NewnessFigures, ...] = ()
    by_supplier: Mapping[str, AccuracyFigures] = field(default_factory=dict[str, AccuracyFigures])

    def to_record(self) -> dict[str, Any]:
        """The figures as a JSON object, under the names that `parley backtest --json` prints."""
        record = self.to_stored_record()
        del record["by_supplier"]
        for level in record["by_similarity"]:
            del level["mdape"]
        return record

    def to_stored_record(self) -> dict[str, Any]:
        """The record to store: also the figures by supplier."""
        return asdict(self)


class NothingToScore(ValueError):
    """No test row has a price to compare its prediction with."""


def score_predictions(
    predictions: Sequence[Prediction],
    unit_prices: Sequence[float | None],
    suppliers: Sequence[str] | None = None,
) -> BacktestFigures:
    """Score predictions against prices; a row without a price is not counted. Given the supplier of each row,
    the figures of suppliers with `MIN_SUPPLIER_PURCHASES` are included. NothingToScore without any price."""
    scored = [
        (prediction, price)
        for prediction, price in zip(predictions, unit_prices, strict=True)
        if price is not None
    ]
    if not scored:
        raise NothingToScore("no test row has a price")
    prices = np.log([price for _, price in scored])
    predicted = np.log([prediction.quantiles for prediction, _ in scored])
    of_level = np.array([prediction.similarity for prediction, _ in scored])
    pinball = _pinball_loss(prices, predicted)
    inside80, inside50 = _is_inside(prices, predicted, 0, 4), _is_inside(prices, predicted, 1, 3)
    width = np.exp(predicted[:, 4] - predicted[:, 0])
    error = np.abs(np.expm1(predicted[:, 2] - prices))
    scored_suppliers = np.array(
        [supplier for supplier, price in zip(suppliers or [], unit_prices, strict=False) if price is not None]
    )
    order = np.unique(
        [prediction.order or prediction.row_id for prediction, _ in scored], return_inverse=True
    )[1]
    of_newness = np.array([prediction.newness for prediction, _ in scored])

    def describe(chosen: Flags) -> dict[str, Any]:
        return {
            "n": int(chosen.sum()),
            "pinball": _mean(pinball[chosen]),
            "coverage80": _mean(inside80[chosen]),
            "coverage50": _mean(inside50[chosen]),
            "width": round(float(np.median(width[chosen])), 4),
            "mdape": _median(error[chosen]),
            "orders": len(np.unique(order[chosen])),
            "coverage80_error": clustered_error(inside80[chosen], order[chosen]),
        }

    return BacktestFigures(
        **describe(np.ones(len(scored), dtype=np.bool_)),
        refused=sum(prediction.refused for prediction, _ in scored),
        ms=round(median(prediction.milliseconds for prediction, _ in scored), 3),
        by_similarity=tuple(
            LevelFigures(level, **describe(chosen))
            for level in (*LEVELS, _NO_LEVEL)
            if (chosen := of_level == level).any()
        ),
        by_newness=tuple(
            NewnessFigures(
                newness, one["n"], one["orders"], one["coverage80"], one["coverage80_error"], one["width"]
            )
            for newness in NEWNESSES
            if (chosen := of_newness == newness).any()
            for one in [describe(chosen)]
        ),
        by_supplier={
            str(supplier): AccuracyFigures(
                int(of_supplier.sum()), _median(error[of_supplier]), _mean(inside80[of_supplier])
            )
            for supplier in np.unique(scored_suppliers)
            if (of_supplier := scored_suppliers == supplier).sum() >= MIN_SUPPLIER_PURCHASES
        },
    )


def clustered_error(values: Floats, order: Rows) -> float | None:
    """The standard error of the mean of `values`, those of one order being dependent; None for one order."""
    number, group = np.unique(order, return_inverse=True)
    if len(number) < 2:
        return None
    sums = np.bincount(group, weights=values - values.mean())
    small = len(number) / (len(number) - 1)
    return round(float(np.sqrt(small * (sums @ sums)) / len(values)), 5)


def _pinball_loss(prices: Floats, predicted: Floats) -> Floats:
    error = prices[:, None] - predicted
    return np.maximum(_QUANTILES * error, (_QUANTILES - 1) * error).mean(axis=1)


def _is_inside(prices: Floats, predicted: Floats, low: int, high: int) -> Floats:
    return ((prices >= predicted[:, low] - _TOLERANCE) & (prices <= predicted[:, high] + _TOLERANCE)).astype(
        np.float64
    )


def _median(values: Floats) -> float:
    return round(float(np.median(values)), 5)


def _mean(values: Floats) -> float:
    return round(float(values.mean()), 5)
