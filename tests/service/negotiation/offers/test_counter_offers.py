"""Counters: the opening first, then part of the way to the target; rounded as people round."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from app.service.negotiation.offers.counter_offers import next_counter, rounded

MONEY = st.decimals("0.01", "1000000000", places=2)


def significant(amount: Decimal) -> int:
    return len(str(amount.normalize().as_tuple().digits).replace(", ", "").strip("(,)"))


@given(MONEY)
def test_an_amount_is_rounded_to_at_most_three_digits_and_stays_near(amount: Decimal) -> None:
    near = rounded(amount)
    assert significant(near) <= 3
    assert abs(near - amount) <= amount * Decimal("0.01")


def test_two_digits_are_enough_where_they_are_near() -> None:
    assert rounded(Decimal("41237.55")) == 41_000
    assert rounded(Decimal("1049.10")) == 1050
    assert rounded(Decimal("1234567")) == 1_230_000
    assert rounded(Decimal("99.50"), at_most=Decimal("99.50")) == Decimal("99.5")
    assert rounded(Decimal("0.126")) == Decimal("0.126")


@given(st.lists(MONEY, min_size=3, max_size=3).map(sorted), st.integers(0, 8))
def test_counters_rise_to_the_target_and_never_above_it_or_the_offer(
    amounts: list[Decimal], steps: int
) -> None:
    opening, target, offer = amounts
    made: list[Decimal] = []
    for _ in range(steps):
        counter = next_counter(made, opening=opening, target=target, offer=offer)
        if counter is None:
            # Only an offer that is as low as what would be asked leaves nothing to ask for.
            assert offer <= target or rounded(opening, at_most=target) >= offer
            return
        assert 0 < counter.amount <= target
        assert counter.amount < offer
        assert significant(counter.amount) <= 3
        assert counter.why.endswith(".")
        assert not made or counter.amount >= made[-1] or made[-1] > rounded(target, at_most=target)
        made.append(counter.amount)


@given(MONEY, MONEY, MONEY)
def test_the_first_counter_is_the_opening_rounded(one: Decimal, other: Decimal, more: Decimal) -> None:
    opening, target = sorted((one, other))
    counter = next_counter([], opening=opening, target=target, offer=target + more)
    assert counter is not None
    assert counter.amount == rounded(opening, at_most=target)


def test_each_step_is_half_of_the_way_and_the_last_is_the_target() -> None:
    made: list[Decimal] = []
    for _ in range(9):
        counter = next_counter(made, opening=Decimal(800), target=Decimal(1000), offer=Decimal(1500))
        assert counter is not None
        made.append(counter.amount)
    assert made[:3] == [800, 900, 950]
    assert made[-1] == 1000
    assert "target" in next_counter(made, opening=Decimal(800), target=Decimal(1000), offer=Decimal(1500)).why  # type: ignore[union-attr]
