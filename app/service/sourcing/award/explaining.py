"""Why no award is possible, and what each rule costs."""

import time
from collections.abc import Collection
from dataclasses import dataclass

from app.service.sourcing.award.problem import Problem, Rule, RuleKind, list_rules
from app.service.sourcing.award.solving import Award, find_award


@dataclass(frozen=True, slots=True)
class RuleCost:
    """What an award would cost without one rule: less by `amount`, in the smallest unit.

    `proven` is false where time was over before either award was proven. `covers_more` says that without
    the rule more lines are covered, so that the amounts do not compare and there is none.
    """

    rule: Rule
    amount: int | None
    proven: bool
    covers_more: bool = False


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
            costs.append(RuleCost(rule, None, proven, covers_more=True))
        elif found.total < award.total:
            costs.append(RuleCost(rule, award.total - found.total, proven))
    return costs


def list_covered_lines(problem: Problem, offers: Collection[str]) -> set[str | None]:
    """Return the lines of the requirement that the offers cover."""
    return {one.line for quote in problem.quotes for one in quote.offers if one.id in offers} - {None}
