"""Learning a calibration from past purchases, each estimated as the service would have done it."""

from dataclasses import dataclass, field
from datetime import date

import numpy as np

from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates, Codes, Flags, Floats, Ints, Rows
from app.service.pricing.estimator.distribution import Level
from app.service.pricing.estimator.evidence import Evidence, compare
from app.service.pricing.estimator.hedonic_model import Worth
from app.service.pricing.estimator.mixture import EXACT, Density, Mixture, terms
from app.service.pricing.estimator.prior import MIXTURE
from app.service.pricing.estimator.similarity_level import level_of
from app.service.pricing.estimator.text_similarity import Rarity
from app.service.pricing.learning.attribute_impact import attribute_impact
from app.service.pricing.learning.hedonic_fitting import fit_worth
from app.service.pricing.learning.mixture_fitting import fit_mixture
from app.service.pricing.learning.purchase_pool import Market
from app.service.pricing.learning.reliability_fitting import learn_reliability

FEWEST = 40
# The latest purchases that features are learnt from, and how many of them are estimated to learn more.
MOST_PURCHASES, MOST_ESTIMATED = 20_000, 3_000
PARTS = 4

# An order of a hundred lines says more than one of a single line, but not a hundred times as much.
_ORDER_SHARE = -0.3


def learn(
    purchases: Candidates,
    *,
    names: dict[int, str] | None = None,
    past_only: bool = True,
    before: Calibration | None = None,
) -> Calibration:
    """What `purchases` teach; fewer than `FEWEST` leave the prior as it is.

    Every purchase is estimated from purchases of other orders, with what features are worth learnt
    without it; `past_only` also leaves out what was bought after it. `names` gives attributes their
    names (by `attribute_name`) for `Calibration.impact`; `before` is what was learnt last, which makes
    learning faster and changes nothing else.
    """
    if len(purchases) < FEWEST:
        return Calibration()
    if len(purchases) > MOST_PURCHASES:
        purchases = purchases.take(np.sort(np.argsort(-purchases.day, kind="stable")[:MOST_PURCHASES]))
    weights = order_weights(purchases.order)
    rarity = Rarity.of(purchases.texts)
    market = Market(purchases, rarity)
    chosen = _estimated(purchases, past_only)

    past = observe(purchases, weights, market, chosen, past_only=past_only)
    worth = fit_worth(purchases, weights)
    if len(past.rows) < FEWEST:
        return Calibration(worth=worth, rarity=rarity)
    prices, shares = purchases.log_rate[past.rows], weights[past.rows]
    evidence = Evidence.stacked(past.evidence)
    start = None if before is None else before.mixture
    mixture = fit_mixture(evidence, prices, shares, MIXTURE, start=start)
    low, high = _told(mixture, evidence, prices)
    return Calibration(
        learnt_on=len(purchases),
        learnt_until=date.fromordinal(int(purchases.day.max())),
        worth=worth,
        rarity=rarity,
        mixture=mixture,
        reliability=learn_reliability(past.levels, low, high, shares),
        impact=attribute_impact(purchases, past.learnt, names or {}),
    )


@dataclass(frozen=True, slots=True)
class Observed:
    """Past purchases held against what was known without them: their positions, evidence and levels, and
    what features were worth, with the positions that were held out of it."""

    rows: list[int] = field(default_factory=list[int])
    evidence: list[Evidence] = field(default_factory=list[Evidence])
    levels: list[Level] = field(default_factory=list[Level])
    learnt: list[tuple[Worth, Rows]] = field(default_factory=list[tuple[Worth, Rows]])


def observe(
    purchases: Candidates, weights: Floats, market: Market, chosen: Flags, *, past_only: bool
) -> Observed:
    seen = Observed()
    part = parts_of(purchases.order, PARTS)
    for held in range(PARTS):
        mine, others = part == held, np.flatnonzero(part != held)
        if not mine.any() or not len(others):
            continue
        worth = fit_worth(purchases.take(others), weights[others])
        seen.learnt.append((worth, np.flatnonzero(mine)))
        rows: list[int] = np.flatnonzero(mine & chosen).tolist()
        for row in rows:
            asked = purchases.take(np.array([row]))
            near = market.near(asked, past_only=past_only, left_out=mine)
            near = near.take(np.flatnonzero(near.recurring == asked.recurring[0]))
            if len(near):
                comparison = compare(asked, near, worth, market.rarity)
                seen.evidence.append(comparison.evidence)
                seen.levels.append(level_of(comparison.similarity))
                seen.rows.append(row)
    return seen


def _told(mixture: Floats, evidence: Evidence, prices: Floats) -> tuple[Floats, Floats]:
    """The told probabilities just below and just above each price."""
    found = terms(Mixture.of(mixture), evidence)
    around = np.array([-2 * EXACT, 2 * EXACT])
    told = np.array(
        [Density.of(found, evidence, at).below(price + around) for at, price in enumerate(prices.tolist())]
    )
    return told[:, 0], told[:, 1]


def _estimated(purchases: Candidates, past_only: bool) -> Flags:
    """The purchases to estimate: the latest where only the past may be known, else any."""
    chosen = np.ones(len(purchases), dtype=np.bool_)
    if len(purchases) > MOST_ESTIMATED:
        rank = purchases.day if past_only else mixed(np.arange(len(purchases)))
        chosen[np.argsort(-rank, kind="stable")[MOST_ESTIMATED:]] = False
    return chosen


def order_weights(order: Codes) -> Floats:
    """How much each purchase counts in learning, by the size of its order."""
    _, inverse, counts = np.unique(order, return_inverse=True, return_counts=True)
    return np.where(order == 0, 1.0, counts[inverse].astype(np.float64) ** _ORDER_SHARE)


def parts_of(order: Codes, number: int) -> Ints:
    """Split purchases into parts that never cut an order in two; without an order each stands alone."""
    key = np.where(order == 0, np.arange(len(order)) + (1 << 33), order.astype(np.int64))
    return mixed(key) % number


def mixed(key: Ints) -> Ints:
    """Integers spread evenly: checksums of like names share their last bits (Knuth's multiplier)."""
    spread = (key.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(33)
    return spread.astype(np.int64)
