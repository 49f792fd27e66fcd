"""Learning a calibration from past purchases, each estimated as the service would have done it."""

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
# The latest purchases that features are learnt from, and how many of them are estimated to learn more.
MAX_PURCHASES, MAX_ESTIMATED = 20_000, 3_000
FOLDS = 4

# An order of a hundred lines says more than one of a single line, but not a hundred times as much.
_ORDER_SIZE_EXPONENT = -0.3


def fit_calibration(
    purchases: Candidates,
    *,
    names: dict[int, str] | None = None,
    past_only: bool = True,
    previous: Calibration | None = None,
) -> Calibration:
    """What `purchases` teach; fewer than `FEWEST` leave the prior as it is.

    Every purchase is estimated from purchases of other orders, with what features are worth learnt
    without it; `past_only` also leaves out what was bought after it. `names` gives attributes their
    names (by `attribute_name`) for `Calibration.impact`; `before` is what was learnt last, which makes
    learning faster and changes nothing else.
    """
    if len(purchases) < MIN_PURCHASES:
        return Calibration()
    if len(purchases) > MAX_PURCHASES:
        purchases = purchases.take(np.sort(np.argsort(-purchases.day, kind="stable")[:MAX_PURCHASES]))
    weights = order_weights(purchases.order)
    rarity = DocumentFrequencies.from_texts(purchases.texts)
    market = PurchasePool(purchases, rarity)
    chosen = _select_estimated(purchases, past_only)

    past = observe_purchases(purchases, weights, market, chosen, past_only=past_only)
    worth = fit_hedonic_model(purchases, weights)
    if len(past.rows) < MIN_PURCHASES:
        return Calibration(hedonic_model=worth, document_frequencies=rarity)
    prices, shares = purchases.log_rate[past.rows], weights[past.rows]
    evidence = Evidence.concatenate(past.evidence)
    start = None if previous is None else previous.mixture_coefficients
    mixture = fit_mixture(evidence, prices, shares, PRIOR_COEFFICIENTS, start=start)
    low, high = _predicted_around(mixture, evidence, prices)
    return Calibration(
        learnt_on=len(purchases),
        learnt_until=date.fromordinal(int(purchases.day.max())),
        hedonic_model=worth,
        document_frequencies=rarity,
        mixture_coefficients=mixture,
        reliability=fit_reliability(past.levels, low, high, shares),
        attribute_impact=measure_attribute_impact(purchases, past.models, names or {}),
    )


@dataclass(frozen=True, slots=True)
class Observations:
    """Past purchases held against what was known without them: their positions, evidence and levels, and
    what features were worth, with the positions that were held out of it."""

    rows: list[int] = field(default_factory=list[int])
    evidence: list[Evidence] = field(default_factory=list[Evidence])
    levels: list[Level] = field(default_factory=list[Level])
    models: list[tuple[HedonicModel, Rows]] = field(default_factory=list[tuple[HedonicModel, Rows]])


def observe_purchases(
    purchases: Candidates, weights: Floats, market: PurchasePool, chosen: Flags, *, past_only: bool
) -> Observations:
    seen = Observations()
    part = split_by_order(purchases.order, FOLDS)
    for held in range(FOLDS):
        mine, others = part == held, np.flatnonzero(part != held)
        if not mine.any() or not len(others):
            continue
        worth = fit_hedonic_model(purchases.take(others), weights[others])
        seen.models.append((worth, np.flatnonzero(mine)))
        rows: list[int] = np.flatnonzero(mine & chosen).tolist()
        for row in rows:
            asked = purchases.take(np.array([row]))
            near = market.find_candidates(asked, past_only=past_only, excluded=mine)
            near = near.take(np.flatnonzero(near.recurring == asked.recurring[0]))
            if len(near):
                comparison = compare_candidates(asked, near, worth, market.rarity)
                seen.evidence.append(comparison.evidence)
                seen.levels.append(classify_similarity(comparison.similarity))
                seen.rows.append(row)
    return seen


def _predicted_around(mixture: Floats, evidence: Evidence, prices: Floats) -> tuple[Floats, Floats]:
    """The told probabilities just below and just above each price."""
    found = evaluate_mixture(MixtureCoefficients.from_array(mixture), evidence)
    around = np.array([-2 * REPEAT_WIDTH, 2 * REPEAT_WIDTH])
    told = np.array(
        [
            Density.from_components(found, evidence, at).cumulative(price + around)
            for at, price in enumerate(prices.tolist())
        ]
    )
    return told[:, 0], told[:, 1]


def _select_estimated(purchases: Candidates, past_only: bool) -> Flags:
    """The purchases to estimate: the latest where only the past may be known, else any."""
    chosen = np.ones(len(purchases), dtype=np.bool_)
    if len(purchases) > MAX_ESTIMATED:
        rank = purchases.day if past_only else hash_evenly(np.arange(len(purchases)))
        chosen[np.argsort(-rank, kind="stable")[MAX_ESTIMATED:]] = False
    return chosen


def order_weights(order: Codes) -> Floats:
    """How much each purchase counts in learning, by the size of its order."""
    _, inverse, counts = np.unique(order, return_inverse=True, return_counts=True)
    return np.where(order == 0, 1.0, counts[inverse].astype(np.float64) ** _ORDER_SIZE_EXPONENT)


def split_by_order(order: Codes, number: int) -> Ints:
    """Split purchases into parts that never cut an order in two; without an order each stands alone."""
    key = np.where(order == 0, np.arange(len(order)) + (1 << 33), order.astype(np.int64))
    return hash_evenly(key) % number


def hash_evenly(key: Ints) -> Ints:
    """Integers spread evenly: checksums of like names share their last bits (Knuth's multiplier)."""
    spread = (key.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(33)
    return spread.astype(np.int64)
