"""An award problem as a mixed-integer program.

Each offer is awarded or not. A quote's discounts are steps: within a step its awarded amount lies between
two bounds and costs one percentage less. Amounts are scaled, so that the largest is 1,000: the solver's
tolerances are absolute.
"""

from collections.abc import Collection, Mapping, Sequence

from app.service.sourcing.award.integer_program import IntegerProgram, Solution
from app.service.sourcing.award.problem import (
    Problem,
    Quote,
    Rule,
    RuleKind,
    amount_of,
    usable_quotes,
)

_LARGEST = 1000.0
_WHOLE = 0.5


class AwardProgram:
    """The program of a problem under some of its rules."""

    def __init__(self, problem: Problem, rules: Collection[Rule]) -> None:
        self._quotes = usable_quotes(problem, rules)
        self._given = problem.constraints
        self._rules = set(rules)
        amounts = [offer.amount for quote in self._quotes for offer in quote.offers]
        self._scale = _LARGEST / max([1, *amounts])
        self._program = IntegerProgram()
        self._offers = {
            offer.id: self._program.add_binary(0.0 if quote.discounts else offer.amount * self._scale)
            for quote in self._quotes
            for offer in quote.offers
        }
        self._used = {quote.id: self._program.add_binary() for quote in self._quotes}
        self._suppliers: dict[str, int] = {}
        self._steps: dict[str, list[tuple[int, int, int]]] = {}
        self._open = self._cover_lines(problem)
        for quote in self._quotes:
            self._add_quote(quote)
        for rule in rules:
            if rule.kind is RuleKind.KEPT_QUOTE and rule.subject not in self._used:
                self._program.add_row({}, lower=1.0)  # kept and excluded: impossible
        self._limit_suppliers()
        self._limit_shares()

    def solve(self, seconds: float, start: Collection[str] | None = None) -> Solution:
        """Return the cheapest award; `start` is one that is known already."""
        return self._program.solve(seconds, None if start is None else self._values_of(start))

    def solve_open_lines(self, seconds: float, start: Collection[str] | None = None) -> Solution:
        """Return the award that leaves the fewest lines open."""
        return self._solve_for(dict.fromkeys(self._open.values(), 1.0), seconds, start)

    def solve_places(self, seconds: float, start: Collection[str]) -> Solution:
        """Return the award whose quotes stand first in the list, by the sum of their places."""
        places = {
            self._offers[offer.id]: float(place)
            for place, quote in enumerate(self._quotes)
            for offer in quote.offers
        }
        return self._solve_for(places, seconds, start)

    @property
    def may_leave_lines_open(self) -> bool:
        """Whether a line with offers need not be awarded."""
        return bool(self._open)

    def count_open_lines(self, award: Collection[str]) -> int:
        lines = {one.line for quote in self._quotes for one in quote.offers if one.id in award}
        return sum(line not in lines for line in self._open)

    def limit_open_lines(self, most: int) -> None:
        """Leave no more lines open than that, of those that need not be awarded."""
        self._program.add_row(dict.fromkeys(self._open.values(), 1.0), upper=float(most))

    def limit_total(self, most: int) -> None:
        """Keep the award at or below a total, in the currency's smallest unit."""
        costs = {index: cost for index, cost in enumerate(self._program.costs) if cost}
        self._program.add_row(costs, upper=(most + _WHOLE) * self._scale)

    def awarded_offers(self, values: Sequence[float]) -> frozenset[str]:
        return frozenset(offer for offer, index in self._offers.items() if values[index] > _WHOLE)

    def unscale(self, amount: float) -> float:
        return amount / self._scale

    def _solve_for(
        self, costs: Mapping[int, float], seconds: float, start: Collection[str] | None
    ) -> Solution:
        kept = self._program.costs
        self._program.costs = [costs.get(index, 0.0) for index in range(len(kept))]
        try:
            return self.solve(seconds, start)
        finally:
            self._program.costs = kept

    def _cover_lines(self, problem: Problem) -> dict[str, int]:
        """One offer for each line. Returns the variables of lines that may stay open."""
        left_open: dict[str, int] = {}
        for line in problem.lines:
            offers = [one.id for quote in self._quotes for one in quote.offers if one.line == line.id]
            factors = {self._offers[one]: 1.0 for one in offers}
            if Rule(RuleKind.MUST_HAVE, line.id) in self._rules:
                self._program.add_row(factors, 1.0, 1.0)
            elif offers:
                left_open[line.id] = self._program.add_binary()
                self._program.add_row({**factors, left_open[line.id]: 1.0}, 1.0, 1.0)
        return left_open

    def _add_quote(self, quote: Quote) -> None:
        used = self._used[quote.id]
        amounts = {self._offers[one.id]: one.amount * self._scale for one in quote.offers}
        for index in amounts:
            self._program.add_row({used: 1.0, index: -1.0}, lower=0.0)
        self._program.add_row({used: -1.0, **dict.fromkeys(amounts, 1.0)}, lower=0.0)
        if Rule(RuleKind.KEPT_QUOTE, quote.id) in self._rules:
            self._program.add_row({used: 1.0}, lower=1.0)
        if Rule(RuleKind.MINIMUM_ORDER, quote.id) in self._rules:
            self._program.add_row({used: -quote.minimum_order * self._scale, **amounts}, lower=0.0)
        if Rule(RuleKind.WHOLE_BUNDLES) in self._rules:
            self._tie_bundles(quote)
        if quote.discounts:
            self._add_discounts(quote, amounts)

    def _tie_bundles(self, quote: Quote) -> None:
        first: dict[str, int] = {}
        for offer in quote.offers:
            if offer.bundle is not None:
                index = self._offers[offer.id]
                other = first.setdefault(offer.bundle, index)
                if other != index:
                    self._program.add_row({other: 1.0, index: -1.0}, 0.0, 0.0)

    def _add_discounts(self, quote: Quote, amounts: Mapping[int, float]) -> None:
        """Split each offer over the steps, of which one holds: closer to whole numbers than the sum alone."""
        steps: list[tuple[int, int, int]] = []
        parts: dict[int, dict[int, float]] = {index: {index: -1.0} for index in amounts}
        for low, high, percent in _list_steps(quote):
            holds = self._program.add_binary()
            steps.append((low, high, holds))
            factors: dict[int, float] = {}
            for index, amount in amounts.items():
                part = self._program.add_share(amount * (1 - percent / 100))
                self._program.add_row({holds: 1.0, part: -1.0}, lower=0.0)
                parts[index][part] = 1.0
                factors[part] = amount
            self._program.add_row({**factors, holds: -low * self._scale}, lower=0.0)
            self._program.add_row({**factors, holds: -high * self._scale}, upper=0.0)
        for factors in parts.values():
            self._program.add_row(factors, 0.0, 0.0)
        holding = {holds: 1.0 for _, _, holds in steps}
        self._program.add_row({**holding, self._used[quote.id]: -1.0}, 0.0, 0.0)
        self._steps[quote.id] = steps

    def _limit_suppliers(self) -> None:
        if Rule(RuleKind.MAX_SUPPLIERS) not in self._rules:
            return
        for quote in self._quotes:
            if quote.supplier not in self._suppliers:
                self._suppliers[quote.supplier] = self._program.add_binary()
            supplier = self._suppliers[quote.supplier]
            self._program.add_row({supplier: 1.0, self._used[quote.id]: -1.0}, lower=0.0)
        most = self._given.max_suppliers or 0
        self._program.add_row(dict.fromkeys(self._suppliers.values(), 1.0), upper=float(most))

    def _limit_shares(self) -> None:
        if Rule(RuleKind.MAX_SHARE) not in self._rules:
            return
        share = float(self._given.max_share or 0) / 100
        for supplier in {quote.supplier: None for quote in self._quotes}:
            self._program.add_row(
                {
                    self._offers[offer.id]: offer.amount
                    * self._scale
                    * ((1 - share) if quote.supplier == supplier else -share)
                    for quote in self._quotes
                    for offer in quote.offers
                },
                upper=0.0,
            )

    def _values_of(self, start: Collection[str]) -> dict[int, float]:
        """The whole variables of a known award; the solver completes the rest."""
        values = {self._offers[one]: 1.0 for one in start if one in self._offers}
        lines = {one.line for quote in self._quotes for one in quote.offers if one.id in start}
        values |= {index: 1.0 for line, index in self._open.items() if line not in lines}
        for quote in self._quotes:
            if not any(one.id in start for one in quote.offers):
                continue
            values[self._used[quote.id]] = 1.0
            if quote.supplier in self._suppliers:
                values[self._suppliers[quote.supplier]] = 1.0
            amount = amount_of(quote, start)
            for low, high, holds in self._steps.get(quote.id, ()):
                if low <= amount <= high:
                    values[holds] = 1.0
        return values


def _list_steps(quote: Quote) -> list[tuple[int, int, float]]:
    """Lowest and highest amount and percent of each step of a quote's discounts."""
    percents = {0: 0.0}
    percents |= {one.from_amount: float(one.percent) for one in quote.discounts}
    starts = sorted(percents)
    most = sum(offer.amount for offer in quote.offers)
    ends = [start - 1 for start in starts[1:]] + [max(most, starts[-1])]
    return [
        (start, min(end, most), percents[start])
        for start, end in zip(starts, ends, strict=True)
        if start <= most
    ]
