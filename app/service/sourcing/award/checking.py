"""Whether an award keeps to the rules: exact, so that it also judges what the solver found."""

from collections.abc import Collection
from fractions import Fraction

from app.service.sourcing.award.problem import Problem, Quote, Rule, RuleKind, amount_of


def find_broken_rules(problem: Problem, offers: Collection[str], rules: Collection[Rule]) -> list[Rule]:
    """Return those of the rules that an award of these offers does not keep, in the order given.

    Raises ValueError when a line would be awarded twice.
    """
    chosen = set(offers)
    lines = [one.line for quote in problem.quotes for one in quote.offers if one.id in chosen and one.line]
    if len(lines) != len(set(lines)):
        raise ValueError("A line is awarded twice.")
    return [rule for rule in rules if not _is_kept(problem, chosen, set(lines), rule)]


def _is_kept(problem: Problem, chosen: set[str], lines: set[str], rule: Rule) -> bool:
    used = [quote for quote in problem.quotes if any(one.id in chosen for one in quote.offers)]
    match rule.kind:
        case RuleKind.MUST_HAVE:
            return rule.subject in lines
        case RuleKind.EXCLUDED_QUOTE:
            return all(quote.id != rule.subject for quote in used)
        case RuleKind.KEPT_QUOTE:
            return any(quote.id == rule.subject for quote in used)
        case RuleKind.MINIMUM_ORDER:
            return all(
                quote.id != rule.subject or amount_of(quote, chosen) >= quote.minimum_order for quote in used
            )
        case RuleKind.MAX_SUPPLIERS:
            most = problem.constraints.max_suppliers
            return most is None or len({quote.supplier for quote in used}) <= most
        case RuleKind.MAX_SHARE:
            return _largest_share(used, chosen) <= Fraction(problem.constraints.max_share or 1)
        case RuleKind.WHOLE_BUNDLES:
            return all(_has_whole_bundles(quote, chosen) for quote in used)


def _largest_share(used: list[Quote], chosen: set[str]) -> Fraction:
    amounts: dict[str, int] = {}
    for quote in used:
        amounts[quote.supplier] = amounts.get(quote.supplier, 0) + amount_of(quote, chosen)
    total = sum(amounts.values())
    return Fraction(max(amounts.values()), total) if total > 0 else Fraction(0)


def _has_whole_bundles(quote: Quote, chosen: set[str]) -> bool:
    bundles: dict[str, set[bool]] = {}
    for offer in quote.offers:
        if offer.bundle is not None:
            bundles.setdefault(offer.bundle, set()).add(offer.id in chosen)
    return all(len(states) == 1 for states in bundles.values())
