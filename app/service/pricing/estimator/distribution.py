"""The price of one product as a distribution, with the purchases behind it, and that of a whole scope: the
sum of its products' distributions, which are correlated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

# Levels of similarity, from the most to the least certain; each has its own reliability.
Level = Literal["repeat", "product", "similar", "related", "coarse"]
LEVELS: tuple[Level, ...] = ("repeat", "product", "similar", "related", "coarse")

# How new a query is to the purchases that it is compared with, from the newest: no candidate is of its
# supplier; none compared is of its product; those of its product are all of one order; those are of several.
Newness = Literal["new_supplier", "new_product", "one_order", "known"]
NEWNESSES: tuple[Newness, ...] = ("new_supplier", "new_product", "one_order", "known")

# How a past purchase relates to the query: the same product and edition in the same unit from the same
# supplier (or by an identical item number); that product in another edition, unit or wording; a product much
# like it, or of its name at another supplier; anything else.
Relation = Literal["same_article", "same_product", "similar", "other"]
RELATIONS: tuple[Relation, ...] = ("same_article", "same_product", "similar", "other")
FactorName = Literal["volume", "term", "renewal", "recency", "dimensions"]

# The probabilities at which a distribution is stored; between them it is linear in ln price.
GRID: tuple[float, ...] = (
    0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5,
    0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.975, 0.99,
)  # fmt: skip
_GRID: NDArray[np.float64] = np.array(GRID, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Comparable:
    """A purchase that carries weight in an estimate. `weight` is its share of the whole (0 to 1);
    `similarity` and each of its `parts` (product, dimensions, quantity, term, recency, size) are whole per
    cents; `unit_price` is what it would cost on the terms of the query (see `PriceDistribution.unit_price`),
    `paid_unit_price` what one unit cost then.
    `like_for_like` says that it is the same product in the same unit, equal in everything that moves its
    price; `other_unit` that it is the product in another unit, or that one of the units is not stated;
    `other_pack` that its wording states another pack: `unit_price` is then for as many pieces as the query's
    has, where the article is the same otherwise. `quantity` is how many were bought, and for how many months,
    where that is known (`term_months`).
    """

    id: str
    weight: float
    similarity: int
    parts: Mapping[str, int]
    unit_price: float
    paid_unit_price: float
    purchase_date: date
    relation: Relation
    like_for_like: bool
    other_unit: bool = False
    other_pack: bool = False
    quantity: float | None = None
    term_months: float | None = None


@dataclass(frozen=True, slots=True)
class Factor:
    """Something that moved the estimate, by a ratio (`effect`) to the comparables' prices as paid.

    0.93 for volume means that the query's quantity makes a unit 7 % cheaper than in the purchases compared.
    """

    name: FactorName
    effect: float


@dataclass(frozen=True, slots=True)
class PriceDistribution:
    """What one product will cost before tax, for its whole quantity and term.

    `log_unit_prices` is the ln of the unit price at the probabilities of `GRID`, never decreasing; `multiple`
    is how many unit prices the whole costs (quantity times the months or other periods paid for). `purchases`
    is the number of candidates, `effective_purchases` the effective sample size of the weighted comparables,
    `newest` the day of the latest of them. By the `newness` of the query the 80 % range is `widened`: 0.1 is
    by a tenth. `learnt_on` counts the purchases that the estimator has learnt from; at 0 it weighs the
    comparables by the built-in prior, and how sure it may be was never checked.
    """

    log_unit_prices: NDArray[np.float64]
    multiple: float
    currency: str
    level: Level
    best_similarity: int
    purchases: int
    effective_purchases: float
    newest: date
    recurring: bool
    newness: Newness = "known"
    widened: float = 0.0
    learnt_on: int = 0
    comparables: tuple[Comparable, ...] = ()
    factors: tuple[Factor, ...] = ()

    def unit_price(self, probability: float) -> float:
        """The unit price at this probability; a month's where the price is recurring."""
        return float(np.exp(np.interp(probability, _GRID, self.log_unit_prices)))

    def quantile(self, probability: float) -> float:
        """The total price at this probability (0 to 1), never decreasing in it."""
        return self.unit_price(probability) * self.multiple

    def quantiles(self, probabilities: Sequence[float]) -> list[float]:
        """The total prices at these probabilities."""
        return (np.exp(np.interp(probabilities, _GRID, self.log_unit_prices)) * self.multiple).tolist()


@dataclass(frozen=True, slots=True)
class NotEstimable:
    """The price cannot be estimated; `reason` says why, for a person, and names nobody. `is_unstated` says
    that what is asked for leaves it open."""

    reason: str
    is_unstated: bool = False


# A supplier that is expensive for one product is expensive for others: prices of one quote are correlated.
_RANK_CORRELATION = 0.5

_DRAWS = 4096
_DRAW_PROBABILITIES: NDArray[np.float64] = (np.arange(_DRAWS) + 0.5) / _DRAWS


@dataclass(frozen=True, slots=True)
class ScopePrice:
    """The total price of a scope: `prices` at the probabilities of `GRID`, never decreasing."""

    prices: NDArray[np.float64]
    currency: str

    def quantile(self, probability: float) -> float:
        """The total not exceeded with this probability."""
        return self.quantiles([probability])[0]

    def quantiles(self, probabilities: Sequence[float]) -> list[float]:
        """The totals not exceeded with these probabilities."""
        return np.exp(np.interp(probabilities, _GRID, np.log(self.prices))).tolist()


def sum_distributions(
    parts: Sequence[PriceDistribution], dependence: float = _RANK_CORRELATION
) -> ScopePrice:
    """The distribution of the sum of parts, correlated by a Gaussian copula with one common factor.

    `dependence` is the correlation of any two parts' ranks, from 0 (independent) to 1 (all cheap or all
    expensive together). Draws are evenly spread and always the same, so that equal scopes have equal prices.
    ValueError without parts, and for parts in several currencies.
    """
    if not parts:
        raise ValueError("a scope has at least one part")
    if len({part.currency for part in parts}) > 1:
        raise ValueError("the parts are priced in several currencies")
    if len(parts) == 1:
        return ScopePrice(np.exp(parts[0].log_unit_prices) * parts[0].multiple, parts[0].currency)
    total = np.zeros(_DRAWS)
    for order, part in zip(_draw_orders(len(parts), dependence), parts, strict=True):
        sorted_prices = np.exp(np.interp(_DRAW_PROBABILITIES, _GRID, part.log_unit_prices)) * part.multiple
        total += sorted_prices[order]
    return ScopePrice(np.interp(_GRID, np.linspace(0.0, 1.0, _DRAWS), np.sort(total)), parts[0].currency)


@lru_cache(maxsize=64)
def _draw_orders(count: int, dependence: float) -> NDArray[np.intp]:
    """For each part, the order of its draws among `_DRAW_PROBABILITIES`."""
    generator = np.random.default_rng(20_240_229)
    normal = generator.standard_normal((count + 1, _DRAWS // 2))
    normal = np.concatenate([normal, -normal], axis=1)  # antithetic: the median stays in the middle
    correlated = np.sqrt(dependence) * normal[0] + np.sqrt(1.0 - dependence) * normal[1:]
    # Each part's ranks are made exactly even, so that its own distribution is kept.
    return correlated.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
