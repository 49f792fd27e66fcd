"""The figures of a backtest: how accurate predictions are for purchases whose price is known."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any

import numpy as np

from app.service.pricing.backtest.prediction import NO_LEVEL, QUANTILES, Prediction
from app.service.pricing.estimator.candidates import Floats, Rows
from app.service.pricing.estimator.distribution import LEVELS, NEWNESSES

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
class SupplierFigures:
    """The figures of the estimates for one supplier, by its id in the store."""

    n: int
    mdape: float
    coverage80: float


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
    by_supplier: Mapping[str, SupplierFigures] = field(default_factory=dict[str, SupplierFigures])

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
    pinball, inside80, inside50 = (
        _pinball_loss(prices, predicted),
        _is_inside(prices, predicted, 0, 4),
        _is_inside(prices, predicted, 1, 3),
    )
    width = np.exp(predicted[:, 4] - predicted[:, 0])
    error = np.abs(np.expm1(predicted[:, 2] - prices))
    scored_suppliers = np.array(
        [supplier for supplier, price in zip(suppliers or [], unit_prices, strict=False) if price is not None]
    )
    order = np.unique(
        [prediction.order or prediction.row_id for prediction, _ in scored], return_inverse=True
    )[1]
    of_newness = np.array([prediction.newness for prediction, _ in scored])
    levels = [(level, of_level == level) for level in (*LEVELS, NO_LEVEL)]
    return BacktestFigures(
        n=len(scored),
        refused=sum(prediction.refused for prediction, _ in scored),
        pinball=_mean(pinball),
        coverage80=_mean(inside80),
        coverage50=_mean(inside50),
        mdape=_median(error),
        width=round(float(np.median(width)), 4),
        ms=round(median(prediction.milliseconds for prediction, _ in scored), 3),
        by_similarity=tuple(
            LevelFigures(
                level,
                int(chosen.sum()),
                _mean(pinball[chosen]),
                _mean(inside80[chosen]),
                _mean(inside50[chosen]),
                round(float(np.median(width[chosen])), 4),
                _median(error[chosen]),
                len(np.unique(order[chosen])),
                clustered_error(inside80[chosen], order[chosen]),
            )
            for level, chosen in levels
            if chosen.any()
        ),
        by_supplier={
            str(supplier): SupplierFigures(
                int(of_supplier.sum()), _median(error[of_supplier]), _mean(inside80[of_supplier])
            )
            for supplier in np.unique(scored_suppliers)
            if (of_supplier := scored_suppliers == supplier).sum() >= MIN_SUPPLIER_PURCHASES
        },
        orders=len(np.unique(order)),
        coverage80_error=clustered_error(inside80, order),
        by_newness=tuple(
            NewnessFigures(
                newness,
                int(chosen.sum()),
                len(np.unique(order[chosen])),
                _mean(inside80[chosen]),
                clustered_error(inside80[chosen], order[chosen]),
                round(float(np.median(width[chosen])), 4),
            )
            for newness in NEWNESSES
            if (chosen := of_newness == newness).any()
        ),
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
