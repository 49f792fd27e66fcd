"""Awards: the same as by trying every one, and what is said where none is possible or time is over."""

import random
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest

from app.contract.sourcing import ScenarioConstraints
from app.service.sourcing.award.problem import (
    Discount,
    Line,
    Offer,
    Problem,
    Quote,
    Rule,
    RuleKind,
    find_broken_rules,
    list_rules,
    total_of,
)
from app.service.sourcing.award.solving import Award, find_award, find_contradiction, find_rule_costs
from tests.service.sourcing.award.brute_force import best_award

SECONDS = 60.0


def make_problem(rng: random.Random, suppliers: int, lines: int) -> Problem:
    """A random problem with every kind of rule now and then."""
    quotes: list[Quote] = []
    for number in range(suppliers):
        name = f"q{number}"
        offers = [
            Offer(f"{name}.{line}", f"l{line}", rng.randrange(0, 2_000), rng.choice([None, None, "a", "b"]))
            for line in range(lines)
            if rng.random() < 0.7
        ]
        if rng.random() < 0.2:
            offers.append(Offer(f"{name}.extra", None, rng.randrange(1, 500), "a"))
        steps = sorted(rng.sample(range(500, 6_000), rng.choice([0, 0, 1, 2])))
        quotes.append(
            Quote(
                name,
                f"s{number // rng.choice([1, 1, 2])}",
                offers,
                minimum_order=rng.choice([0, 0, rng.randrange(500, 4_000)]),
                discounts=[Discount(step, Decimal(rng.randrange(1, 30))) for step in steps],
            )
        )
    names = [quote.id for quote in quotes]
    constraints = ScenarioConstraints.model_construct(
        max_suppliers=rng.choice([None, None, 1, 2, 3]),
        excluded_quotes=rng.sample(names, rng.choice([0, 0, 0, 1])),
        keep_quotes=rng.sample(names, rng.choice([0, 0, 0, 1])),
        max_share=rng.choice([None, None, None, Decimal(60)]),
        whole_bundles=rng.random() < 0.4,
    )
    return Problem([Line(f"l{one}", rng.random() < 0.6) for one in range(lines)], quotes, constraints)


def check(problem: Problem) -> None:
    expected, award = best_award(problem), find_award(problem, SECONDS)
    if expected is None:
        assert award.status == "infeasible"
        return
    assert award.status == "optimal"
    assert find_broken_rules(problem, award.offers, list_rules(problem)) == []
    covered = {one.line for quote in problem.quotes for one in quote.offers if one.id in award.offers}
    assert len(problem.lines) - len(covered - {None}) == expected[0]
    assert award.total == total_of(problem, award.offers)
    # A discount is rounded to the smallest unit, once for each quote, only after the solver.
    assert abs((award.total or 0) - expected[1]) <= len(problem.quotes) / 2


@pytest.mark.parametrize("seed", range(40))
def test_an_award_is_as_cheap_as_the_cheapest_of_all(seed: int) -> None:
    rng = random.Random(seed)
    check(make_problem(rng, rng.randrange(1, 5), rng.randrange(1, 5)))


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_larger_awards_are_as_cheap_as_the_cheapest_of_all(seed: int) -> None:
    rng = random.Random(seed)
    check(make_problem(rng, rng.randrange(2, 7), rng.randrange(3, 8)))


def quote(name: str, *amounts: int, make: Callable[[Quote], Quote] = lambda one: one) -> Quote:
    """A quote of a supplier of its own that offers the lines l0, l1, … for these amounts, 0 for none."""
    offers = [Offer(f"{name}.{line}", f"l{line}", amount) for line, amount in enumerate(amounts) if amount]
    return make(Quote(name, name, offers))


LINES = [Line("l0"), Line("l1")]


def test_the_cheapest_split_beats_the_best_supplier() -> None:
    quotes = [quote("a", 100, 300), quote("b", 200, 150)]
    split = find_award(Problem(LINES, quotes), SECONDS)
    assert split == Award("optimal", frozenset({"a.0", "b.1"}), 250, 250)
    alone = Problem(LINES, quotes, ScenarioConstraints(max_suppliers=1))
    single = find_award(alone, SECONDS)
    assert (single.offers, single.total) == (frozenset({"b.0", "b.1"}), 350)
    [cost] = find_rule_costs(alone, single, SECONDS)
    assert (cost.rule, cost.amount, cost.proven) == (Rule(RuleKind.MAX_SUPPLIERS), 100, True)


@pytest.mark.parametrize("least", [0, 1])
def test_of_equally_cheap_awards_the_quotes_that_stand_first_are_taken(least: int) -> None:
    """With a minimum order the solver decides, without one it is compared line by line."""
    quotes = [quote(name, 100, 100, make=lambda one: replace(one, minimum_order=least)) for name in "abc"]
    assert find_award(Problem(LINES, quotes), SECONDS).offers == {"a.0", "a.1"}


def test_a_discount_is_that_of_the_highest_step_reached() -> None:
    steps = [Discount(100, Decimal(10)), Discount(200, Decimal("33.33"))]
    quotes = [quote("a", 100, 101, make=lambda one: replace(one, discounts=steps)), quote("b", 60, 90)]
    award = find_award(Problem(LINES, quotes), SECONDS)
    assert (award.offers, award.total) == ({"a.0", "a.1"}, 201 - 67)


def test_what_contradicts_is_named_and_nothing_else() -> None:
    quotes = [quote("a", 100, 0), quote("b", 0, 150), quote("c", 10, 0)]
    problem = Problem([*LINES, Line("l2", must_have=False)], quotes, ScenarioConstraints(max_suppliers=1))
    assert find_award(problem, SECONDS).status == "infeasible"
    contradiction = find_contradiction(problem, SECONDS)
    assert set(contradiction) == {
        Rule(RuleKind.MUST_HAVE, "l0"),
        Rule(RuleKind.MUST_HAVE, "l1"),
        Rule(RuleKind.MAX_SUPPLIERS),
    }
    both = ScenarioConstraints.model_construct(excluded_quotes=["a"], keep_quotes=["a"])
    assert set(find_contradiction(replace(problem, constraints=both), SECONDS)) == {
        Rule(RuleKind.EXCLUDED_QUOTE, "a"),
        Rule(RuleKind.KEPT_QUOTE, "a"),
    }


def test_a_rule_without_which_more_lines_are_covered_has_no_price() -> None:
    quotes = [quote("a", 100, 0), quote("b", 0, 150)]
    lines = [replace(line, must_have=False) for line in LINES]
    problem = Problem(lines, quotes, ScenarioConstraints(max_suppliers=1))
    [cost] = find_rule_costs(problem, find_award(problem, SECONDS), SECONDS)
    assert cost.amount is None


def test_without_time_the_award_is_never_called_optimal() -> None:
    rng = random.Random(1)
    steps = [Discount(amount, Decimal(amount // 3000)) for amount in (9_000, 30_000, 60_000)]
    quotes = [
        Quote(f"q{one}", f"s{one}", [
            Offer(f"{one}.{line}", f"l{line}", rng.randrange(800, 1_300)) for line in range(100)
        ], discounts=steps)
        for one in range(10)
    ]  # fmt: skip
    problem = Problem([Line(f"l{line}") for line in range(100)], quotes)
    award = find_award(problem, 0.2)
    assert award.status == "gap"
    assert award.total is not None
    assert award.bound is not None
    assert 0 < award.bound < award.total
    assert find_broken_rules(problem, award.offers, list_rules(problem)) == []
