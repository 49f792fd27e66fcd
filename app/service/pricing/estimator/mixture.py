"""The predictive density: a mixture of what the comparables say and of what the features are worth.

Each comparable says two things: the price is exactly this one again (prices are sticky), or it is near
this one, moved by what the two purchases differ in worth. Beside them stand two general terms: the
worth of the features alone, and its middle with the comparables' mean. Which of them is believed how
far, and how exactly, are log-linear in the features of evidence.py; the coefficients are learnt.
"""

from dataclasses import dataclass
from math import lgamma, log, pi
from typing import Self

import numpy as np

from app.service.pricing.estimator.candidates import Floats
from app.service.pricing.estimator.evidence import PAIR_FEATURES, QUERY_FEATURES, Evidence

# "Exactly" in ln price: prices are rounded to the cent and a discount to the per cent.
REPEAT_WIDTH = 0.004
# Degrees of freedom of the Student t around a comparable: errors of a factor are rare, not impossible.
DEGREES_OF_FREEDOM = 4.0
MIN_LOG_WIDTH, MAX_LOG_WIDTH = -4.0, 2.0

_PAIR_COUNT, _QUERY_COUNT = len(PAIR_FEATURES), len(QUERY_FEATURES)
COEFFICIENT_COUNT = 4 * _PAIR_COUNT + 4 * _QUERY_COUNT
# Between so many knots, and then between two of them, a quantile is looked for in this many steps.
_STEPS = 6
# Where a term has its mass, in its widths; the outermost hold the least probability ever asked for.
_KNOTS = np.array([-14.0, -3.0, -1.0, 0.0, 1.0, 3.0, 14.0])
_REPEAT_KNOTS = np.array([-8.0, -2.0, 0.0, 2.0, 8.0])
# A term of less weight is not looked at.
_MIN_WEIGHT = 3e-5
_TINY = 1e-12
LOG_T_CONSTANT = (
    lgamma((DEGREES_OF_FREEDOM + 1) / 2) - lgamma(DEGREES_OF_FREEDOM / 2) - 0.5 * log(DEGREES_OF_FREEDOM * pi)
)


@dataclass(frozen=True, slots=True)
class MixtureCoefficients:
    """Coefficients. For a comparable: `belief` (ln of its weight), `exactness` (logit that its very
    price is paid again), `width` (ln scale around it), `moving` (logit of the share of the difference
    in worth by which it is moved). For the general terms: their belief and width.
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
        """From one array of `SIZE`, in the order of the fields."""
        ends = np.cumsum([_PAIR_COUNT] * 4 + [_QUERY_COUNT] * 3)
        return cls(*np.split(np.asarray(coefficients, dtype=np.float64), ends))


@dataclass(frozen=True, slots=True)
class Components:
    """The terms of the mixture for each query: comparables first, then the two general ones.

    `mean` is the comparables' mean that the middle leans on, `mean_shares` each one's share in it.
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
        """The weight of each comparable and of the two general terms; they add up to 1."""
        weights = np.exp(self.log_weights - self.log_weights.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)


def evaluate_mixture(mixture: MixtureCoefficients, evidence: Evidence) -> Components:
    """What the mixture makes of the evidence."""
    belief = np.where(evidence.present, evidence.pair_features @ mixture.log_weight, -1e9)
    moving = sigmoid(evidence.pair_features @ mixture.adjustment_share)
    centre = evidence.log_rate + moving * evidence.adjustment
    weights = np.where(evidence.present, np.exp(np.clip(belief, -40.0, 40.0)), 0.0)
    shares = weights / weights.sum(axis=1, keepdims=True)
    mean = (shares * centre).sum(axis=1)
    general_belief = (
        evidence.query_features @ mixture.hedonic_log_weight,
        evidence.query_features @ mixture.blend_log_weight,
    )
    general_width = (
        evidence.query_features @ mixture.hedonic_log_width,
        evidence.query_features @ mixture.blend_log_width,
    )
    return Components(
        log_weights=np.concatenate([belief, np.stack(general_belief, axis=1)], axis=1),
        repeat_probability=sigmoid(evidence.pair_features @ mixture.repeat_logit),
        log_width=np.clip(evidence.pair_features @ mixture.log_width, MIN_LOG_WIDTH, MAX_LOG_WIDTH),
        adjustment_share=moving,
        centre=centre,
        general_log_width=np.clip(np.stack(general_width, axis=1), MIN_LOG_WIDTH, MAX_LOG_WIDTH),
        general_centre=np.stack([evidence.hedonic_estimate, (mean + evidence.hedonic_estimate) / 2], axis=1),
        mean_centre=mean,
        mean_shares=shares,
    )


def sigmoid(logit: Floats) -> Floats:
    """1 / (1 + e^-x), safe at both ends."""
    return 1.0 / (1.0 + np.exp(-np.clip(logit, -30.0, 30.0)))


@dataclass(frozen=True, slots=True)
class Density:
    """One query's mixture, without the terms that carry no weight. The last two terms are general."""

    weights: Floats
    centres: Floats
    widths: Floats
    repeat_weights: Floats
    repeat_centres: Floats

    @classmethod
    def from_components(cls, found: Components, evidence: Evidence, query: int = 0) -> Self:
        """The density of one of the queries."""
        weights = found.weights[query]
        number = evidence.log_rate.shape[1]
        exactness = found.repeat_probability[query]
        near = np.concatenate([weights[:number] * (1.0 - exactness), weights[number:]])
        kept = near > _MIN_WEIGHT
        exact = weights[:number] * exactness
        exact_kept = exact > _MIN_WEIGHT
        log_widths = np.concatenate([found.log_width[query], found.general_log_width[query]])
        return cls(
            near[kept],
            np.concatenate([found.centre[query], found.general_centre[query]])[kept],
            np.exp(log_widths[kept]),
            exact[exact_kept],
            evidence.log_rate[query][exact_kept],
        )

    def cumulative(self, log_price: Floats) -> Floats:
        """The probability of a price at most this, for each."""
        z = (log_price[:, None] - self.centres) * (1.0 / self.widths)
        # The distribution function of Student's t with four degrees of freedom in closed form.
        u = z / np.sqrt(z * z + DEGREES_OF_FREEDOM)
        near = (u * (0.75 - 0.25 * (u * u))) @ self.weights + 0.5 * self.weights.sum()
        e = (log_price[:, None] - self.repeat_centres) / REPEAT_WIDTH
        half = 0.5 * np.exp(-np.abs(e))
        exact = np.where(e < 0, half, 1.0 - half) @ self.repeat_weights
        return (near + exact) / (self.weights.sum() + self.repeat_weights.sum())

    def quantiles(self, probabilities: Floats) -> Floats:
        """The ln prices with these probabilities below them."""
        knots = np.sort(
            np.concatenate(
                [
                    (self.centres[:, None] + self.widths[:, None] * _KNOTS).ravel(),
                    (self.repeat_centres[:, None] + REPEAT_WIDTH * _REPEAT_KNOTS).ravel(),
                ]
            )
        )
        # Most knots are far from every quantile: only some are looked at, then those around each.
        some = np.minimum(np.arange(0, len(knots) + _STEPS, _STEPS), len(knots) - 1)
        at = np.clip(np.searchsorted(self.cumulative(knots[some]), probabilities), 1, len(some) - 1)
        between = np.minimum(some[at - 1][:, None] + np.arange(_STEPS + 1), len(knots) - 1)
        low, high, _, _ = self._bracket(probabilities, knots[between])
        steps = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, _STEPS + 1)
        low, high, under, over = self._bracket(probabilities, steps)
        share = (probabilities - under) / np.maximum(over - under, _TINY)
        return low + (high - low) * np.clip(share, 0.0, 1.0)

    def _bracket(self, probabilities: Floats, steps: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """For each probability the two neighbours that it lies between in its row of `steps`, and the
        probabilities below those."""
        below = self.cumulative(steps.ravel()).reshape(steps.shape)
        at = np.clip((below < probabilities[:, None]).sum(axis=1), 1, steps.shape[1] - 1)
        each = np.arange(len(at))
        return steps[each, at - 1], steps[each, at], below[each, at - 1], below[each, at]
