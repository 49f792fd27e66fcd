"""Measures how often verdicts are wrong, on trial quotes: past purchases at half, once, twice and ten times
their price, a fifth of them with another purchase's edition or unit.

A verdict is wrong if it calls more than 1.25 times the true price low, no more than it very high, or less
than it high: the true price may itself have been a high one. That is the price paid; with another purchase's
edition or unit it is what the other one paid."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import exp, log

from app.contract.price_level import PriceLevel
from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.distribution import NotEstimable, PriceDistribution
from app.service.pricing.estimator.estimate import estimate_among
from app.service.pricing.learning.purchase_pool import PurchasePool
from app.service.pricing.verdict import PricedLine, judge_lines
from app.service.purchase_records import PriceQuery, Purchase, log_rate

MULTIPLES = (0.5, 1.0, 2.0, 10.0)
"""The prices of trial quotes, as multiples of the price paid."""
ALTERED_EVERY = 5
_TOO_EXPENSIVE = 1.25
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class VerdictFigures:
    """Of `n` quotes, `given` had a verdict and `wrong` a wrong one."""

    n: int
    given: int
    wrong: int


@dataclass(frozen=True, slots=True)
class TrialQuote:
    """A quote made of a past purchase, perhaps with another one's edition or unit. `paid` is what the
    purchase cost, `true_price` what the terms of the query really cost, both totals for the whole term."""

    query: PriceQuery
    day: date
    paid: float
    true_price: float

    def price_line(self, price: PriceDistribution, amount: float) -> PricedLine:
        """The quote as a line with its estimate, of which this amount is asked."""
        query = self.query
        return PricedLine(
            query.product, price, amount, quantity=query.quantity or 1.0, months=query.term_months
        )


def make_trial_quotes(purchases: Sequence[Purchase], chosen: Iterable[int]) -> list[TrialQuote]:
    """Make quotes of the purchases at these positions; every fifth has another purchase's edition or unit, if
    the product was bought in another one."""
    by_product: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for at, row in enumerate(purchases):
        by_product[row.supplier, row.product_key or row.product].append(at)
    made: list[TrialQuote] = []
    for number, at in enumerate(chosen):
        row = purchases[at]
        quote = TrialQuote(
            _scope_query(row), row.purchase_date, _total_price(row, row), _total_price(row, row)
        )
        if number % ALTERED_EVERY == 0:
            others = [purchases[other] for other in by_product[row.supplier, row.product_key or row.product]]
            quote = _alter_terms(quote, row, others) or quote
        made.append(quote)
    return made


def judge_trial_quotes(
    estimates: Iterable[tuple[TrialQuote, PriceDistribution | NotEstimable]],
) -> VerdictFigures:
    """Judge quotes by their estimates at each of `MULTIPLES`, and count the verdicts."""
    n = given = wrong = 0
    for quote, price in estimates:
        n += len(MULTIPLES)
        if isinstance(price, NotEstimable):
            continue
        for times in MULTIPLES:
            amount = times * quote.paid
            level = judge_lines([quote.price_line(price, amount)], amount, quote.day).level
            if level is not None:
                given += 1
                wrong += is_wrong(level, amount / quote.true_price)
    return VerdictFigures(n, given, wrong)


def is_wrong(level: PriceLevel, share: float) -> bool:
    """Whether the level is wrong of an amount that is this share of the true price."""
    return {
        "low": share > _TOO_EXPENSIVE,
        "usual": False,
        "high": share < 1 - _TOLERANCE,
        "very_high": share <= 1 + _TOLERANCE,
    }[level]


def estimate_trial_quotes(
    quotes: Iterable[TrialQuote], pool: PurchasePool, calibration: Calibration, *, past_only: bool
) -> Iterable[tuple[TrialQuote, PriceDistribution | NotEstimable]]:
    """Estimate each quote from the purchases of other orders."""
    for quote in quotes:
        query_row = Candidates.from_query(quote.query, quote.day.toordinal())
        candidates = pool.find_candidates(query_row, past_only=past_only)
        yield quote, estimate_among([quote.query], query_row, candidates, calibration)[0]


def _scope_query(row: Purchase) -> PriceQuery:
    """The query that a scope would make: without buyer, brand and category."""
    return replace(PriceQuery.from_purchase(row), buyer=None, brand=None, category=None, description=None)


def _total_price(row: Purchase, priced: Purchase) -> float:
    """The cost of the quantity and term of `row` at the price of `priced`."""
    months = float(row.term_months or 1) if priced.price_period != "once" else 1.0
    return exp(log_rate(priced)) * float(row.quantity) * months


def _alter_terms(quote: TrialQuote, row: Purchase, others: Sequence[Purchase]) -> TrialQuote | None:
    """The quote with the edition and unit of the purchase of nearest quantity that differs in one of them;
    None without such a purchase."""
    differing = [
        other
        for other in others
        if (_chosen_options(other) != _chosen_options(row) or other.unit != row.unit)
        and other.currency == row.currency
        and (other.price_period == "once") == (row.price_period == "once")
        and other.order_id != row.order_id
    ]
    if not differing:
        return None
    other = min(differing, key=lambda one: abs(log(float(one.quantity) / float(row.quantity))))
    numbers = {name: value for name, value in row.attributes.items() if not isinstance(value, str)}
    query = replace(quote.query, unit=other.unit, attributes=_chosen_options(other) | numbers)
    return replace(quote, query=query, true_price=_total_price(row, other))


def _chosen_options(row: Purchase) -> dict[str, str | float]:
    return {name: value for name, value in row.attributes.items() if isinstance(value, str)}
