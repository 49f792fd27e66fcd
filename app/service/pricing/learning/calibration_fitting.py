"""Fits a calibration to past purchases, each estimated as the service would have estimated it, and its
reliability: the conformal correction of predicted probabilities, by level of similarity and by how new the
query is.

Distributional conformal prediction (Chernozhukov, Wüthrich & Zhu, PNAS 118, 2021): where past prices fell in
the distributions predicted for them shows what the probabilities really mean. By classes it is Mondrian
conformal prediction (Vovk, Gammerman & Shafer, Algorithmic Learning in a Random World, 2005), each class
shrunk to the one around it.
"""

from dataclasses import dataclass, field
from datetime import date

import numpy as np

from app.service.pricing.estimator.calibration import Calibration, NewnessReliability, Reliability
from app.service.pricing.estimator.candidates import Candidates, Codes, Flags, Floats, Ints, Rows
from app.service.pricing.estimator.distribution import GRID, LEVELS, NEWNESSES, Level, Newness
from app.service.pricing.estimator.evidence import Evidence, compare_candidates
from app.service.pricing.estimator.hedonic_model import HedonicModel
from app.service.pricing.estimator.mixture import (
    REPEAT_WIDTH,
    Densities,
    MixtureCoefficients,
    evaluate_mixture,
)
from app.service.pricing.estimator.newness import classify_newness, move_outwards
from app.service.pricing.estimator.prior import PRIOR_COEFFICIENTS
from app.service.pricing.estimator.similarity import classify_similarity
from app.service.pricing.estimator.text_similarity import DocumentFrequencies
from app.service.pricing.learning.attribute_impact import measure_attribute_impact
from app.service.pricing.learning.hedonic_fitting import fit_hedonic_model
from app.service.pricing.learning.mixture_fitting import fit_mixture
from app.service.pricing.learning.order_groups import (
    hash_evenly,
    number_orders,
    order_weights,
    split_by_order,
)
from app.service.pricing.learning.purchase_pool import PurchasePool

_FINE = np.linspace(0.0, 1.0, 401)
_GRID: Floats = np.array(GRID, dtype=np.float64)
_OUTWARDS: Floats = np.sign(_GRID - 0.5)
# How many orders of a class move a probability half the way to what they show, and how many suppliers, whose
# orders are much alike, where the supplier is new.
_HALF_ORDERS, _HALF_SUPPLIERS = 60.0, 3.0
# How far the outermost probabilities of a new supplier are moved outwards until other suppliers show how far
# they have to be.
_UNKNOWN_SUPPLIER_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class KeptAside:
    """Purchases predicted by a mixture fitted without their orders, one entry each.

    `low` and `high` are the predicted probabilities just below and just above each price, which are apart
    where the same price is expected to be repeated. `without_supplier` says that all of its supplier was left
    out, so that its supplier was new.
    """

    levels: list[Level]
    newness: list[Newness]
    low: Floats
    high: Floats
    order: Codes
    supplier: Codes
    without_supplier: Flags


def fit_reliability(kept_aside: KeptAside) -> Reliability:
    """For each level, the probabilities of `GRID`, made wider where whole orders kept aside show that they
    are too narrow. Each order counts once, however many lines it has."""
    level_of_row = np.array(kept_aside.levels)
    return {
        level: _to_tuple(
            _widen(kept_aside, (level_of_row == level) & ~kept_aside.without_supplier, _GRID, _GRID)
        )
        for level in LEVELS
    }


def fit_newness_reliability(reliability: Reliability, kept_aside: KeptAside) -> NewnessReliability:
    """For each newness and level, the `reliability` of the level, made wider where such purchases kept aside
    show that it is too narrow."""
    level_of_row, newness_of_row = np.array(kept_aside.levels), np.array(kept_aside.newness)
    fitted: dict[Newness, dict[Level, tuple[float, ...]]] = {newness: {} for newness in NEWNESSES}
    for level in LEVELS:
        parent = np.array(reliability[level], dtype=np.float64)
        for newness in NEWNESSES:
            chosen = (level_of_row == level) & (newness_of_row == newness)
            if newness == "new_supplier":
                expected = move_outwards(parent, _UNKNOWN_SUPPLIER_SHARE)
                corrected = _widen(kept_aside, chosen, parent, expected, by_supplier=True)
            else:
                corrected = _widen(kept_aside, chosen, parent, parent)
            fitted[newness][level] = _to_tuple(corrected)
    return fitted


def _widen(
    kept_aside: KeptAside, chosen: Flags, floor: Floats, prior: Floats, *, by_supplier: bool = False
) -> Floats:
    """The prior moved to what the chosen purchases show, the more the more orders (or suppliers) they are of;
    never inside `floor`."""
    if not chosen.any():
        return prior
    order = number_orders(kept_aside.order[chosen])
    weights = 1.0 / np.bincount(order)[order]
    empirical = _empirical(kept_aside.low[chosen], kept_aside.high[chosen], weights)
    if by_supplier:
        number, half = len(np.unique(kept_aside.supplier[chosen])), _HALF_SUPPLIERS
    else:
        number, half = float(weights.sum()), _HALF_ORDERS
    moved = prior + (empirical - prior) * number / (number + half)
    return _limit(moved, floor)


def _limit(probabilities: Floats, floor: Floats) -> Floats:
    """The probabilities, never decreasing and never inside `floor`."""
    outside = floor + _OUTWARDS * np.maximum(_OUTWARDS * (probabilities - floor), 0.0)
    return np.maximum.accumulate(np.clip(outside, 0.002, 0.998))


def _empirical(low: Floats, high: Floats, weights: Floats) -> Floats:
    """The predicted probabilities below which prices lay with those of `GRID`."""
    coverage = (
        np.clip((_FINE[:, None] - low) / np.maximum(high - low, 1e-9), 0.0, 1.0) @ weights / weights.sum()
    )
    return np.interp(_GRID, coverage + np.arange(len(_FINE)) * 1e-9, _FINE)


def _to_tuple(probabilities: Floats) -> tuple[float, ...]:
    return tuple(probabilities.tolist())


MIN_PURCHASES = 10
# How many an attribute's effect on prices is measured on at least: with a few orders any difference looks
# significant.
MIN_FOR_IMPACT = 40
# How many of the latest purchases the hedonic model is fitted to, and how many of those are estimated to fit
# the mixture.
MAX_PURCHASES, MAX_ESTIMATED = 20_000, 3_000
FOLDS = 4
# How many of those are estimated once more without any purchase of their supplier.
MAX_WITHOUT_SUPPLIER = 1_000


def fit_calibration(
    purchases: Candidates,
    *,
    names: dict[int, str] | None = None,
    past_only: bool = True,
    previous: Calibration | None = None,
    prior: Floats = PRIOR_COEFFICIENTS,
) -> Calibration:
    """Fit a calibration to `purchases`. Where fewer than `MIN_PURCHASES` can be estimated from the others,
    the mixture is the `prior` and its reliability is unknown.

    Every purchase is estimated from purchases of other orders, with a hedonic model fitted without it;
    `past_only` also leaves out later purchases. `names` has the names of attributes by `attribute_key`, for
    `Calibration.attribute_impact`. Starting at the `previous` calibration makes fitting faster and changes
    nothing else.
    """
    if (is_unknown := np.isnan(purchases.log_rate)).any():
        purchases = purchases.take(np.flatnonzero(~is_unknown))
    if len(purchases) < 2:
        return Calibration(mixture_coefficients=prior)
    if len(purchases) > MAX_PURCHASES:
        purchases = purchases.take(np.sort(np.argsort(-purchases.day, kind="stable")[:MAX_PURCHASES]))
    weights = order_weights(purchases.order)
    frequencies = DocumentFrequencies.from_texts(purchases.texts)
    pool = PurchasePool(purchases, frequencies)
    estimated = _select_estimated(purchases, past_only)

    fold_of_row = split_by_order(purchases.order, FOLDS)
    observations = observe_purchases(purchases, weights, pool, estimated, fold_of_row, past_only=past_only)
    model = fit_hedonic_model(purchases, weights)
    if len(observations.rows) < MIN_PURCHASES:
        return Calibration(hedonic_model=model, document_frequencies=frequencies, mixture_coefficients=prior)
    start = None if previous is None else previous.mixture_coefficients
    unfitted = _Mixture(prior, [prior] * FOLDS)
    mixture = _fit_mixture(purchases, weights, observations, fold_of_row, unfitted, start=start)
    without_supplier = observe_purchases(
        purchases,
        weights,
        pool,
        _select_without_supplier(estimated),
        hash_evenly(purchases.facet("supplier").astype(np.int64)) % FOLDS,
        past_only=past_only,
    )
    of_new_supplier = _fit_mixture(purchases, weights, without_supplier, fold_of_row, mixture)
    kept_aside = _keep_aside(
        purchases, fold_of_row, (observations, mixture), (without_supplier, of_new_supplier)
    )
    reliability = fit_reliability(kept_aside)
    return Calibration(
        learnt_on=len(purchases),
        learnt_until=date.fromordinal(int(purchases.day.max())),
        hedonic_model=model,
        document_frequencies=frequencies,
        mixture_coefficients=mixture.coefficients,
        new_supplier_coefficients=of_new_supplier.coefficients,
        reliability=reliability,
        newness_reliability=fit_newness_reliability(reliability, kept_aside),
        attribute_impact=(
            measure_attribute_impact(purchases, observations.models, names or {})
            if len(observations.rows) >= MIN_FOR_IMPACT
            else {}
        ),
    )


@dataclass(frozen=True, slots=True)
class Observations:
    """Past purchases compared with those known without them: their positions, evidence, levels and newness;
    and the hedonic models fitted, each with the positions of the purchases that were held out of it."""

    rows: list[int] = field(default_factory=list[int])
    evidence: list[Evidence] = field(default_factory=list[Evidence])
    levels: list[Level] = field(default_factory=list[Level])
    newness: list[Newness] = field(default_factory=list[Newness])
    models: list[tuple[HedonicModel, Rows]] = field(default_factory=list[tuple[HedonicModel, Rows]])

    def join_evidence(self) -> Evidence:
        """The evidence of all, at least one."""
        return Evidence.concatenate(self.evidence)


def observe_purchases(
    purchases: Candidates,
    weights: Floats,
    pool: PurchasePool,
    estimated: Flags,
    fold_of_row: Ints,
    *,
    past_only: bool,
) -> Observations:
    """Compare the flagged purchases with those of the other folds, by a hedonic model fitted without their
    own."""
    observations = Observations()
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
                observations.levels.extend(classify_similarity(comparison.similarity))
                observations.newness.extend(
                    classify_newness(query_row, candidates, comparison.rows, comparison.similarity)
                )
                observations.rows.append(row)
    return observations


@dataclass(frozen=True, slots=True)
class _Mixture:
    """The coefficients of a mixture: fitted to all that was observed, and for each fold of orders to the
    others."""

    coefficients: Floats
    without_fold: list[Floats]


def _fit_mixture(
    purchases: Candidates,
    weights: Floats,
    observations: Observations,
    fold_of_row: Ints,
    prior: _Mixture,
    *,
    start: Floats | None = None,
) -> _Mixture:
    """Fit a mixture to what was observed, its coefficients drawn towards those of `prior`."""
    if not observations.rows:
        return prior
    rows = np.array(observations.rows)
    evidence, prices, weights = observations.join_evidence(), purchases.log_rate[rows], weights[rows]
    coefficients = fit_mixture(evidence, prices, weights, prior.coefficients, start=start)
    without_fold: list[Floats] = []
    for fold, prior_of_fold in enumerate(prior.without_fold):
        others = np.flatnonzero(fold_of_row[rows] != fold)
        without_fold.append(
            fit_mixture(
                evidence.take(others), prices[others], weights[others], prior_of_fold, start=coefficients
            )
            if 0 < len(others) < len(rows)
            else coefficients
        )
    return _Mixture(coefficients, without_fold)


def _keep_aside(
    purchases: Candidates, fold_of_row: Ints, *predicted: tuple[Observations, _Mixture]
) -> KeptAside:
    """Predict what was observed, by the first with its order and by the second with its supplier left out,
    each with the coefficients fitted without the fold of its order."""
    lows: list[Floats] = []
    highs: list[Floats] = []
    for observations, mixture in predicted:
        low, high = np.zeros(len(observations.rows)), np.zeros(len(observations.rows))
        for fold, coefficients in enumerate(mixture.without_fold):
            own = np.flatnonzero(fold_of_row[observations.rows] == fold)
            low[own], high[own] = _predicted_around(purchases, observations, coefficients, own)
        lows.append(low)
        highs.append(high)
    by_order, by_supplier = (observations for observations, _ in predicted)
    rows = [*by_order.rows, *by_supplier.rows]
    return KeptAside(
        levels=[*by_order.levels, *by_supplier.levels],
        newness=[*by_order.newness, *by_supplier.newness],
        low=np.concatenate(lows),
        high=np.concatenate(highs),
        order=purchases.order[rows],
        supplier=purchases.facet("supplier")[rows],
        without_supplier=np.repeat([False, True], [len(by_order.rows), len(by_supplier.rows)]),
    )


def _predicted_around(
    purchases: Candidates, observations: Observations, coefficients: Floats, chosen: Rows
) -> tuple[Floats, Floats]:
    """The predicted probabilities just below and just above the price of each chosen observation."""
    if not len(chosen):
        return np.zeros(0), np.zeros(0)
    evidence = observations.join_evidence().take(chosen)
    components = evaluate_mixture(MixtureCoefficients.from_array(coefficients), evidence)
    around = np.array([-2 * REPEAT_WIDTH, 2 * REPEAT_WIDTH])
    prices = purchases.log_rate[np.array(observations.rows)[chosen]]
    cumulative = Densities.from_components(components, evidence).cumulative(prices[:, None] + around)
    return cumulative[:, 0], cumulative[:, 1]


def _select_estimated(purchases: Candidates, past_only: bool) -> Flags:
    """Flag the purchases to estimate: the latest where only the past may be known, else any."""
    chosen = np.ones(len(purchases), dtype=np.bool_)
    if len(purchases) > MAX_ESTIMATED:
        rank = purchases.day if past_only else hash_evenly(np.arange(len(purchases)))
        chosen[np.argsort(-rank, kind="stable")[MAX_ESTIMATED:]] = False
    return chosen


def _select_without_supplier(estimated: Flags) -> Flags:
    """Flag any of the purchases that are estimated, at most `MAX_WITHOUT_SUPPLIER`."""
    rows = np.flatnonzero(estimated)
    chosen = np.zeros(len(estimated), dtype=np.bool_)
    chosen[rows[np.argsort(hash_evenly(rows), kind="stable")[:MAX_WITHOUT_SUPPLIER]]] = True
    return chosen
