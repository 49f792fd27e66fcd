"""The best award by trying every one: slow, and written from the definitions alone."""

from decimal import ROUND_HALF_UP, Decimal
from itertools import product

from app.service.sourcing.award.problem import Problem, Quote


def best_award(problem: Problem) -> tuple[int, int] | None:
    """How many lines stay open, as few as can be, and the least that an award then costs; None where none
    keeps to everything."""
    best: tuple[int, int] | None = None
    choices = [[None, *_offers_for(problem, line.id)] for line in problem.lines]
    for choice in product(*choices):
        if any(line.must_have and one is None for line, one in zip(problem.lines, choice, strict=True)):
            continue
        for award in _complete_bundles(problem, {one for one in choice if one is not None}):
            cost = _cost(problem, award)
            if cost is not None and (best is None or (choice.count(None), cost) < best):
                best = choice.count(None), cost
    return best


def _offers_for(problem: Problem, line: str) -> list[str]:
    return [one.id for quote in problem.quotes for one in quote.offers if one.line == line]


def _complete_bundles(problem: Problem, award: set[str]) -> list[set[str]]:
    """The award with any of the offers that answer no line."""
    extras = [one.id for quote in problem.quotes for one in quote.offers if one.line is None]
    return [
        award | {extra for extra, taken in zip(extras, taking, strict=True) if taken}
        for taking in product((False, True), repeat=len(extras))
    ]


def _cost(problem: Problem, award: set[str]) -> int | None:
    """What an award costs; None where it breaks a rule."""
    given = problem.constraints
    amounts: dict[str, int] = {}
    total = 0
    for quote in problem.quotes:
        chosen = [one for one in quote.offers if one.id in award]
        if not chosen:
            if quote.id in (given.keep_quotes or ()):
                return None
            continue
        amount = sum(one.amount for one in chosen)
        if quote.id in (given.excluded_quotes or ()) or amount < quote.minimum_order:
            return None
        if given.whole_bundles and _splits_a_bundle(quote, award):
            return None
        amounts[quote.supplier] = amounts.get(quote.supplier, 0) + amount
        total += amount - _discount(quote, amount)
    if given.max_suppliers is not None and len(amounts) > given.max_suppliers:
        return None
    whole = sum(amounts.values())
    if given.max_share is not None and any(100 * one > given.max_share * whole for one in amounts.values()):
        return None
    return total


def _splits_a_bundle(quote: Quote, award: set[str]) -> bool:
    bundles = {one.bundle for one in quote.offers if one.bundle}
    return any(
        len({one.id in award for one in quote.offers if one.bundle == bundle}) > 1 for bundle in bundles
    )


def _discount(quote: Quote, amount: int) -> int:
    percent = Decimal(0)
    for one in sorted(quote.discounts, key=lambda one: one.from_amount):
        if amount >= one.from_amount:
            percent = one.percent
    return int((amount * percent / 100).to_integral_value(ROUND_HALF_UP))
