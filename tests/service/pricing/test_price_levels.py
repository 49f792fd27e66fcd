"""Where a price stands among comparable purchases: one rule, of which every word follows."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.price_level import LEVEL_WORDS, PriceLevel, find_price_level, format_price_level
from app.contract.pricing import FEW_LEARNT
from app.service.pricing.estimator.distribution import GRID, Comparable, Newness, PriceDistribution
from app.service.pricing.next_step import find_next_step
from app.service.pricing.verdict import PricedLine, Verdict, judge_line, judge_lines

TODAY = date(2026, 6, 1)
ORDER = tuple(LEVEL_WORDS)
SPREAD = 0.25


def bought(unit_price: float) -> Comparable:
    return Comparable(
        id=f"p-{unit_price}",
        weight=0.1,
        similarity=100,
        parts={},
        unit_price=unit_price,
        paid_unit_price=unit_price,
        purchase_date=TODAY,
        relation="same_article",
        like_for_like=True,
        quantity=10,
    )


def priced(prices: Sequence[float], multiple: float = 1.0) -> PriceDistribution:
    """What like purchases at these unit prices say, without the widening of an estimate."""
    return PriceDistribution(
        log_unit_prices=np.log(np.quantile(prices, GRID)),
        multiple=multiple,
        currency="USD",
        level="repeat",
        best_similarity=100,
        purchases=len(prices),
        effective_purchases=float(len(prices)),
        newest=TODAY,
        recurring=False,
        comparables=tuple(bought(price) for price in prices),
    )


def spread(count: int = 60) -> list[float]:
    """Prices around 100, of which a half is within a quarter of it."""
    return [100 * exp(SPREAD * (2 * at / (count - 1) - 1)) for at in range(count)]


def judge(amount: float, prices: Sequence[float], list_total: float | None = None) -> Verdict:
    line = PricedLine("Desk", priced(prices), amount, quantity=10, list_total=list_total)
    verdict = judge_line(line, TODAY)
    assert verdict is not None
    return verdict


@pytest.mark.parametrize(
    ("percentile", "level", "word"),
    [
        (5, "low", "accept"),
        (20, "low", "accept"),
        (30, "usual", "consider"),
        (70, "usual", "consider"),
        (80, "high", "negotiate"),
        (84, "high", "negotiate"),
        (95, "very_high", "negotiate"),
    ],
)
def test_the_percentile_decides_the_level_and_the_level_every_word(
    percentile: int, level: PriceLevel, word: str
) -> None:
    prices = spread()
    verdict = judge(float(np.quantile(prices, percentile / 100)), prices)
    assert (verdict.level, verdict.word) == (level, word)
    assert verdict.reasons[0].startswith(LEVEL_WORDS[level].phrase)
    label = format_price_level(level, word)
    assert ("negotiate" in label) is (word == "negotiate")


@pytest.mark.campaign
@given(st.floats(45, 250), st.floats(45, 250), st.floats(0.001, 1000))
def test_more_is_never_judged_better_and_the_unit_of_money_does_not_matter(
    one: float, other: float, factor: float
) -> None:
    prices = spread()
    less, more = (judge(amount, prices) for amount in sorted((one, other)))
    assert less.level
    assert more.level
    assert ORDER.index(less.level) <= ORDER.index(more.level)
    assert judge(one * factor, [price * factor for price in prices]).level == judge(one, prices).level


@pytest.mark.campaign
@given(st.floats(75, 140))
def test_a_line_split_in_two_is_judged_as_one(amount: float) -> None:
    prices = spread()
    half = PricedLine("Desk", priced(prices, 0.5), amount / 2, quantity=10)
    whole = judge_lines([half], amount / 2, TODAY)
    assert whole.level == judge(amount, prices).level
    assert whole.word == LEVEL_WORDS[whole.level or "low"].word


def test_where_prices_hardly_vary_one_per_cent_is_nothing_to_negotiate_about() -> None:
    prices = [100.0, 100.1, 100.2, 100.3, 100.4, 100.5]
    assert judge(101.5, prices).level == "usual"
    assert judge(103, prices).level == "very_high"
    above = 100 * (1 + 1e-15)
    everybody = {"percentile25": above, "median": above, "percentile75": above, "percentile90": above}
    assert find_price_level(100, **everybody) == "usual"


@pytest.mark.parametrize(
    ("listed", "level"), [(None, "low"), (100, "low"), (85, "usual"), (84, "usual"), (85.2, "usual")]
)
def test_at_its_list_price_no_quote_is_low_where_others_paid_less(listed: float | None, level: str) -> None:
    assert judge(85, spread(), listed).level == level
    if level == "usual":
        assert judge(85, [90, 92, 94, 96, 98, 100], listed).level == "low", "nobody paid less"


def test_a_list_price_counts_for_the_whole_where_every_line_has_one() -> None:
    lines = [PricedLine(name, priced(spread()), 85, quantity=10, list_total=85) for name in ("Desk", "Lamp")]
    assert judge_lines(lines, 170, TODAY).level == "usual"
    assert judge_lines([lines[0], replace(lines[1], list_total=None)], 170, TODAY).level == "low"


@pytest.mark.parametrize(
    ("level", "word", "label"),
    [
        (None, "accept", "Low price"),
        (None, "negotiate", "High price: negotiate"),
        (None, "withheld", "No verdict"),
        ("very_high", "negotiate", "Very high price: negotiate"),
        ("outrageous", "consider", "Usual price"),
        (None, "sign_today", "Sign today"),
    ],
)
def test_a_service_that_says_no_level_or_a_newer_one_is_understood(
    level: str | None, word: str, label: str
) -> None:
    assert format_price_level(level, word) == label


@pytest.mark.parametrize(
    ("level", "quoted", "action", "amount"),
    [
        ("low", "41000", "accept", "41000"),
        ("usual", "48123.45", "ask", "41000"),
        ("very_high", "60000", "ask", "41000"),
        (None, "60000", "compare", None),
    ],
)
def test_a_verdict_carries_its_next_step_with_the_amount(
    level: PriceLevel | None, quoted: str, action: str, amount: str | None
) -> None:
    step = find_next_step(level, Decimal(quoted), opening=Decimal("41237.55"), target=Decimal(44_000))
    assert (step.action, step.amount) == (action, amount and Decimal(amount))


def test_what_is_hardly_less_is_not_asked_for() -> None:
    opening, target = Decimal(100), Decimal("100.20")
    assert find_next_step("usual", Decimal("100.50"), opening=opening, target=target).action == "accept"
    at_list = find_next_step("usual", Decimal(99), opening=opening, target=target)
    assert at_list.action == "compare", "it is the list price, and others paid less"


@given(*[st.decimals("0.01", "1000000000", places=2)] * 3)
def test_what_is_asked_for_is_below_the_quote_and_never_above_the_target(
    one: Decimal, other: Decimal, quoted: Decimal
) -> None:
    opening, target = sorted((one, other))
    step = find_next_step("high", quoted, opening=opening, target=target)
    if step.action == "ask":
        assert step.amount is not None
        assert 0 < step.amount < quoted
        assert step.amount <= target


@pytest.mark.parametrize(
    ("prices", "newness", "doubt"),
    [
        ([100, 104, 110], "known", None),
        ([100, 104, 111], "known", "they do not cost about the same; 5 are needed, or 2 that do."),
        ([100, 100, 100], "one_order", "all of one order; 5 are needed, or 2 of different orders"),
        ([100, 105], "known", None),
        ([100, 106], "known", "they do not cost about the same"),
        ([100, 100], "one_order", "all of one order"),
        ([100], "known", "supports the range; 5 are needed, or 2 that cost about the same."),
        ([100, 104, 111, 125, 125], "known", None),
    ],
)
def test_fewer_purchases_are_enough_where_they_agree(
    prices: list[float], newness: Newness, doubt: str | None
) -> None:
    price = replace(priced(prices), newness=newness)
    judged = judge_line(PricedLine("Suite", price, 105, quantity=10), TODAY)
    assert judged is not None
    assert (judged.level is None) is (doubt is not None)
    assert doubt is None or doubt in judged.reasons[0]


@pytest.mark.parametrize(
    ("prices", "learnt_on", "is_judged"),
    [
        ([100], FEW_LEARNT, True),
        ([100], FEW_LEARNT - 1, False),
        ([100, 102, 104], FEW_LEARNT, True),
        ([100, 102, 104], FEW_LEARNT - 1, False),
        ([100, 104, 111], FEW_LEARNT, False),
    ],
)
def test_one_order_is_enough_where_enough_was_learnt(
    prices: list[float], learnt_on: int, is_judged: bool
) -> None:
    price = replace(priced(prices), newness="one_order", learnt_on=learnt_on)
    judged = judge_line(PricedLine("Suite", price, 105, quantity=10), TODAY)
    assert judged is not None
    assert (judged.level is not None) is is_judged
    assert ("It rests on one purchase of the same product" in judged.reasons[-1]) is (
        is_judged and len(prices) == 1
    )


@pytest.mark.parametrize(
    ("paid", "on_these_terms", "is_judged"),
    [(80, 80, False), (80, 100, True), (100, 80, True), (80, 150, True)],
)
def test_purchases_of_the_quantity_contradict_a_range_as_paid_and_on_its_terms(
    paid: float, on_these_terms: float, is_judged: bool
) -> None:
    price = priced([95, 98, 100, 102, 105])
    near = replace(bought(on_these_terms), paid_unit_price=paid, quantity=50)
    price = replace(price, comparables=(*price.comparables, near, near))
    judged = judge_line(PricedLine("Suite", price, 100, quantity=50), TODAY)
    assert judged is not None
    assert (judged.level is not None) is is_judged
