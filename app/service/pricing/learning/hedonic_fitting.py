"""Fits the hedonic model to past purchases: a sparse ridge regression.

It also learns at the moment of an estimate, from an organisation's own purchases for itself, and from all
that it sees before anything was learnt for everybody. Nothing is stored: nobody else sees it, and an import
counts at once until it is undone.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates, Floats, Rows
from app.service.pricing.estimator.hedonic_model import (
    DAY,
    LETTER_GROUP_WEIGHT,
    RENEWAL,
    TERM,
    VOLUME,
    HedonicModel,
    Scale,
    number_values,
    trend_features,
)
from app.service.pricing.estimator.text_similarity import BUCKETS, long_group_buckets, word_buckets
from app.service.pricing.learning.order_groups import number_orders, order_weights

PENALTY = 10.0

# Widths at which a number's coefficient is penalised like a word's: in ln quantity, years and ln months.
_WIDTHS = {VOLUME: 2.0, DAY: 3.0, TERM: 1.0, RENEWAL: 1.0}
_CONSTANT = 3.0
# How many orders of a supplier move its level half the way.
_HALF_ORDERS = 8.0
_MAX_ITERATIONS = 60
_TOLERANCE = 1e-5
_MIN_STATED_SHARE = 0.5
_MIN_DISTINCT_VALUES = 4


def fit_hedonic_model(
    candidates: Candidates, weights: Floats, penalty: float = PENALTY, *, start: HedonicModel | None = None
) -> HedonicModel:
    """Fit a hedonic model to purchases with these weights. Its effects are drawn towards those of the model
    to `start` at, or towards none. The mean stays that of a fitted model: what all of these purchases cost
    more or less than others is their suppliers' level, by which the prices of others are adjusted; a mean
    adjusts none."""
    known = start or HedonicModel()
    scales = known.numbers or _fit_scales(candidates)
    constant = 0.0 if known.numbers else _CONSTANT
    matrix = _Matrix.of(candidates, scales, constant)
    weights = weights / weights.mean()
    unexplained = candidates.log_rate - known.predict(candidates)
    coefficients, mean = known.coefficients.copy(), 0.0
    if known.numbers:
        level = _find_supplier_levels(candidates, unexplained, weights)
        coefficients[candidates.facet("supplier") % BUCKETS] += level  # a repeated bucket is added to once
        unexplained -= level
    else:
        mean = float(np.average(unexplained, weights=weights))
    solution = _solve_ridge(matrix, unexplained - mean, weights, penalty)
    coefficients[matrix.used] += solution[: len(matrix.used)]
    numbers = {
        name: replace(scale, coefficient=scale.coefficient + float(solution[len(matrix.used) + at]))
        for at, (name, scale) in enumerate(scales.items())
    }
    mean += known.mean + constant * float(solution[-1])
    return HedonicModel(mean, coefficients, numbers, has_trends=known.has_trends)


def _find_supplier_levels(candidates: Candidates, unexplained: Floats, weights: Floats) -> Floats:
    """What the supplier of each purchase adds to its ln price, by what is `unexplained` of all of its
    purchases, the more the more orders they are of: fitted together with the effects of words, most of it
    would be theirs."""
    suppliers, of_row = np.unique(candidates.facet("supplier"), return_inverse=True)
    level = np.bincount(of_row, weights * unexplained) / np.bincount(of_row, weights)
    of_order = np.unique(of_row * len(of_row) + number_orders(candidates.order)) // len(of_row)
    orders = np.bincount(of_order)
    return np.where(suppliers != 0, level * orders / (orders + _HALF_ORDERS), 0.0)[of_row]


def _fit_scales(candidates: Candidates) -> Mapping[str, Scale]:
    scales: dict[str, Scale] = {}
    for name in (*_WIDTHS, *map(str, candidates.numbers)):
        values = number_values(name, candidates)
        known = values[~np.isnan(values)]
        if not len(known) or (width := float(known.std())) < 1e-9:
            continue
        if name in _WIDTHS:
            scales[name] = Scale(float(known.mean()), _WIDTHS[name])
        elif len(known) > _MIN_STATED_SHARE * len(values) and len(np.unique(known)) >= _MIN_DISTINCT_VALUES:
            scales[name] = Scale(float(np.median(known)), width)
    return scales


@dataclass(frozen=True, slots=True)
class _Matrix:
    """The features in compressed sparse rows; column `i` is bucket `used[i]`, and the numbers come last."""

    columns: Rows
    values: Floats
    starts: Rows
    sizes: Rows
    width: int
    used: Rows

    @classmethod
    def of(cls, candidates: Candidates, scales: Mapping[str, Scale], constant: float) -> "_Matrix":
        parts = [_text_entries(candidates), _code_entries(candidates), *_trend_entries(candidates, scales)]
        rows, buckets, values = (np.concatenate(each) for each in zip(*parts, strict=True))
        # A bucket that occurs once would only fit that purchase's own price.
        counts = np.bincount(buckets, minlength=BUCKETS)
        used = np.flatnonzero(counts > 1)
        position = np.zeros(BUCKETS, dtype=np.intp)
        position[used] = np.arange(len(used))
        dense = [scale.feature(number_values(name, candidates)) for name, scale in scales.items()]
        dense.append(np.full(len(candidates), constant))
        width = len(used) + len(dense)
        rows = np.concatenate([rows, np.tile(np.arange(len(candidates)), len(dense))])
        own = np.repeat(np.arange(len(used), width), len(candidates))
        columns = np.concatenate([position[buckets], own])
        values = np.concatenate([np.where(counts[buckets] > 1, values, 0.0), *dense])
        in_rows, sizes = np.argsort(rows, kind="stable"), np.bincount(rows)
        return cls(columns[in_rows], values[in_rows], np.cumsum(sizes) - sizes, sizes, width, used)

    def times(self, coefficients: Floats) -> Floats:
        return np.add.reduceat(self.values * coefficients[self.columns], self.starts)

    def transposed_times(self, rows: Floats) -> Floats:
        spread = self.values * np.repeat(rows, self.sizes)
        return np.bincount(self.columns, weights=spread, minlength=self.width).astype(np.float64)


_Entries = tuple[Rows, NDArray[np.int64], Floats]
"""Features of purchases: for each the position of the purchase, the bucket and the value."""


def _text_entries(candidates: Candidates) -> _Entries:
    parts = [take(text) for text in candidates.texts for take in (word_buckets, long_group_buckets)]
    lengths = np.fromiter(map(len, parts), dtype=np.intp, count=len(parts))
    values = np.repeat(np.tile([1.0, LETTER_GROUP_WEIGHT], len(candidates.texts)), lengths)
    sizes = lengths.reshape(-1, 2).sum(axis=1)
    of_row = sizes[candidates.text]
    shift = (np.cumsum(sizes) - sizes)[candidates.text] - (np.cumsum(of_row) - of_row)
    at = np.arange(of_row.sum(), dtype=np.intp) + np.repeat(shift, of_row)
    return np.repeat(np.arange(len(of_row)), of_row), np.concatenate(parts)[at].astype(np.int64), values[at]


def _code_entries(candidates: Candidates) -> _Entries:
    codes = np.column_stack([candidates.facets, *candidates.attributes.values()])
    rows, columns = np.nonzero(codes)
    return rows, (codes[rows, columns] % BUCKETS).astype(np.int64), np.ones(len(rows))


def _trend_entries(candidates: Candidates, scales: Mapping[str, Scale]) -> list[_Entries]:
    """Each supplier's trend; none where all was bought at once."""
    if DAY not in scales:
        return []
    buckets, values = trend_features(candidates, scales[DAY])
    return [(np.arange(len(candidates)), buckets.astype(np.int64), values)]


def _solve_ridge(matrix: _Matrix, target: Floats, weights: Floats, penalty: float) -> Floats:
    """Solve by conjugate gradients on the normal equations, without building their matrix."""
    solution = np.zeros(matrix.width)
    residual = matrix.transposed_times(weights * target)
    direction = residual.copy()
    size = first = float(residual @ residual)
    for _ in range(_MAX_ITERATIONS):
        if size <= _TOLERANCE**2 * first:
            break
        image = matrix.transposed_times(weights * matrix.times(direction)) + penalty * direction
        step = size / float(direction @ image)
        solution += step * direction
        residual -= step * image
        size, previous = float(residual @ residual), size
        direction = residual + (size / previous) * direction
    return solution


MIN_OWN_PURCHASES = 10
"""With fewer own purchases everybody's calibration stays as it is."""
_MAX_IN_MEMORY = 64


class OwnModels:
    """The latest hedonic models that a process has adapted to own purchases: fitting one takes as long as an
    estimate."""

    def __init__(self) -> None:
        self._models: dict[bytes, tuple[HedonicModel, HedonicModel]] = {}

    def adapt_calibration(
        self, calibration: Calibration, candidates: Candidates, own_ids: Collection[str]
    ) -> Calibration:
        """The calibration with an own model, drawn from the shared one to what the candidates with `own_ids`
        show: the levels of supplier, product and attributes, and the effects of quantity, term and day."""
        is_own = np.fromiter((one in own_ids for one in candidates.ids), np.bool_, len(candidates))
        rows = np.flatnonzero(is_own & ~np.isnan(candidates.log_rate))
        if len(rows) < MIN_OWN_PURCHASES:
            return calibration
        own, start = candidates.take(rows), calibration.hedonic_model
        key = _fingerprint(own)
        known = self._models.get(key)
        if known is None or known[0] is not start:
            known = start, fit_hedonic_model(own, order_weights(own.order), start=start)
            for oldest in list(self._models)[: 1 + len(self._models) - _MAX_IN_MEMORY]:
                self._models.pop(oldest, None)
            self._models[key] = known
        return replace(calibration, own_model=known[1])


def _fingerprint(own: Candidates) -> bytes:
    """What two sets of purchases have in common only if they are the same."""
    digest = blake2b(repr((own.ids, own.texts, sorted(own.attributes))).encode())
    columns = (own.day, own.log_rate, own.log_quantity, own.term, own.recurring, own.renewal, own.order)
    of_attributes = [column[name] for column in (own.attributes, own.numbers) for name in sorted(column)]
    for column in (*columns, own.text, own.facets, *of_attributes):
        digest.update(column.tobytes())
    return digest.digest()
