"""The best award of a problem: proven, or with a bound below which none can be; and awards that need no
solver: line by line, and over all sets of few suppliers."""

import math
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations
from math import comb
from typing import Literal

from app.service.sourcing.award.award_program import AwardProgram
from app.service.sourcing.award.integer_program import Outcome, Solution
from app.service.sourcing.award.problem import (
    Offer,
    Problem,
    Quote,
    Rule,
    RuleKind,
    find_broken_rules,
    list_covered_lines,
    list_rules,
    total_of,
    usable_quotes,
)

_Rank = tuple[int, float]
"""How good an award is: the lines it leaves open, then what it costs."""

_MOST_SETS = 5_000
_COUPLING = {RuleKind.KEPT_QUOTE, RuleKind.MINIMUM_ORDER, RuleKind.MAX_SHARE, RuleKind.WHOLE_BUNDLES}


def _is_by_lines(problem: Problem, rules: Collection[Rule]) -> bool:
    """Whether a line's award says nothing of another's, but for the number of suppliers, and the sets of
    suppliers are few enough to try them all."""
    if any(rule.kind in _COUPLING for rule in rules) or any(quote.discounts for quote in problem.quotes):
        return False
    return _count_sets(problem, rules) <= _MOST_SETS


def _best_by_lines(problem: Problem, rules: Collection[Rule]) -> frozenset[str] | None:
    """The cheapest award of a problem of that kind, None where a line that must be awarded is left open.

    It covers as many lines as can be. Of equally cheap awards it is the one whose quotes stand first in the
    list, by the sum of their places.
    """
    best: tuple[tuple[int, int, int], frozenset[str]] | None = None
    for quotes in _list_sets(problem, rules):
        chosen = _cheapest_offers(problem, quotes)
        missing = [line for line in problem.lines if line.id not in chosen]
        if any(Rule(RuleKind.MUST_HAVE, line.id) in rules for line in missing):
            continue
        amount = sum(offer.amount for _, offer in chosen.values())
        rank = (len(missing), amount, sum(place for place, _ in chosen.values()))
        if best is None or rank < best[0]:
            best = rank, frozenset(offer.id for _, offer in chosen.values())
    return None if best is None else best[1]


def _best_simple_award(problem: Problem, rules: Collection[Rule]) -> frozenset[str] | None:
    """An award to begin with: the cheapest that keeps to the rules, of everything to one supplier and line by
    line over all. None where none does."""
    quotes = usable_quotes(problem, rules)
    suppliers = dict.fromkeys(quote.supplier for quote in quotes)
    sets = [quotes, *([one for one in quotes if one.supplier == supplier] for supplier in suppliers)]
    awards = [
        frozenset(offer.id for _, offer in _cheapest_offers(problem, some).values()) for some in sets
    ] + [frozenset(offer.id for offer in quote.offers) for quote in quotes if _answers_each_line_once(quote)]
    kept = [award for award in awards if award and not find_broken_rules(problem, award, rules)]
    return min(kept, key=lambda award: (-len(award), total_of(problem, award)), default=None)


def _answers_each_line_once(quote: Quote) -> bool:
    lines = [offer.line for offer in quote.offers if offer.line]
    return len(lines) == len(set(lines))


def _cheapest_offers(problem: Problem, quotes: Iterable[Quote]) -> dict[str, tuple[int, Offer]]:
    """The cheapest offer of each line, with the place of its quote; the first of equals."""
    places = {quote.id: place for place, quote in enumerate(problem.quotes)}
    chosen: dict[str, tuple[int, Offer]] = {}
    for quote in quotes:
        for offer in quote.offers:
            if offer.line is None:
                continue
            known = chosen.get(offer.line)
            if known is None or offer.amount < known[1].amount:
                chosen[offer.line] = places[quote.id], offer
    return chosen


def _least_amount(problem: Problem, rules: Collection[Rule]) -> float:
    """What no award that covers every line with an offer is below: each line's cheapest offer, with the
    highest discount of all, in the smallest unit."""
    quotes = usable_quotes(problem, rules)
    percent = max((one.percent for quote in quotes for one in quote.discounts), default=Decimal(0))
    amount = sum(offer.amount for _, offer in _cheapest_offers(problem, quotes).values())
    return max(0.0, amount * float(1 - percent / 100) - len(quotes))  # each discount is rounded


def _list_few_suppliers(problem: Problem, rules: Collection[Rule]) -> list[tuple[_Rank, Problem]]:
    """The problem for each set of as many suppliers as may be awarded, with what no award of the set is
    below: the lines left open, and the amount. The most promising set first; sets that leave open what must
    be awarded are left out. Empty where the number of suppliers is not limited or there are too many sets.
    """
    if Rule(RuleKind.MAX_SUPPLIERS) not in rules or not 1 < _count_sets(problem, rules) <= _MOST_SETS:
        return []
    sets: list[tuple[_Rank, Problem]] = []
    for quotes in _list_sets(problem, rules):
        part = replace(problem, quotes=quotes)
        answered = {offer.line for quote in quotes for offer in quote.offers}
        missing = [line.id for line in problem.lines if line.id not in answered]
        if not any(Rule(RuleKind.MUST_HAVE, line) in rules for line in missing):
            sets.append(((len(missing), _least_amount(part, rules)), part))
    return sorted(sets, key=lambda one: one[0])


def _most_suppliers(problem: Problem, rules: Collection[Rule]) -> int | None:
    return problem.constraints.max_suppliers if Rule(RuleKind.MAX_SUPPLIERS) in rules else None


def _count_sets(problem: Problem, rules: Collection[Rule]) -> int:
    most = _most_suppliers(problem, rules)
    suppliers = len({quote.supplier for quote in usable_quotes(problem, rules)})
    return 1 if most is None or most >= suppliers else comb(suppliers, most)


def _list_sets(problem: Problem, rules: Collection[Rule]) -> Iterable[Sequence[Quote]]:
    """The quotes of each largest set of suppliers that may be awarded together."""
    quotes = usable_quotes(problem, rules)
    suppliers = list(dict.fromkeys(quote.supplier for quote in quotes))
    most = _most_suppliers(problem, rules)
    if most is None or most >= len(suppliers):
        yield quotes
        return
    for some in combinations(suppliers, most):
        yield [quote for quote in quotes if quote.supplier in some]


_SECONDS_FOR_TIES = 1.0

Status = Literal["optimal", "gap", "infeasible"]


@dataclass(frozen=True, slots=True)
class Award:
    """`offers` are the ids of the awarded offers; `total` and `bound` are in the currency's smallest unit.

    `optimal`: no award that covers as many lines is cheaper. `gap`: time was over; the cheapest may cost
    anything from `bound` to `total`. Without a total no award was found in time, which does not say that
    there is none. `infeasible`: no award keeps to all rules.
    """

    status: Status
    offers: frozenset[str] = frozenset()
    total: int | None = None
    bound: int | None = None

    @property
    def gap(self) -> float | None:
        """The part of the total that might still be saved, 0 to 1."""
        if self.total is None or self.bound is None:
            return None
        return max(0, self.total - self.bound) / self.total if self.total else 0.0


def find_award(problem: Problem, seconds: float, rules: Collection[Rule] | None = None) -> Award:
    """Return the cheapest award, found in about so many seconds, under all rules of the problem or those
    named.

    It covers as many lines as can be covered; of equally cheap awards it is the one whose quotes stand first
    in the list, by the sum of their places, if that was found in time too.
    """
    rules = list_rules(problem) if rules is None else list(rules)
    if _is_by_lines(problem, rules):
        offers = _best_by_lines(problem, rules)
        if offers is None:
            return Award("infeasible")
        total = total_of(problem, offers)
        return Award("optimal", offers, total, total)
    if sets := _list_few_suppliers(problem, rules):
        return _search_sets(problem, rules, sets, seconds)
    until = time.monotonic() + seconds
    award = _Search(problem, rules, seconds).find()
    if award.status != "optimal":
        return award
    offers = _Search(problem, rules, until - time.monotonic(), award.offers).prefer_first_quotes()
    return replace(award, offers=offers, total=total_of(problem, offers))


def _search_sets(
    problem: Problem, rules: Collection[Rule], sets: list[tuple[_Rank, Problem]], seconds: float
) -> Award:
    """The best award of all sets of suppliers. A set alone is solved in milliseconds, and most need not be:
    none of their awards can be better than one that is known."""
    until = time.monotonic() + seconds
    free = [rule for rule in rules if rule.kind is not RuleKind.MAX_SUPPLIERS]
    best: tuple[_Rank, Problem, frozenset[str]] | None = None
    unproven: list[_Rank] = []
    for least, part in sets:
        if best is not None and least >= best[0]:
            break
        left = until - time.monotonic()
        found = _Search(part, free, left).find() if left > 0 else Award("gap")
        if found.status == "gap":
            unproven.append((least[0], max(least[1], found.bound or 0)))
        if found.total is not None:
            rank = len(problem.lines) - len(list_covered_lines(part, found.offers)), float(found.total)
            if best is None or rank < best[0]:
                best = rank, part, found.offers
    if best is None:
        return Award("gap", bound=0) if unproven else Award("infeasible")
    total = total_of(problem, best[2])
    if any(rank < best[0] for rank in unproven):
        bound = min(math.floor(amount) for count, amount in unproven if (count, amount) < best[0])
        return Award("gap", best[2], total, max(0, bound))
    offers = _Search(best[1], free, until - time.monotonic(), best[2]).prefer_first_quotes()
    return Award("optimal", offers, total_of(problem, offers), total)


class _Search:
    """The program of a problem and the best award known so far; `known` is one to begin with."""

    def __init__(
        self,
        problem: Problem,
        rules: Collection[Rule],
        seconds: float,
        known: frozenset[str] | None = None,
    ) -> None:
        self._problem = problem
        self._rules = rules
        self._until = time.monotonic() + seconds
        self._program = AwardProgram(problem, rules)
        self._known = _best_simple_award(problem, rules) if known is None else known

    def find(self) -> Award:
        if not self._limit_open_lines():
            return Award("infeasible")
        found = self._program.solve(self._left(), self._known)
        if found.outcome is Outcome.INFEASIBLE:
            return Award("infeasible")
        if found.values is not None:
            self._keep(self._program.awarded_offers(found.values))
        if self._known is None:
            return Award("gap", bound=self._bound(found))
        total = total_of(self._problem, self._known)
        if found.outcome is Outcome.TIME_IS_OVER:
            return Award("gap", self._known, total, min(self._bound(found), total))
        return Award("optimal", self._known, total, total)

    def _bound(self, found: Solution) -> int:
        """What no award that covers as many lines is below. The solver may not have found its own in time."""
        least = 0.0
        if self._known is not None and self._program.count_open_lines(self._known) == 0:
            least = _least_amount(self._problem, self._rules)
        of_solver = self._program.unscale(found.bound) if math.isfinite(found.bound) else 0.0
        return math.floor(max(least, of_solver) + 1e-6)

    def prefer_first_quotes(self) -> frozenset[str]:
        """Of the awards that cost no more than the known one and cover as many lines, the one whose quotes
        stand first; the known one where time is over."""
        assert self._known is not None
        self._program.limit_open_lines(self._program.count_open_lines(self._known))
        total = total_of(self._problem, self._known)
        self._program.limit_total(total)
        found = self._program.solve_places(min(self._left(), _SECONDS_FOR_TIES), self._known)
        if found.values is not None:
            offers = self._program.awarded_offers(found.values)
            if total_of(self._problem, offers) <= total:
                self._keep(offers)
        return self._known

    def _limit_open_lines(self) -> bool:
        """Require that as many lines are covered as can be; False where no award keeps to the rules."""
        if self._known is not None and self._program.count_open_lines(self._known) == 0:
            self._program.limit_open_lines(0)
            return True
        if not self._program.may_leave_lines_open:
            return True
        found = self._program.solve_open_lines(self._left(), self._known)
        if found.values is not None:
            self._keep(self._program.awarded_offers(found.values))
            if self._known is not None:
                self._program.limit_open_lines(self._program.count_open_lines(self._known))
        return found.outcome is not Outcome.INFEASIBLE

    def _keep(self, offers: frozenset[str]) -> None:
        """Take an award that the solver found, unless it keeps to the rules within tolerances only."""
        if not find_broken_rules(self._problem, offers, self._rules):
            self._known = offers

    def _left(self) -> float:
        return max(0.05, self._until - time.monotonic())


@dataclass(frozen=True, slots=True)
class RuleCost:
    """What an award would cost without one rule: less by `amount`, in the smallest unit.

    `proven` is false where time was over before either award was proven. There is no amount where more lines
    are covered without the rule: then the two do not compare.
    """

    rule: Rule
    amount: int | None
    proven: bool


def find_contradiction(problem: Problem, seconds: float) -> list[Rule]:
    """Return rules that contradict each other: without any one of them there would be an award.

    Drops one rule after the other and keeps those without which the rest can be kept. When time is over, the
    rules not yet tried stay in the list.
    """
    until = time.monotonic() + seconds
    rules = list_rules(problem)
    # First those that a person chose for this scenario are kept, so that they are what is named.
    for rule in sorted(rules, key=lambda one: one.kind is not RuleKind.MUST_HAVE):
        left = until - time.monotonic()
        if left <= 0:
            break
        others = [one for one in rules if one != rule]
        if find_award(problem, left, others).status == "infeasible":
            rules = others
    return rules


def find_rule_costs(problem: Problem, award: Award, seconds: float) -> list[RuleCost]:
    """Return what each rule but the lines that must be awarded costs, those that cost nothing left out."""
    rules = [rule for rule in list_rules(problem) if rule.kind is not RuleKind.MUST_HAVE]
    until = time.monotonic() + seconds
    costs: list[RuleCost] = []
    for count, rule in enumerate(rules):
        share = max(0.05, (until - time.monotonic()) / (len(rules) - count))
        others = [one for one in list_rules(problem) if one != rule]
        found = find_award(problem, share, others)
        if found.total is None or award.total is None:
            continue
        proven = found.status == award.status == "optimal"
        if list_covered_lines(problem, found.offers) != list_covered_lines(problem, award.offers):
            costs.append(RuleCost(rule, None, proven))
        elif found.total < award.total:
            costs.append(RuleCost(rule, award.total - found.total, proven))
    return costs
