"""opening ≤ target ≤ walk-away ≤ the quotes in hand when they are set, whatever the estimate."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.pricing import PERCENTILES
from app.service.negotiation.market import PastPurchase, PurchaseStats
from app.service.negotiation.offers.offer import (
    Offer,
    OfferBenchmark,
    assess_offer,
    describe_differences,
    describe_price_level,
    find_best_amount,
    list_valid_offers,
)
from app.service.negotiation.offers.scope_requirements import ChosenOption, ScopeRequirements
from app.service.negotiation.strategy.levers import PriceAtStake, find_levers
from app.service.negotiation.strategy.strategy import (
    POSITION_NAMES,
    NumbersOutOfOrder,
    PositionName,
    PriceEvidence,
    Strategy,
    apply_typed_numbers,
    build_strategy,
)
from app.service.scopes.quote import QuoteClauses

MONEY = st.decimals("0.01", "1000000000", places=2)
NOW = datetime(2026, 11, 20, tzinfo=UTC)


@st.composite
def strategies(draw: st.DrawFn, in_hand: st.SearchStrategy[Decimal | None] = st.none()) -> Strategy:
    prices = sorted(draw(st.lists(MONEY, min_size=len(PERCENTILES), max_size=len(PERCENTILES))))
    evidence = PriceEvidence(dict(zip(PERCENTILES, prices, strict=True)), 12, "USD")
    return build_strategy(evidence, draw(in_hand))


def offer(amount: str | Decimal, **more: object) -> Offer:
    return Offer("1", NOW, Decimal(amount), "USD", **more)  # type: ignore[arg-type]


@pytest.mark.campaign
@given(st.data(), MONEY)
def test_the_numbers_are_in_order_and_none_is_above_the_quote(data: st.DataObject, quote: Decimal) -> None:
    made = data.draw(strategies(st.just(quote)))
    assert made.opening.amount <= made.target.amount <= made.walk_away.amount <= quote
    for one in (made.opening, made.target, made.walk_away):
        assert one.origin == ("quote" if "Capped at the supplier's offer" in one.reason else "estimate")


@pytest.mark.campaign
@given(strategies() | st.none(), st.dictionaries(st.sampled_from(POSITION_NAMES), MONEY, min_size=1))
def test_typed_numbers_are_in_order_or_refused_by_name(
    before: Strategy | None, typed: dict[PositionName, Decimal]
) -> None:
    wanted = {name: typed.get(name) or getattr(before, name, None) for name in POSITION_NAMES}
    amounts = [getattr(one, "amount", one) for one in wanted.values() if one is not None]
    if amounts != sorted(amounts):
        with pytest.raises(NumbersOutOfOrder) as refused:
            apply_typed_numbers(before, typed, "the board's budget", "USD")
        assert refused.value.names
        assert set(refused.value.names) <= typed.keys()
        return
    made = apply_typed_numbers(before, typed, "the board's budget", "USD")
    assert made.opening.amount <= made.target.amount <= made.walk_away.amount
    assert made.has_typed_number
    for name in POSITION_NAMES:
        one = getattr(made, name)
        if name in typed:
            assert (one.amount, one.origin) == (typed[name], "typed")
            assert "the board's budget" in one.reason
        elif before is not None:
            assert one == getattr(before, name)
        else:
            assert one.amount in typed.values()


@pytest.mark.campaign
@given(strategies())
def test_a_strategy_is_read_back_as_it_was_written(strategy: Strategy) -> None:
    assert Strategy.from_record(strategy.to_record()) == strategy


@pytest.mark.campaign
@given(strategies(), MONEY)
def test_an_offer_is_above_the_walk_away_or_above_or_within_the_target(
    strategy: Strategy, amount: Decimal
) -> None:
    one = offer(amount)
    (found,) = assess_offer(one, OfferBenchmark(amount, strategy), NOW)
    if amount > strategy.walk_away.amount:
        assert found.reason == "quote_above_walk_away"
    elif amount > strategy.target.amount:
        assert found.reason == "quote_above_target"
    else:
        assert found.reason == "quote_within_target"


def test_the_numbers_are_percentiles_10_25_and_60() -> None:
    evidence = PriceEvidence({percent: Decimal(percent) for percent in PERCENTILES}, 40, "USD")
    assert [one.amount for one in build_strategy(evidence).positions] == [10, 25, 60]


def test_an_offer_is_called_high_by_sound_evidence_only_and_by_the_part_it_covers() -> None:
    rest = Decimal(1000)
    evidence = PriceEvidence(
        {percent: 100 + percent + rest for percent in PERCENTILES}, 40, "USD", quoted_part=rest
    )
    said = describe_price_level(OfferBenchmark(Decimal(1182), build_strategy(evidence)))
    assert said.startswith("A high price: about 82 % of comparable purchases cost less")
    typed = apply_typed_numbers(build_strategy(evidence), {"target": Decimal(1120)}, "the budget", "USD")
    doubted = build_strategy(replace(evidence, doubts=["Two purchases."]))
    for strategy in (typed, doubted, None):
        assert describe_price_level(OfferBenchmark(Decimal(1182), strategy)) == ""


def test_an_offer_for_something_else_says_in_what_it_differs() -> None:
    scope = ScopeRequirements(12, {"a": Decimal(10), "b": Decimal(1)})
    for other in (
        offer("5", term_length=24),
        offer("5", quantities={"a": Decimal(11), "b": None}),
        offer("5", quantities={"a": Decimal(10)}),
        offer("5", quantities={"a": Decimal(10), "b": Decimal(1), "c": None}),
    ):
        different = describe_differences(other, scope)
        assert different
        benchmark = OfferBenchmark(other.amount, None, different, missing_reason="Nothing alike.")
        (found,) = assess_offer(other, benchmark, NOW)
        assert found.reason == "scope_mismatch"
        assert found.explanation.endswith("Nothing alike.")
    month = describe_differences(offer("5", term_length=1), scope)
    assert month == "The offer is for 1 month, the scope for 12."
    same = offer("5", term_length=12, quantities={"a": Decimal("10.0"), "b": None})
    assert describe_differences(same, scope) == ""


def test_an_offer_for_another_edition_says_which() -> None:
    editions = {Decimal(1): "Starter", Decimal(2): "Professional"}
    wanted = {"a": {"edition": ChosenOption("Edition", Decimal(1), "Starter", editions)}}
    scope = ScopeRequirements(12, {"a": Decimal(10)}, wanted)
    other = offer("5", options={"a": {"edition": "2"}})
    assert (
        describe_differences(other, scope) == "The offer is for Edition Professional, the scope for Starter."
    )
    assert describe_differences(offer("5", options={"a": {"edition": "1.0"}}), scope) == ""
    assert describe_differences(offer("5", options={"a": {"region": "2"}}), scope) == ""


def test_the_last_day_to_give_notice_is_named_where_the_end_is_known() -> None:
    clauses = QuoteClauses(auto_renew=True, notice_days=90, notice_unit="day")
    price = PriceAtStake(Decimal(3600), "USD", "the quote", 36)
    known = {"fiscal_year_end": None, "clauses": clauses, "today": NOW.date(), "price": price}
    (lever,) = find_levers(PurchaseStats(()), (), **known, end_date=date(2027, 12, 31))
    due = "by 1 October 2027, 90 days before the end, moved back to a working day."  # from a Saturday
    assert due in lever.statement
    assert lever.worth == 1200
    (lever,) = find_levers(PurchaseStats(()), (), **known)
    assert "90 days before the end." in lever.statement


def test_costly_clauses_are_a_finding() -> None:
    clauses = QuoteClauses(uplift_percent=Decimal(7), auto_renew=True, notice_days=90, notice_unit="day")
    (finding,) = assess_offer(offer("5", clauses=clauses), OfferBenchmark(Decimal(5), None), NOW)
    assert finding.reason == "contract_clause"
    assert "7 %" in finding.explanation
    assert "90 days" in finding.explanation


def test_an_expired_offer_is_not_valid_but_the_newest_always_is() -> None:
    yesterday, today = date(2026, 11, 19), date(2026, 11, 20)
    old, kept_open, newest = (
        offer("1", valid_until=yesterday),
        offer("2", valid_until=today),
        offer("3", valid_until=yesterday),
    )
    now = NOW + timedelta(hours=23)
    assert list_valid_offers([old, kept_open, newest], now) == [kept_open, newest]
    assert find_best_amount([old, kept_open, newest], now) == 2
    assert find_best_amount([old, kept_open, replace(newest, amount=Decimal(1), fits_scope=False)], now) == 2
    assert find_best_amount([], now) is None


def test_a_cap_on_the_price_rise_is_no_finding() -> None:
    capped = QuoteClauses(uplift_percent=Decimal(6), uplift_is_cap=True)
    assert assess_offer(offer("5", clauses=capped), OfferBenchmark(Decimal(5), None), NOW) == []


@given(MONEY, st.dates() | st.none(), st.integers(1, 1200) | st.none())
def test_an_offer_is_read_back_as_it_was_written(
    amount: Decimal, valid_until: date | None, months: int | None
) -> None:
    one = offer(amount, valid_until=valid_until, term_length=months, quantities={"a": amount, "b": None})
    assert Offer.of_entry("1", NOW, one.to_record()) == one
    assert one.warn_at is None or one.ends_at is None or one.warn_at < one.ends_at


def test_a_competitor_in_another_currency_or_unit_is_not_called_cheaper() -> None:
    def bought(price: float, **more: str) -> PastPurchase:
        stated: dict[str, str] = {"currency": "USD", "unit": "user"} | more
        currency, unit = stated["currency"], stated["unit"]
        return PastPurchase("a", date(2026, 5, 1), 10, price, True, currency, "month", 12, None, None, unit)

    own = PurchaseStats([bought(100)] * 6)
    for cheaper, more in ((True, {}), (False, {"currency": "EUR"}), (False, {"unit": "GB"})):
        other = PurchaseStats([bought(50, **more)] * 6, "Rival").unit_range()
        assert other is not None
        [lever] = find_levers(own, [other], fiscal_year_end=None, clauses=QuoteClauses(), today=NOW.date())
        assert lever.tightens is cheaper
        assert ("lower median" in lever.statement) is cheaper
    mixed = PurchaseStats([bought(100)] * 6 + [bought(1, unit="GB")] * 5).unit_range()
    assert mixed is not None
    assert (mixed.low, mixed.high, mixed.purchase_count) == (100, 100, 6)


@pytest.mark.parametrize(
    ("months", "kinds"), [(12, ["longer_term", "fiscal_year_end"]), (36, ["fiscal_year_end"])]
)
def test_a_lever_is_worth_what_its_basis_says_and_names_a_day(months: int, kinds: list[str]) -> None:
    def bought(price: float, term: int) -> PastPurchase:
        return PastPurchase("a", date(2026, 5, 1), 10, price, True, "USD", "month", term, None, None, "user")

    own = PurchaseStats([bought(100, 12)] * 6 + [bought(98.54, 36)] * 6)
    price = PriceAtStake(Decimal(53_972), "USD", "the quote", months)
    known: dict[str, Any] = {"clauses": QuoteClauses(), "today": date(2026, 12, 30), "price": price}
    levers = find_levers(own, (), fiscal_year_end="--12-31", **known)
    assert [lever.kind for lever in levers] == kinds
    assert levers[-1].statement == "The supplier's fiscal year ends on 31 December 2026."
    for lever in levers[:-1]:
        assert lever.statement == "Terms of two years or more cost 1 % less than terms of a year or less."
        assert lever.basis == "1 % of the quote of USD 53,972, if you get what others got."
        assert lever.worth == 540
