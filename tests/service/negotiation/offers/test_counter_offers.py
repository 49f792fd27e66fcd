"""Counter-offers: the first is the opening, the next ones approach the target, in rounded amounts."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.service.negotiation.offers.offer import suggest_counter_offer
from app.service.pricing.next_step import round_as_people_do

MONEY = st.decimals("0.01", "1000000000", places=2)


def significant(amount: Decimal) -> int:
    return len(str(amount.normalize().as_tuple().digits).replace(", ", "").strip("(,)"))


@given(MONEY)
def test_an_amount_is_rounded_to_at_most_three_digits(amount: Decimal) -> None:
    near = round_as_people_do(amount)
    assert significant(near) <= 3
    assert abs(near - amount) <= amount * Decimal("0.01")


def test_an_amount_is_rounded_to_two_digits_where_that_is_close() -> None:
    assert round_as_people_do(Decimal("41237.55")) == 41_000
    assert round_as_people_do(Decimal("1049.10")) == 1050
    assert round_as_people_do(Decimal("1234567")) == 1_230_000
    assert round_as_people_do(Decimal("99.50"), at_most=Decimal("99.50")) == Decimal("99.5")
    assert round_as_people_do(Decimal("0.126")) == Decimal("0.126")


@given(st.lists(MONEY, min_size=3, max_size=3).map(sorted), st.integers(0, 8))
def test_counters_rise_to_the_target_and_never_above_it_or_the_offer(
    amounts: list[Decimal], steps: int
) -> None:
    opening, target, offer = amounts
    made: list[Decimal] = []
    for _ in range(steps):
        counter = suggest_counter_offer(made, opening=opening, target=target, offer=offer)
        if counter is None:
            # Only an offer that is as low as what would be asked leaves nothing to ask for.
            assert offer <= target or round_as_people_do(opening, at_most=target) >= offer
            return
        assert 0 < counter.amount <= target
        assert counter.amount < offer
        assert significant(counter.amount) <= 3
        assert counter.reason.endswith(".")
        assert not made or counter.amount >= made[-1] or made[-1] > round_as_people_do(target, at_most=target)
        made.append(counter.amount)


@pytest.mark.campaign
@given(MONEY, MONEY, MONEY)
def test_the_first_counter_is_the_opening_rounded(one: Decimal, other: Decimal, more: Decimal) -> None:
    opening, target = sorted((one, other))
    counter = suggest_counter_offer([], opening=opening, target=target, offer=target + more)
    assert counter is not None
    assert counter.amount == round_as_people_do(opening, at_most=target)


def test_each_step_is_half_of_the_way_and_the_last_is_the_target() -> None:
    made: list[Decimal] = []
    for _ in range(9):
        counter = suggest_counter_offer(made, opening=Decimal(800), target=Decimal(1000), offer=Decimal(1500))
        assert counter is not None
        made.append(counter.amount)
    assert made[:3] == [800, 900, 950]
    assert made[-1] == 1000
    last = suggest_counter_offer(made, opening=Decimal(800), target=Decimal(1000), offer=Decimal(1500))
    assert last is not None
    assert "target" in last.reason
