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
EXACT = 0.004
# Degrees of freedom of the Student t around a comparable: errors of a factor are rare, not impossible.
FREEDOM = 4.0
NARROWEST, WIDEST = -4.0, 2.0

_PAIRS, _QUERIES = len(PAIR_FEATURES), len(QUERY_FEATURES)
SIZE = 4 * _PAIRS + 4 * _QUERIES
# Between so many knots, and then between two of them, a quantile is looked for in this many steps.
_STEPS = 6
# Where a term has its mass, in its widths; the outermost hold the least probability ever asked for.
_KNOTS = np.array([-14.0, -3.0, -1.0, 0.0, 1.0, 3.0, 14.0])
_EXACT_KNOTS = np.array([-8.0, -2.0, 0.0, 2.0, 8.0])
# A term of less weight is not looked at.
_LEAST_WEIGHT = 3e-5
_TINY = 1e-12
LOG_T = lgamma((FREEDOM + 1) / 2) - lgamma(FREEDOM / 2) - 0.5 * log(FREEDOM * pi)


@dataclass(frozen=True, slots=True)
class Mixture:
    """Coefficients. For a comparable: `belief` (ln of its weight), `exactness` (logit that its very
    price is paid again), `width` (ln scale around it), `moving` (logit of the share of the difference
    in worth by which it is moved). For the general terms: their belief and width.
    """

    belief: Floats
    exactness: Floats
    width: Floats
    moving: Floats
    worth_belief: Floats
    worth_width: Floats
    middle_belief: Floats
    middle_width: Floats

    @classmethod
    def of(cls, coefficients: Floats) -> Self:
        """From one array of `SIZE`, in the order of the fields."""
        ends = np.cumsum([_PAIRS] * 4 + [_QUERIES] * 3)
        return cls(*np.split(np.asarray(coefficients, dtype=np.float64), ends))


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of the mixture for each query: comparables first, then the two general ones.

    `mean` is the comparables' mean that the middle leans on, `mean_shares` each one's share in it.
    """

    log_belief: Floats
    exactness: Floats
    log_width: Floats
    moving: Floats
    centre: Floats
    general_log_width: Floats
    general_centre: Floats
    mean: Floats
    mean_shares: Floats

    @property
    def weights(self) -> Floats:
        """The weight of each comparable and of the two general terms; they add up to 1."""
        weights = np.exp(self.log_belief - self.log_belief.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)


def terms(mixture: Mixture, evidence: Evidence) -> Terms:
    """What the mixture makes of the evidence."""
    belief = np.where(evidence.present, evidence.pairs @ mixture.belief, -1e9)
    moving = sigmoid(evidence.pairs @ mixture.moving)
    centre = evidence.log_rate + moving * evidence.shift
    weights = np.where(evidence.present, np.exp(np.clip(belief, -40.0, 40.0)), 0.0)
    shares = weights / weights.sum(axis=1, keepdims=True)
    mean = (shares * centre).sum(axis=1)
    general_belief = (evidence.queries @ mixture.worth_belief, evidence.queries @ mixture.middle_belief)
    general_width = (evidence.queries @ mixture.worth_width, evidence.queries @ mixture.middle_width)
    return Terms(
        log_belief=np.concatenate([belief, np.stack(general_belief, axis=1)], axis=1),
        exactness=sigmoid(evidence.pairs @ mixture.exactness),
        log_width=np.clip(evidence.pairs @ mixture.width, NARROWEST, WIDEST),
        moving=moving,
        centre=centre,
        general_log_width=np.clip(np.stack(general_width, axis=1), NARROWEST, WIDEST),
        general_centre=np.stack([evidence.worth, (mean + evidence.worth) / 2], axis=1),
        mean=mean,
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
    exact_weights: Floats
    exact_centres: Floats

    @classmethod
    def of(cls, found: Terms, evidence: Evidence, query: int = 0) -> Self:
        """The density of one of the queries."""
        weights = found.weights[query]
        number = evidence.log_rate.shape[1]
        exactness = found.exactness[query]
        near = np.concatenate([weights[:number] * (1.0 - exactness), weights[number:]])
        kept = near > _LEAST_WEIGHT
        exact = weights[:number] * exactness
        exact_kept = exact > _LEAST_WEIGHT
        log_widths = np.concatenate([found.log_width[query], found.general_log_width[query]])
        return cls(
            near[kept],
            np.concatenate([found.centre[query], found.general_centre[query]])[kept],
            np.exp(log_widths[kept]),
            exact[exact_kept],
            evidence.log_rate[query][exact_kept],
        )

    def below(self, log_price: Floats) -> Floats:
        """The probability of a price at most this, for each."""
        z = (log_price[:, None] - self.centres) * (1.0 / self.widths)
        # The distribution function of Student's t with four degrees of freedom in closed form.
        u = z / np.sqrt(z * z + FREEDOM)
        near = (u * (0.75 - 0.25 * (u * u))) @ self.weights + 0.5 * self.weights.sum()
        e = (log_price[:, None] - self.exact_centres) / EXACT
        half = 0.5 * np.exp(-np.abs(e))
        exact = np.where(e < 0, half, 1.0 - half) @ self.exact_weights
        return (near + exact) / (self.weights.sum() + self.exact_weights.sum())

    def quantiles(self, probabilities: Floats) -> Floats:
        """The ln prices with these probabilities below them."""
        knots = np.sort(
            np.concatenate(
                [
                    (self.centres[:, None] + self.widths[:, None] * _KNOTS).ravel(),
                    (self.exact_centres[:, None] + EXACT * _EXACT_KNOTS).ravel(),
                ]
            )
        )
        # Most knots are far from every quantile: only some are looked at, then those around each.
        some = np.minimum(np.arange(0, len(knots) + _STEPS, _STEPS), len(knots) - 1)
        at = np.clip(np.searchsorted(self.below(knots[some]), probabilities), 1, len(some) - 1)
        between = np.minimum(some[at - 1][:, None] + np.arange(_STEPS + 1), len(knots) - 1)
        low, high, _, _ = self._around(probabilities, knots[between])
        steps = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, _STEPS + 1)
        low, high, under, over = self._around(probabilities, steps)
        share = (probabilities - under) / np.maximum(over - under, _TINY)
        return low + (high - low) * np.clip(share, 0.0, 1.0)

    def _around(self, probabilities: Floats, steps: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """For each probability the two neighbours that it lies between in its row of `steps`, and the
        probabilities below those."""
        below = self.below(steps.ravel()).reshape(steps.shape)
        at = np.clip((below < probabilities[:, None]).sum(axis=1), 1, steps.shape[1] - 1)
        each = np.arange(len(at))
        return steps[each, at - 1], steps[each, at], below[each, at - 1], below[each, at]
