"""The predictive density of the ln price: a mixture with two components for each comparable and two general
ones.

A comparable's first component is a narrow peak at its price, because prices are often repeated exactly. Its
second is a Student t around its price after a share of the hedonic adjustment. The general components stand
at the hedonic estimate, and half way between it and the mean of the comparables (the blend). Weights and
widths are log-linear in the features of evidence.py; the coefficients are fitted by
`learning/mixture_fitting.py`.
"""

from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import lgamma, log, pi
from typing import Self

import numpy as np

from app.service.pricing.estimator.candidates import Floats
from app.service.pricing.estimator.evidence import (
    NEW_PAIR_FEATURES,
    PAIR_FEATURES,
    QUERY_FEATURES,
    Evidence,
)

# The width of "exactly the same price" in ln price: prices are rounded to the cent, discounts to the per
# cent.
REPEAT_WIDTH = 0.004
# Degrees of freedom of the Student t around a comparable: errors of a factor are rare, not impossible.
DEGREES_OF_FREEDOM = 4.0
MIN_LOG_WIDTH, MAX_LOG_WIDTH = -4.0, 2.0

_PAIR_COUNT, _QUERY_COUNT = len(PAIR_FEATURES), len(QUERY_FEATURES)
_ENDS = tuple(accumulate([_PAIR_COUNT] * 4 + [_QUERY_COUNT] * 4, initial=0))
COEFFICIENT_COUNT = _ENDS[-1]
# A quantile is searched for in steps of so many knots, then in so many steps between two of them.
_STEPS = 6
_EACH_STEP, _SHARES = np.arange(_STEPS + 1), np.linspace(0.0, 1.0, _STEPS + 1)
# Where a component has its mass, in its widths; the outermost enclose every probability of `GRID`.
_KNOTS = np.array([-14.0, -3.0, -1.0, 0.0, 1.0, 3.0, 14.0])
_REPEAT_KNOTS = np.array([-8.0, -2.0, 0.0, 2.0, 8.0])
# Components of less weight are left out.
_MIN_WEIGHT = 3e-5
_TINY = 1e-12
LOG_T_CONSTANT = (
    lgamma((DEGREES_OF_FREEDOM + 1) / 2) - lgamma(DEGREES_OF_FREEDOM / 2) - 0.5 * log(DEGREES_OF_FREEDOM * pi)
)


def add_new_features(coefficients: Floats) -> Floats:
    """Coefficients that were fitted before `NEW_PAIR_FEATURES` were there, with 0 for those. ValueError for
    another number of coefficients."""
    pairs = _ENDS[4] - 4 * len(NEW_PAIR_FEATURES)
    if len(coefficients) != pairs + 4 * _QUERY_COUNT:
        raise ValueError("the number of coefficients")
    places = [PAIR_FEATURES.index(name) for name in NEW_PAIR_FEATURES]
    before = [at for at in range(_PAIR_COUNT) if at not in places]
    added = np.zeros((4, _PAIR_COUNT))
    added[:, before] = coefficients[:pairs].reshape(4, -1)
    return np.concatenate([added.ravel(), coefficients[pairs:]])


@dataclass(frozen=True, slots=True)
class MixtureCoefficients:
    """The coefficients of the features of a pair (the first four) and of a query (the last four).

    For a comparable: the ln of its weight, the logit that its exact price is paid again, the ln of the width
    around its price, and the logit of the share of the hedonic adjustment that is applied to it. For the
    hedonic and the blend component: the ln of the weight and of the width.
    """

    log_weight: Floats
    repeat_logit: Floats
    log_width: Floats
    adjustment_share: Floats
    hedonic_log_weight: Floats
    hedonic_log_width: Floats
    blend_log_weight: Floats
    blend_log_width: Floats

    @classmethod
    def from_array(cls, coefficients: Floats) -> Self:
        """Split one array of `COEFFICIENT_COUNT`, in the order of the fields."""
        values = np.asarray(coefficients, dtype=np.float64)
        return cls(*(values[start:end] for start, end in pairwise(_ENDS)))


@dataclass(frozen=True, slots=True)
class Components:
    """The mixture's components for each query, one row a query: the comparables' first, then the two general
    ones.

    `mean_centre` is the comparables' weighted mean that the blend uses, `mean_shares` each one's weight in
    it.
    """

    log_weights: Floats
    repeat_probability: Floats
    log_width: Floats
    adjustment_share: Floats
    centre: Floats
    general_log_width: Floats
    general_centre: Floats
    mean_centre: Floats
    mean_shares: Floats

    @property
    def weights(self) -> Floats:
        """The weight of each comparable and of the two general components; they add up to 1."""
        return _normalise(self.log_weights)


def evaluate_mixture(mixture: MixtureCoefficients, evidence: Evidence) -> Components:
    # One product of matrices takes a third of four of a matrix with a vector.
    of_pairs = (
        np.stack([mixture.log_weight, mixture.repeat_logit, mixture.log_width, mixture.adjustment_share])
        @ evidence.pair_features.reshape(-1, _PAIR_COUNT).T
    )
    log_weight, repeat_logit, log_width, adjustment_logit = of_pairs.reshape(4, *evidence.present.shape)
    log_weights = np.where(evidence.present, log_weight, -1e9)
    adjustment_share = sigmoid(adjustment_logit)
    centre = evidence.log_rate + adjustment_share * evidence.adjustment
    weights = np.where(evidence.present, np.exp(np.clip(log_weights, -40.0, 40.0)), 0.0)
    shares = weights / weights.sum(axis=1, keepdims=True)
    mean = (shares * centre).sum(axis=1)
    general_log_weights = (
        evidence.query_features @ mixture.hedonic_log_weight,
        evidence.query_features @ mixture.blend_log_weight,
    )
    general_width = (
        evidence.query_features @ mixture.hedonic_log_width,
        evidence.query_features @ mixture.blend_log_width,
    )
    return Components(
        log_weights=np.concatenate([log_weights, np.stack(general_log_weights, axis=1)], axis=1),
        repeat_probability=sigmoid(repeat_logit),
        log_width=np.clip(log_width, MIN_LOG_WIDTH, MAX_LOG_WIDTH),
        adjustment_share=adjustment_share,
        centre=centre,
        general_log_width=np.clip(np.stack(general_width, axis=1), MIN_LOG_WIDTH, MAX_LOG_WIDTH),
        general_centre=np.stack([evidence.hedonic_estimate, (mean + evidence.hedonic_estimate) / 2], axis=1),
        mean_centre=mean,
        mean_shares=shares,
    )


def _normalise(log_weights: Floats) -> Floats:
    weights = np.exp(log_weights - log_weights.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def sigmoid(logit: Floats) -> Floats:
    """1 / (1 + e^-x), safe at both ends."""
    return 1.0 / (1.0 + np.exp(-np.clip(logit, -30.0, 30.0)))


@dataclass(frozen=True, slots=True)
class Densities:
    """The mixtures of several queries, one row a query, without the components that carry no weight in any.

    What a row has fewer of is filled with components of no weight.
    """

    weights: Floats
    centres: Floats
    widths: Floats
    repeat_weights: Floats
    repeat_centres: Floats

    @classmethod
    def from_components(cls, components: Components, evidence: Evidence) -> Self:
        """The densities of all queries."""
        weights = _normalise(components.log_weights)
        count = evidence.log_rate.shape[1]
        repeat_weights = weights[:, :count] * components.repeat_probability
        near_weights = np.concatenate([weights[:, :count] - repeat_weights, weights[:, count:]], axis=1)
        return cls(
            *_keep_weighty(
                near_weights,
                np.concatenate([components.centre, components.general_centre], axis=1),
                np.exp(np.concatenate([components.log_width, components.general_log_width], axis=1)),
            ),
            *_keep_weighty(repeat_weights, evidence.log_rate),
        )

    def cumulative(self, log_prices: Floats) -> Floats:
        """For each query, the probability of a ln price at most this, for each of its row."""
        # In place: making arrays takes as long as computing them.
        z = log_prices[:, :, None] - self.centres[:, None]
        z *= (1.0 / self.widths)[:, None]
        # The distribution function of Student's t with four degrees of freedom in closed form.
        root = z * z
        root += DEGREES_OF_FREEDOM
        z /= np.sqrt(root, out=root)
        polynomial = np.multiply(z, z, out=root)
        polynomial *= -0.25
        polynomial += 0.75
        polynomial *= z
        near = (polynomial @ self.weights[:, :, None])[:, :, 0]
        e = log_prices[:, :, None] - self.repeat_centres[:, None]
        e /= REPEAT_WIDTH
        half = np.abs(e)
        half *= -1.0
        np.exp(half, out=half)
        half *= 0.5
        repeats = (np.where(e < 0, half, 1.0 - half) @ self.repeat_weights[:, :, None])[:, :, 0]
        near_weight = self.weights.sum(axis=1)[:, None]
        return (near + 0.5 * near_weight + repeats) / (near_weight + self.repeat_weights.sum(axis=1)[:, None])

    def quantiles(self, probabilities: Floats) -> Floats:
        """For each query, the ln prices with the probabilities of its row below them."""
        each = np.arange(len(probabilities))[:, None]
        near = self.centres[:, :, None] + self.widths[:, :, None] * _KNOTS
        repeats = self.repeat_centres[:, :, None] + REPEAT_WIDTH * _REPEAT_KNOTS
        knots: Floats = np.concatenate(
            [
                np.where(self.weights[:, :, None] > 0, near, -np.inf).reshape(len(each), -1),
                np.where(self.repeat_weights[:, :, None] > 0, repeats, -np.inf).reshape(len(each), -1),
            ],
            axis=1,
        )
        # Those of no component lie at the last one.
        last: Floats = knots.max(axis=1, keepdims=True)
        knots = np.sort(np.where(np.isinf(knots), last, knots), axis=1)
        # Most knots are far from every quantile: the sparse ones locate it, then those between two of them.
        end = int(knots.shape[1]) - 1
        sparse = np.minimum(np.arange(0, end + 1 + _STEPS, _STEPS, dtype=np.intp), end)
        below = self.cumulative(knots[:, sparse])
        at = (below[:, None] < probabilities[:, :, None]).sum(axis=2)
        at = np.minimum(np.maximum(at, 1), len(sparse) - 1)
        between = np.minimum(sparse[at - 1][:, :, None] + _EACH_STEP, end)
        steps, under, over = knots[each[:, :, None], between], below[each, at - 1], below[each, at]
        low, high, under, over = self._bracket(probabilities, steps, under, over)
        steps = low[:, :, None] + (high - low)[:, :, None] * _SHARES
        low, high, under, over = self._bracket(probabilities, steps, under, over)
        share = (probabilities - under) / np.maximum(over - under, _TINY)
        return low + (high - low) * np.minimum(np.maximum(share, 0.0), 1.0)

    def _bracket(
        self, probabilities: Floats, steps: Floats, under: Floats, over: Floats
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """For each probability, the two entries of its `steps` that it lies between, and their cumulative
        probabilities: those of the first and of the last entry are `under` and `over`."""
        inner = self.cumulative(steps[:, :, 1:-1].reshape(len(steps), -1)).reshape(*probabilities.shape, -1)
        below = np.concatenate([under[:, :, None], inner, over[:, :, None]], axis=2)
        at = (below < probabilities[:, :, None]).sum(axis=2)[:, :, None]
        at = np.minimum(np.maximum(at, 1), steps.shape[2] - 1)
        ends = ((array, side) for array in (steps, below) for side in (at - 1, at))
        low, high, under, over = (np.take_along_axis(array, side, axis=2)[:, :, 0] for array, side in ends)
        return low, high, under, over


def _keep_weighty(weights: Floats, *others: Floats) -> tuple[Floats, ...]:
    """The columns of `_MIN_WEIGHT` and more of each row, as many as the row with most of them has; the
    weight of what else a row has there is 0."""
    weights = np.where(weights > _MIN_WEIGHT, weights, 0.0)
    count = int((weights > 0).sum(axis=1).max(initial=0))
    heaviest = np.argsort(-weights, axis=1, kind="stable")[:, :count]
    return tuple(np.take_along_axis(array, heaviest, axis=1) for array in (weights, *others))
