"""Predicts the prices of past purchases without reading them, as the service would have estimated them."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from time import perf_counter
from typing import Literal, TextIO

import numpy as np

from app.service.charges.charge import count_months_of_price
from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates, Floats
from app.service.pricing.estimator.distribution import GRID, NotEstimable, PriceDistribution
from app.service.pricing.estimator.estimate import estimate_among
from app.service.pricing.estimator.prior import PRIOR_COEFFICIENTS
from app.service.pricing.learning.attribute_impact import collect_attribute_names
from app.service.pricing.learning.calibration_fitting import fit_calibration
from app.service.pricing.learning.purchase_pool import PurchasePool
from app.service.purchase_records.packing import encode_value
from app.service.purchase_records.records import PriceQuery, Purchase
from app.service.tables.table import RejectedRow

AsOf = Literal["rolling", "frozen"]

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
# The level of a row that the service would refuse to estimate.
NO_LEVEL = "none"
# Days after which a rolling backtest fits a new calibration, as a deployment does after each import.
REFIT_DAYS = 365

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
    newness: str = NO_LEVEL
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
        period = (day - self._first_day) // REFIT_DAYS if self._past_only else 0
        fitted = self._fitted.get(period)
        if fitted is None:
            past = self._purchases
            if self._past_only:
                past = past.take(np.flatnonzero(past.day < self._first_day + period * REFIT_DAYS))
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
        return Prediction(row_id, _quantile_prices(log_prices), NO_LEVEL, True, milliseconds)


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
