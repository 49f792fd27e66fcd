"""An award problem: lines that are needed, quotes that offer them, and what must hold.

Amounts are whole numbers of the currency's smallest unit over the whole term, so that totals are exact.
A line is awarded whole, to one offer.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from fractions import Fraction

from app.contract.sourcing import ScenarioConstraints


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the requirement."""

    id: str
    must_have: bool = True


@dataclass(frozen=True, slots=True)
class Offer:
    """A line of a quote. `line` is the id of the line that it answers, None for one that comes only with its
    bundle."""

    id: str
    line: str | None
    amount: int
    bundle: str | None = None


@dataclass(frozen=True, slots=True)
class Discount:
    """`percent` off everything that is awarded to a quote, once that amounts to `from_amount`; of several the
    one with the highest `from_amount` that is reached."""

    from_amount: int
    percent: Decimal


@dataclass(frozen=True, slots=True)
class Quote:
    """What one supplier offers. `minimum_order` is the least amount of an order, before discounts."""

    id: str
    supplier: str
    offers: Sequence[Offer]
    minimum_order: int = 0
    discounts: Sequence[Discount] = ()
    lead_time_days: int | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Ids of lines, quotes and offers are unique."""

    lines: Sequence[Line]
    quotes: Sequence[Quote]
    constraints: ScenarioConstraints = field(default_factory=ScenarioConstraints)


class RuleKind(StrEnum):
    """What can make an award dearer or impossible."""

    MUST_HAVE = "must_have"
    EXCLUDED_QUOTE = "excluded_quote"
    KEPT_QUOTE = "kept_quote"
    MINIMUM_ORDER = "minimum_order"
    MAX_SUPPLIERS = "max_suppliers"
    MAX_SHARE = "max_share"
    WHOLE_BUNDLES = "whole_bundles"


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that an award must keep to. `subject` is the id of the line or quote that it is about."""

    kind: RuleKind
    subject: str | None = None


def list_rules(problem: Problem) -> list[Rule]:
    """Everything that an award must keep to, in a stable order."""
    given = problem.constraints
    quotes = [quote.id for quote in problem.quotes]
    rules = [Rule(RuleKind.MUST_HAVE, line.id) for line in problem.lines if line.must_have]
    rules += [Rule(RuleKind.EXCLUDED_QUOTE, one) for one in quotes if one in (given.excluded_quotes or ())]
    rules += [Rule(RuleKind.KEPT_QUOTE, one) for one in sorted({*(given.keep_quotes or ())})]
    rules += [Rule(RuleKind.MINIMUM_ORDER, quote.id) for quote in problem.quotes if quote.minimum_order > 0]
    if given.max_suppliers is not None:
        rules.append(Rule(RuleKind.MAX_SUPPLIERS))
    if given.max_share is not None:
        rules.append(Rule(RuleKind.MAX_SHARE))
    if given.whole_bundles and any(offer.bundle for quote in problem.quotes for offer in quote.offers):
        rules.append(Rule(RuleKind.WHOLE_BUNDLES))
    return rules


def usable_quotes(problem: Problem, rules: Collection[Rule]) -> list[Quote]:
    """The quotes that the rules do not exclude."""
    return [one for one in problem.quotes if Rule(RuleKind.EXCLUDED_QUOTE, one.id) not in rules]


def amount_of(quote: Quote, offers: Collection[str]) -> int:
    """What the named offers of a quote cost together, before discounts."""
    return sum(offer.amount for offer in quote.offers if offer.id in offers)


def discount_of(quote: Quote, amount: int) -> int:
    """What a quote's volume discounts take from an amount, rounded half up to the smallest unit."""
    reached = [one for one in quote.discounts if amount >= one.from_amount]
    if not reached:
        return 0
    percent = max(reached, key=lambda one: one.from_amount).percent
    return int((amount * percent / 100).quantize(Decimal(1), ROUND_HALF_UP))


def total_of(problem: Problem, offers: Collection[str]) -> int:
    """What an award costs, discounts taken off."""
    amounts = ((quote, amount_of(quote, offers)) for quote in problem.quotes)
    return sum(amount - discount_of(quote, amount) for quote, amount in amounts)


def list_covered_lines(problem: Problem, offers: Collection[str]) -> set[str | None]:
    """Return the lines of the requirement that the offers cover."""
    return {one.line for quote in problem.quotes for one in quote.offers if one.id in offers} - {None}


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
            return 100 * _largest_share(used, chosen) <= Fraction(problem.constraints.max_share or 100)
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
