"""Fits a calibration to past purchases, each estimated as the service would have estimated it."""

from dataclasses import dataclass, field
from datetime import date

import numpy as np

from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates, Codes, Flags, Floats, Ints, Rows
from app.service.pricing.estimator.distribution import Level
from app.service.pricing.estimator.evidence import Evidence, compare_candidates
from app.service.pricing.estimator.hedonic_model import HedonicModel
from app.service.pricing.estimator.mixture import REPEAT_WIDTH, Density, MixtureCoefficients, evaluate_mixture
from app.service.pricing.estimator.prior import PRIOR_COEFFICIENTS
from app.service.pricing.estimator.similarity_level import classify_similarity
from app.service.pricing.estimator.text_similarity import DocumentFrequencies
from app.service.pricing.learning.attribute_impact import measure_attribute_impact
from app.service.pricing.learning.hedonic_fitting import fit_hedonic_model
from app.service.pricing.learning.mixture_fitting import fit_mixture
from app.service.pricing.learning.purchase_pool import PurchasePool
from app.service.pricing.learning.reliability_fitting import fit_reliability

MIN_PURCHASES = 40
# How many of the latest purchases the hedonic model is fitted to, and how many of those are estimated to fit
# the mixture.
MAX_PURCHASES, MAX_ESTIMATED = 20_000, 3_000
FOLDS = 4

# An order of a hundred lines counts for more than one of a single line, but not a hundred times as much.
_ORDER_SIZE_EXPONENT = -0.3


def fit_calibration(
    purchases: Candidates,
    *,
    names: dict[int, str] | None = None,
    past_only: bool = True,
    previous: Calibration | None = None,
) -> Calibration:
    """Fit a calibration to `purchases`; with fewer than `MIN_PURCHASES` it is the prior.

    Every purchase is estimated from purchases of other orders, with a hedonic model fitted without it;
    `past_only` also leaves out later purchases. `names` has the names of attributes by `attribute_key`, for
    `Calibration.attribute_impact`. Starting at the `previous` calibration makes fitting faster and changes
    nothing else.
    """
    if len(purchases) < MIN_PURCHASES:
        return Calibration()
    if len(purchases) > MAX_PURCHASES:
        purchases = purchases.take(np.sort(np.argsort(-purchases.day, kind="stable")[:MAX_PURCHASES]))
    weights = order_weights(purchases.order)
    frequencies = DocumentFrequencies.from_texts(purchases.texts)
    pool = PurchasePool(purchases, frequencies)
    estimated = _select_estimated(purchases, past_only)

    observations = observe_purchases(purchases, weights, pool, estimated, past_only=past_only)
    model = fit_hedonic_model(purchases, weights)
    if len(observations.rows) < MIN_PURCHASES:
        return Calibration(hedonic_model=model, document_frequencies=frequencies)
    prices, observation_weights = purchases.log_rate[observations.rows], weights[observations.rows]
    evidence = Evidence.concatenate(observations.evidence)
    start = None if previous is None else previous.mixture_coefficients
    coefficients = fit_mixture(evidence, prices, observation_weights, PRIOR_COEFFICIENTS, start=start)
    low, high = _predicted_around(coefficients, evidence, prices)
    return Calibration(
        learnt_on=len(purchases),
        learnt_until=date.fromordinal(int(purchases.day.max())),
        hedonic_model=model,
        document_frequencies=frequencies,
        mixture_coefficients=coefficients,
        reliability=fit_reliability(observations.levels, low, high, observation_weights),
        attribute_impact=measure_attribute_impact(purchases, observations.models, names or {}),
    )


@dataclass(frozen=True, slots=True)
class Observations:
    """Past purchases compared with those known without them: their positions, evidence and levels; and the
    hedonic models fitted, each with the positions of the purchases that were held out of it."""

    rows: list[int] = field(default_factory=list[int])
    evidence: list[Evidence] = field(default_factory=list[Evidence])
    levels: list[Level] = field(default_factory=list[Level])
    models: list[tuple[HedonicModel, Rows]] = field(default_factory=list[tuple[HedonicModel, Rows]])


def observe_purchases(
    purchases: Candidates, weights: Floats, pool: PurchasePool, estimated: Flags, *, past_only: bool
) -> Observations:
    """Compare the flagged purchases with those of other orders, by a hedonic model fitted without them."""
    observations = Observations()
    fold_of_row = split_by_order(purchases.order, FOLDS)
    for fold in range(FOLDS):
        in_fold, outside = fold_of_row == fold, np.flatnonzero(fold_of_row != fold)
        if not in_fold.any() or not len(outside):
            continue
        model = fit_hedonic_model(purchases.take(outside), weights[outside])
        observations.models.append((model, np.flatnonzero(in_fold)))
        rows: list[int] = np.flatnonzero(in_fold & estimated).tolist()
        for row in rows:
            query_row = purchases.take(np.array([row]))
            candidates = pool.find_candidates(query_row, past_only=past_only, excluded=in_fold)
            candidates = candidates.take(np.flatnonzero(candidates.recurring == query_row.recurring[0]))
            if len(candidates):
                comparison = compare_candidates(query_row, candidates, model, pool.frequencies)
                observations.evidence.append(comparison.evidence)
                observations.levels.append(classify_similarity(comparison.similarity))
                observations.rows.append(row)
    return observations


def _predicted_around(coefficients: Floats, evidence: Evidence, prices: Floats) -> tuple[Floats, Floats]:
    """The predicted probabilities just below and just above each price."""
    components = evaluate_mixture(MixtureCoefficients.from_array(coefficients), evidence)
    around = np.array([-2 * REPEAT_WIDTH, 2 * REPEAT_WIDTH])
    cumulative = np.array(
        [
            Density.from_components(components, evidence, at).cumulative(price + around)
            for at, price in enumerate(prices.tolist())
        ]
    )
    return cumulative[:, 0], cumulative[:, 1]


def _select_estimated(purchases: Candidates, past_only: bool) -> Flags:
    """Flag the purchases to estimate: the latest where only the past may be known, else any."""
    chosen = np.ones(len(purchases), dtype=np.bool_)
    if len(purchases) > MAX_ESTIMATED:
        rank = purchases.day if past_only else hash_evenly(np.arange(len(purchases)))
        chosen[np.argsort(-rank, kind="stable")[MAX_ESTIMATED:]] = False
    return chosen


def order_weights(order: Codes) -> Floats:
    """The weight of each purchase in fitting, by the size of its order."""
    _, inverse, counts = np.unique(order, return_inverse=True, return_counts=True)
    return np.where(order == 0, 1.0, counts[inverse].astype(np.float64) ** _ORDER_SIZE_EXPONENT)


def split_by_order(order: Codes, number: int) -> Ints:
    """The part (0 to `number` - 1) of each purchase. An order is never split; without one a purchase stands
    alone."""
    key = np.where(order == 0, np.arange(len(order)) + (1 << 33), order.astype(np.int64))
    return hash_evenly(key) % number


def hash_evenly(key: Ints) -> Ints:
    """Spread integers evenly, because checksums of similar names share their last bits (Knuth's
    multiplier)."""
    spread = (key.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(33)
    return spread.astype(np.int64)
