"""opening ≤ target ≤ walk-away ≤ a quote in hand, whatever the estimate and the quotes."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from app.contract.pricing import PERCENTILES
from app.service.negotiation.levers import Lever
from app.service.negotiation.offers import Offer, ScopeFacts, in_hand, judge
from app.service.negotiation.strategy import Evidence, Strategy, strategy_from

MONEY = st.decimals("0.01", "1000000000", places=2)
NOW = datetime(2026, 11, 20, tzinfo=UTC)


@st.composite
def strategies(draw: st.DrawFn) -> Strategy:
    prices = sorted(draw(st.lists(MONEY, min_size=len(PERCENTILES), max_size=len(PERCENTILES))))
    levers = [
        Lever("competitor", "", 9, tightens=tightens)
        for tightens in draw(st.lists(st.booleans(), max_size=5))
    ]
    return strategy_from(Evidence(dict(zip(PERCENTILES, prices, strict=True)), 12, "USD"), levers)


def offer(amount: str | Decimal, **more: object) -> Offer:
    return Offer("1", NOW, Decimal(amount), "USD", **more)  # type: ignore[arg-type]


@given(strategies(), st.lists(MONEY))
def test_the_numbers_are_in_order_and_none_is_above_a_quote_in_hand(
    strategy: Strategy, quotes: list[Decimal]
) -> None:
    held = strategy.held_to(quotes)
    assert held.opening.amount <= held.target.amount <= held.walk_away.amount
    assert all(held.walk_away.amount <= quote for quote in quotes)


@given(strategies())
def test_a_strategy_is_read_back_as_it_was_written(strategy: Strategy) -> None:
    assert Strategy.from_record(strategy.record()) == strategy


@given(strategies(), MONEY)
def test_an_offer_is_above_the_walk_away_or_within_the_target_or_neither_and_never_both(
    strategy: Strategy, amount: Decimal
) -> None:
    one = offer(amount)
    reasons = [finding.reason for finding in judge(one, strategy.held_to([amount]), None)]
    if amount > strategy.walk_away.amount:
        assert reasons == ["quote_above_walk_away"]
    elif amount <= strategy.target.amount:
        assert reasons == ["quote_within_target"]
    else:
        assert reasons == []


def test_the_target_is_p25_and_each_lever_that_applies_tightens_it_to_no_less_than_p15() -> None:
    evidence = Evidence({percent: Decimal(percent) for percent in PERCENTILES}, 40, "USD")
    tight, loose = Lever("competitor", "", 9, tightens=True), Lever("volume", "", 9)
    targets = [strategy_from(evidence, [tight] * count + [loose]).target.amount for count in range(5)]
    assert targets == [25, 20, 15, 15, 15]
    assert strategy_from(evidence, []).opening.amount == 10
    assert strategy_from(evidence, []).walk_away.amount == 60


def test_an_offer_for_something_else_is_a_mismatch_and_not_measured_by_the_numbers() -> None:
    evidence = Evidence({percent: Decimal(percent) for percent in PERCENTILES}, 40, "USD")
    strategy = strategy_from(evidence, [])
    scope = ScopeFacts(12, {"a": Decimal(10), "b": Decimal(1)})
    for other in (
        offer("5", term_length=24),
        offer("5", quantities={"a": Decimal(11), "b": None}),
        offer("5", quantities={"a": Decimal(10)}),
        offer("5", quantities={"a": Decimal(10), "b": Decimal(1), "c": None}),
    ):
        assert [finding.reason for finding in judge(other, strategy, scope)] == ["scope_mismatch"]
    same = offer("5", term_length=12, quantities={"a": Decimal("10.0"), "b": None})
    assert [finding.reason for finding in judge(same, strategy, scope)] == ["quote_within_target"]


def test_clauses_are_asked_about_beside_the_price() -> None:
    clauses = {"renewalUpliftPercent": "7", "autoRenew": True, "noticeDays": 90}
    (finding,) = judge(offer("5", clauses=clauses), None, None)
    assert finding.reason == "contract_clause"
    assert "7 %" in finding.because
    assert "90 days" in finding.because


def test_an_expired_quote_is_not_in_hand_but_the_newest_always_is() -> None:
    yesterday, today = date(2026, 11, 19), date(2026, 11, 20)
    old, kept_open, newest = (
        offer("1", valid_until=yesterday),
        offer("2", valid_until=today),
        offer("3", valid_until=yesterday),
    )
    now = NOW + timedelta(hours=23)
    assert in_hand([old, kept_open, newest], now) == [2, 3]


@given(MONEY, st.dates() | st.none(), st.integers(1, 1200) | st.none())
def test_an_offer_is_read_back_as_it_was_written(
    amount: Decimal, valid_until: date | None, months: int | None
) -> None:
    one = offer(amount, valid_until=valid_until, term_length=months, quantities={"a": amount, "b": None})
    assert Offer.from_record("1", NOW, one.record()) == one
    assert one.warn_at is None or one.ends_at is None or one.warn_at < one.ends_at
