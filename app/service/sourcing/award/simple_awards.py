"""Awards that need no solver: line by line, and over all sets of few suppliers."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations
from math import comb

from app.service.sourcing.award.checking import find_broken_rules
from app.service.sourcing.award.problem import (
    Offer,
    Problem,
    Quote,
    Rule,
    RuleKind,
    total_of,
    usable_quotes,
)

Rank = tuple[int, float]
"""How good an award is: the lines it leaves open, then what it costs."""

_MOST_SETS = 5_000
_COUPLING = {RuleKind.KEPT_QUOTE, RuleKind.MINIMUM_ORDER, RuleKind.MAX_SHARE, RuleKind.WHOLE_BUNDLES}


def is_by_lines(problem: Problem, rules: Collection[Rule]) -> bool:
    """Whether a line's award says nothing of another's, but for the number of suppliers, and the sets of
    suppliers are few enough to try them all."""
    if any(rule.kind in _COUPLING for rule in rules) or any(quote.discounts for quote in problem.quotes):
        return False
    return _count_sets(problem, rules) <= _MOST_SETS


def best_by_lines(problem: Problem, rules: Collection[Rule]) -> frozenset[str] | None:
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


def best_simple_award(problem: Problem, rules: Collection[Rule]) -> frozenset[str] | None:
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


def least_amount(problem: Problem, rules: Collection[Rule]) -> float:
    """What no award that covers every line with an offer is below: each line's cheapest offer, with the
    highest discount of all, in the smallest unit."""
    quotes = usable_quotes(problem, rules)
    percent = max((one.percent for quote in quotes for one in quote.discounts), default=Decimal(0))
    amount = sum(offer.amount for _, offer in _cheapest_offers(problem, quotes).values())
    return max(0.0, amount * float(1 - percent / 100) - len(quotes))  # each discount is rounded


def list_few_suppliers(problem: Problem, rules: Collection[Rule]) -> list[tuple[Rank, Problem]]:
    """The problem for each set of as many suppliers as may be awarded, with what no award of the set is
    below: the lines left open, and the amount. The most promising set first; sets that leave open what must
    be awarded are left out. Empty where the number of suppliers is not limited or there are too many sets.
    """
    if Rule(RuleKind.MAX_SUPPLIERS) not in rules or not 1 < _count_sets(problem, rules) <= _MOST_SETS:
        return []
    sets: list[tuple[Rank, Problem]] = []
    for quotes in _list_sets(problem, rules):
        part = replace(problem, quotes=quotes)
        answered = {offer.line for quote in quotes for offer in quote.offers}
        missing = [line.id for line in problem.lines if line.id not in answered]
        if not any(Rule(RuleKind.MUST_HAVE, line) in rules for line in missing):
            sets.append(((len(missing), least_amount(part, rules)), part))
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
