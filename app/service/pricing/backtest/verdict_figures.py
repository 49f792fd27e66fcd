"""How often verdicts are wrong on past purchases made quotes: at half, once, twice and ten times their price,
a fifth of them with another purchase's edition or unit.

Wrong is to accept at more than 1.25 times what was really paid, and to negotiate at no more than that was. Of
a purchase with another's edition or unit, what the other paid counts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import log

from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.distribution import NotEstimable, PriceDistribution
from app.service.pricing.estimator.estimate import estimate_among
from app.service.pricing.learning.purchase_pool import PurchasePool
from app.service.pricing.verdict import PricedLine, judge_line
from app.service.purchase_records.query import PriceQuery, periods_of_price
from app.service.purchase_records.records import Purchase

MULTIPLES = (0.5, 1.0, 2.0, 10.0)
"""What a quote is of the price that was paid."""
ALTERED_EVERY = 5
_TOO_EXPENSIVE = 1.25
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class VerdictFigures:
    """Of `n` quotes `given` had a verdict and `wrong` a wrong one. `by_times` and `reasons` say where: given
    and wrong for each of `TIMES`, and how many were withheld for each first reason."""

    n: int
    given: int
    wrong: int
    by_multiple: Mapping[float, tuple[int, int, int]]
    reasons: Mapping[str, int]

    def to_stored_record(self) -> dict[str, int]:
        """As the calibration keeps it."""
        return {"n": self.n, "given": self.given, "wrong": self.wrong}


@dataclass(frozen=True, slots=True)
class TrialQuote:
    """A purchase whose terms are asked for, perhaps with another's edition or unit. `paid` is what it cost
    and `worth` what the terms asked for are really paid with, both totals for the whole term."""

    query: PriceQuery
    day: date
    paid: float
    true_price: float


def make_trial_quotes(purchases: Sequence[Purchase], chosen: Iterable[int]) -> list[TrialQuote]:
    """The purchases at these positions as quotes; every fifth has a neighbour's edition or unit, where the
    same product was bought in another one."""
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
    """The figures of quotes, each with its estimate."""
    counts = {times: [0, 0, 0] for times in MULTIPLES}
    reasons: defaultdict[str, int] = defaultdict(int)
    for quote, price in estimates:
        for times in MULTIPLES:
            amount = times * quote.paid
            counts[times][0] += 1
            if isinstance(price, NotEstimable):
                reasons["no estimate"] += 1
                continue
            judged = judge_line(
                PricedLine(
                    quote.query.product,
                    price,
                    amount,
                    quantity=quote.query.quantity,
                    months=quote.query.term_months,
                ),
                quote.day,
            )
            if judged is None or judged.word == "withheld":
                reasons[_reason_kind(judged.reasons[0]) if judged else ""] += 1
                continue
            counts[times][1] += 1
            accepted_too_dear = judged.word == "accept" and amount > _TOO_EXPENSIVE * quote.true_price
            fought_for_nothing = judged.word == "negotiate" and amount <= quote.true_price * (1 + _TOLERANCE)
            counts[times][2] += accepted_too_dear or fought_for_nothing
    return VerdictFigures(
        n=sum(one[0] for one in counts.values()),
        given=sum(one[1] for one in counts.values()),
        wrong=sum(one[2] for one in counts.values()),
        by_multiple={times: (one[0], one[1], one[2]) for times, one in counts.items()},
        reasons=dict(reasons),
    )


def estimate_trial_quotes(
    quotes: Iterable[TrialQuote], market: PurchasePool, calibration: Calibration, *, past_only: bool
) -> Iterable[tuple[TrialQuote, PriceDistribution | NotEstimable]]:
    """Each quote with its estimate from the purchases of other orders."""
    for quote in quotes:
        asked = Candidates.from_query(quote.query, quote.day.toordinal())
        near = market.find_candidates(asked, past_only=past_only)
        yield quote, estimate_among(quote.query, asked, near, calibration)


def _scope_query(row: Purchase) -> PriceQuery:
    """What a scope would ask: no buyer, brand or category."""
    return replace(PriceQuery.about(row), buyer=None, brand=None, category=None, description=None)


def _total_price(row: Purchase, priced: Purchase) -> float:
    """What the quantity and term of `row` cost at the price of `priced`."""
    rate = float(priced.unit_price) / periods_of_price(priced)
    months = float(row.term_months or 1) if priced.price_period != "once" else 1.0
    return rate * float(row.quantity) * months


def _alter_terms(quote: TrialQuote, row: Purchase, others: Sequence[Purchase]) -> TrialQuote | None:
    """With the edition or unit of the purchase that is nearest in quantity and differs in one of them."""
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


def _reason_kind(reason: str) -> str:
    """A reason without what it says of this quote."""
    return " ".join(word for word in reason.split()[:6] if not any(letter.isdigit() for letter in word))
