"""Fits the mixture to purchases whose price is known, by penalised maximum likelihood."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from app.service.pricing.estimator.candidates import Floats
from app.service.pricing.estimator.evidence import Evidence
from app.service.pricing.estimator.mixture import (
    DEGREES_OF_FREEDOM,
    LOG_T_CONSTANT,
    MAX_LOG_WIDTH,
    MIN_LOG_WIDTH,
    REPEAT_WIDTH,
    MixtureCoefficients,
    evaluate_mixture,
)

# The weight of the prior: how many purchases it takes to move a coefficient by one.
PENALTY = 1.0
_MAX_ITERATIONS = 150
_HISTORY = 10
_TINY = 1e-12
_TOLERANCE = 2e-6

Objective = Callable[[Floats], tuple[float, Floats]]


def fit_mixture(
    evidence: Evidence,
    log_rates: Floats,
    weights: Floats,
    prior: Floats,
    *,
    start: Floats | None = None,
    penalty: float = PENALTY,
) -> Floats:
    """The coefficients that make the purchases' prices most likely, penalised by their distance from `prior`.

    The search begins at `start`, which is faster from earlier coefficients.
    """
    objective = PenalisedLikelihood(evidence, log_rates, weights, prior, penalty)
    return minimise_objective(objective, prior if start is None else start)


@dataclass(frozen=True, slots=True)
class PenalisedLikelihood:
    """The penalised negative mean log likelihood, as a function of coefficients that also returns its
    gradient, which is derived by hand."""

    evidence: Evidence
    log_rates: Floats
    weights: Floats
    prior: Floats
    penalty: float = PENALTY

    def __call__(self, coefficients: Floats) -> tuple[float, Floats]:
        evidence = self.evidence
        components = evaluate_mixture(MixtureCoefficients.from_array(coefficients), evidence)
        comparables = evidence.log_rate.shape[1]
        weights = components.weights
        log_weights = np.log(np.maximum(weights, 1e-300))
        price = self.log_rates[:, None]

        z = (price - components.centre) / np.exp(components.log_width)
        near = (
            LOG_T_CONSTANT
            - (DEGREES_OF_FREEDOM + 1) / 2 * np.log1p(z * z / DEGREES_OF_FREEDOM)
            - components.log_width
        )
        repeat = -np.abs(price - evidence.log_rate) / REPEAT_WIDTH - np.log(2 * REPEAT_WIDTH)
        general_z = (price - components.general_centre) / np.exp(components.general_log_width)
        general = (
            LOG_T_CONSTANT
            - (DEGREES_OF_FREEDOM + 1) / 2 * np.log1p(general_z**2 / DEGREES_OF_FREEDOM)
            - components.general_log_width
        )

        log_terms = np.concatenate(
            [
                log_weights[:, :comparables] + np.log(1 - components.repeat_probability + _TINY) + near,
                log_weights[:, :comparables] + np.log(components.repeat_probability + _TINY) + repeat,
                log_weights[:, comparables:] + general,
            ],
            axis=1,
        )
        largest = log_terms.max(axis=1, keepdims=True)
        shares = np.exp(log_terms - largest)
        total = shares.sum(axis=1, keepdims=True)
        log_likelihood = (np.log(total) + largest)[:, 0]
        shares *= self.weights[:, None] / total
        near_share, repeat_share = shares[:, :comparables], shares[:, comparables : 2 * comparables]
        general_share = shares[:, 2 * comparables :]

        sample_weights = self.weights[:, None]
        log_weight = near_share + repeat_share - weights[:, :comparables] * sample_weights
        repeat_logit = (
            repeat_share * (1 - components.repeat_probability) - near_share * components.repeat_probability
        )
        inside = (components.log_width > MIN_LOG_WIDTH) & (components.log_width < MAX_LOG_WIDTH)
        log_width = np.where(
            inside, near_share * ((DEGREES_OF_FREEDOM + 1) * z * z / (DEGREES_OF_FREEDOM + z * z) - 1), 0.0
        )
        pull = (
            near_share
            * (DEGREES_OF_FREEDOM + 1)
            * z
            / (DEGREES_OF_FREEDOM + z * z)
            / np.exp(components.log_width)
        )
        adjustment_share = (
            pull * evidence.adjustment * components.adjustment_share * (1 - components.adjustment_share)
        )
        general_log_weight = general_share - weights[:, comparables:] * sample_weights
        spread = (DEGREES_OF_FREEDOM + 1) * general_z**2 / (DEGREES_OF_FREEDOM + general_z**2) - 1
        inside = (components.general_log_width > MIN_LOG_WIDTH) & (
            components.general_log_width < MAX_LOG_WIDTH
        )
        general_width = np.where(inside, general_share * spread, 0.0)

        # The blend lies half way to the comparables' mean, which depends on their weights and adjustments
        # too.
        blend_z, blend_width = general_z[:, 1:], np.exp(components.general_log_width[:, 1:])
        blend_pull = (
            general_share[:, 1:]
            * (DEGREES_OF_FREEDOM + 1)
            * blend_z
            / (DEGREES_OF_FREEDOM + blend_z**2)
            / blend_width
            / 2
        )
        log_weight += (
            blend_pull * components.mean_shares * (components.centre - components.mean_centre[:, None])
        )
        adjustment_share += (
            blend_pull
            * components.mean_shares
            * evidence.adjustment
            * components.adjustment_share
            * (1 - components.adjustment_share)
        )

        of_pairs = np.stack([log_weight, repeat_logit, log_width, adjustment_share]).reshape(4, -1)
        gradient = np.concatenate(
            [
                (of_pairs @ evidence.pair_features.reshape(of_pairs.shape[1], -1)).ravel(),
                *(
                    evidence.query_features.T @ part
                    for part in (
                        general_log_weight[:, 0],
                        general_width[:, 0],
                        general_log_weight[:, 1],
                        general_width[:, 1],
                    )
                ),
            ]
        )
        deviation = coefficients - self.prior
        count = self.weights.sum()
        value = float(-(log_likelihood @ self.weights) + self.penalty * (deviation @ deviation)) / count
        return value, (2 * self.penalty * deviation - gradient) / count


def minimise_objective(objective: Objective, start: Floats, rounds: int = _MAX_ITERATIONS) -> Floats:
    """Limited-memory BFGS with backtracking (Nocedal & Wright, Numerical Optimization, ch. 7)."""
    at = start.copy()
    value, gradient = objective(at)
    steps: list[Floats] = []
    changes: list[Floats] = []
    for _ in range(rounds):
        direction = -_inverse_hessian_times(gradient, steps, changes)
        slope = float(gradient @ direction)
        if slope >= 0:
            direction, slope = -gradient, -float(gradient @ gradient)
        length = 1.0 if steps else min(1.0, 1.0 / (np.abs(gradient).sum() + _TINY))
        for _ in range(25):
            new = at + length * direction
            new_value, new_gradient = objective(new)
            if new_value <= value + 1e-4 * length * slope:
                break
            length /= 2
        else:
            return at
        step, change = new - at, new_gradient - gradient
        if float(step @ change) > 1e-10:
            steps, changes = [*steps, step][-_HISTORY:], [*changes, change][-_HISTORY:]
        settled = value - new_value < _TOLERANCE * max(1.0, abs(value))
        at, value, gradient = new, new_value, new_gradient
        if settled:
            break
    return at


def _inverse_hessian_times(gradient: Floats, steps: list[Floats], changes: list[Floats]) -> Floats:
    result = gradient.copy()
    shares: list[float] = []
    for step, change in zip(reversed(steps), reversed(changes), strict=True):
        share = float(step @ result) / float(step @ change)
        shares.append(share)
        result -= share * change
    if steps:
        result *= float(steps[-1] @ changes[-1]) / float(changes[-1] @ changes[-1])
    for step, change, share in zip(steps, changes, reversed(shares), strict=True):
        result += step * (share - float(change @ result) / float(step @ change))
    return result
