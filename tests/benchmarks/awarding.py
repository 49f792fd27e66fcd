"""Awards of many lines to many suppliers, and lines of quotes matched to those of a requirement.

The problems are generated: prices around one of each line, some suppliers without some lines, volume
discounts in steps, or whole bundles and minimum orders. A solver that runs out of time shows its gap. The
matched quotes are those of the tests, in the words of five suppliers.
"""

import time
from collections.abc import Sequence
from decimal import Decimal
from random import Random

from app.contract.sourcing import ScenarioConstraints
from app.service.sourcing.alignment import ComparedLine, align_lines
from app.service.sourcing.award.problem import Discount, Line, Offer, Problem, Quote
from app.service.sourcing.award.solving import Award, find_award
from tests.benchmarks.figures import Figure
from tests.service.sourcing.reworded_quotes import make_case

SECONDS = 10.0
GIVEN_SECONDS = 8.0
"""For the search; what explains and checks an award takes the rest."""
SHARE_QUOTED, SHARE_BUNDLED = 0.85, 0.3
FIRST_CASE = 4_000


def run(full: bool) -> list[Figure]:
    """For `python -m tests.benchmarks`."""
    seeds = range(1, 6 if full else 2)
    return [
        *_solve("10 × 100, volume discounts", [make_discounted(seed, 10, 100) for seed in seeds]),
        *_solve("20 × 200, bundles, minimum orders", [make_bundled(seed, 20, 200) for seed in seeds]),
        *_solve(
            "20 × 200, at most 3 suppliers",
            [make_bundled(seed, 20, 200, max_suppliers=3) for seed in seeds],
        ),
        *_match(40 if full else 5),
    ]


def make_discounted(seed: int, suppliers: int, lines: int) -> Problem:
    """Every supplier takes 3 and then 6 per cent off orders that are large."""
    dice = Random(seed)
    usual = [dice.randint(1_000, 500_000) for _ in range(lines)]
    steps = [Discount(sum(usual) // 12, Decimal(3)), Discount(sum(usual) // 6, Decimal(6))]
    quotes = [
        Quote(f"q{at}", f"s{at}", _make_offers(dice, f"q{at}", usual), discounts=steps)
        for at in range(suppliers)
    ]
    return Problem([Line(str(at)) for at in range(lines)], quotes)


def make_bundled(seed: int, suppliers: int, lines: int, max_suppliers: int | None = None) -> Problem:
    """Some offers come in bundles of up to three, which are taken whole, and an order has a least amount."""
    dice = Random(seed)
    usual = [dice.randint(1_000, 500_000) for _ in range(lines)]
    quotes = [
        Quote(
            f"q{at}",
            f"s{at}",
            _make_offers(dice, f"q{at}", usual, bundled=SHARE_BUNDLED),
            minimum_order=sum(usual) // dice.randint(20, 60),
        )
        for at in range(suppliers)
    ]
    needed = [Line(str(at), must_have=False) for at in range(lines)]
    return Problem(needed, quotes, ScenarioConstraints(max_suppliers=max_suppliers, whole_bundles=True))


def _make_offers(dice: Random, quote: str, usual: Sequence[int], bundled: float = 0) -> list[Offer]:
    return [
        Offer(
            f"{quote}-{at}",
            str(at),
            int(amount * dice.uniform(0.85, 1.2)),
            f"{quote}-b{at // 3}" if dice.random() < bundled else None,
        )
        for at, amount in enumerate(usual)
        if dice.random() < SHARE_QUOTED
    ]


def _solve(name: str, problems: Sequence[Problem]) -> list[Figure]:
    took: list[float] = []
    found: list[Award] = []
    for problem in problems:
        began = time.perf_counter()
        found.append(find_award(problem, GIVEN_SECONDS))
        took.append(time.perf_counter() - began)
    proven = sum(award.status == "optimal" for award in found)
    largest = max(100 * award.gap if award.gap is not None else 100.0 for award in found)
    note = f"{proven} of {len(found)} proven; the largest gap {largest:.2f} %"
    return [Figure("awarding", f"{name}, slowest", max(took), "s", at_most=SECONDS, note=note)]


def _match(cases: int) -> list[Figure]:
    figures: list[Figure] = []
    for name, lookalikes, least in (("five strays", False, 99), ("half look-alikes", True, 90)):
        right = found = there = 0
        for seed in range(FIRST_CASE, FIRST_CASE + cases):
            needed, quoted = make_case(seed, strays=5, lookalikes=lookalikes)
            matches = align_lines(
                [ComparedLine(one.text, one.quantity) for one in needed],
                [ComparedLine(one.text, one.quantity) for one in quoted],
            )
            for line, match in zip(quoted, matches, strict=True):
                right += match is not None and match.place == line.answers
                found += match is not None
                there += line.answers is not None
        score = 200 * right / (found + there)
        note = f"F1, {cases} requirements of 30 lines"
        figures.append(Figure("awarding", f"lines matched, {name}", score, "%", at_least=least, note=note))
    return figures
