"""What quotes cost in all and in which order they stand, over quotes of every kind."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, TypeAlias
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.contract.sourcing import (
    NO_AWARD_FOUND,
    MatrixTotal,
    NewScenario,
    Requirement,
    ScenarioConstraints,
    SourcingQuote,
)
from app.service.charges.charge import NotComparable
from app.service.sourcing import scenarios
from app.service.sourcing.amounts import from_cents
from app.service.sourcing.award.solving import Award, find_award
from app.service.sourcing.columns import Column, Rate, build_column
from app.service.sourcing.matrix import add_up_quotes, compare_quotes, rank_totals
from app.service.sourcing.scenarios import build_task

TODAY = date(2026, 11, 26)
NOW = datetime(2026, 11, 26, tzinfo=UTC)
RATES = {"USD": Decimal(1), "EUR": Decimal("1.25")}
Line: TypeAlias = dict[str, Any]


def make_id(number: int) -> str:
    return str(UUID(int=number, version=4))


def need(months: int = 24, must_have: tuple[bool, ...] = (True, True), quantity: int = 10) -> Requirement:
    """A requirement in US dollars of so many users for each line."""
    lines = [
        {
            "id": make_id(at),
            "description": f"Thing {at}",
            "quantity": quantity,
            "unit": "user",
            "mustHave": one,
        }
        for at, one in enumerate(must_have)
    ]
    body = {"name": "Tools", "currency": "USD", "termMonths": months, "lines": lines}
    record = {**body, "id": make_id(99), "quoteCount": 0, "createdAt": NOW, "updatedAt": NOW}
    return Requirement.model_validate(record)


def ask(at: int, price: float, per: str = "year", **others: Any) -> Line:
    """A line of a quote that answers one of the requirement."""
    return {
        "requirementLineId": make_id(at), "description": f"Thing {at}", "quantity": 10, "unit": "user",
        "unitPrice": price, "recurring": per, "alignment": "confirmed", **others,
    }  # fmt: skip


def offer(requirement: Requirement, name: str, *lines: Line, **others: Any) -> Column:
    """The column of a quote."""
    number = 1000 * sum(map(ord, name))
    record = {
        "id": make_id(number),
        "requirementId": make_id(99),
        "supplierName": name,
        "currency": "USD",
        "createdAt": NOW,
        "lines": [{"id": make_id(number + at), **one} for at, one in enumerate(lines, 1)],
        **others,
    }
    quote = SourcingQuote.model_validate(record)
    rate = RATES.get(quote.currency)
    return build_column(requirement, quote, None if rate is None else Rate(rate, TODAY))


def show(total: MatrixTotal | None) -> str:
    """`1: 1200.00 of 2/2`: the place, the amount and the lines in it."""
    assert total is not None
    assert (total.rank is None) == (total.statement is not None)
    return f"{total.rank or '-'}: {total.amount} of {total.lines}/{total.of_lines}"


CHEAP = (ask(0, 100), ask(1, 50))
"""3,000 for two years."""
DISCOUNT = [{"kind": "volume", "fromAmount": 3000, "percent": 10}]


@pytest.mark.parametrize(
    ("others", "shown"),
    [
        pytest.param({"lines": CHEAP}, "1: 3000.00 of 2/2", id="the same"),
        pytest.param({"lines": CHEAP, "discounts": DISCOUNT}, "1: 2700.00 of 2/2", id="discount"),
        pytest.param(
            {"lines": (ask(0, 99), ask(1, 50)), "discounts": DISCOUNT},
            "1: 2980.00 of 2/2",
            id="discount not reached",
        ),
        pytest.param({"lines": (ask(0, 100),)}, "-: 2000.00 of 1/2", id="partial"),
        pytest.param(
            {"lines": (ask(0, 100),), "discounts": [{"kind": "volume", "fromAmount": 0, "percent": 12.5}]},
            "-: 1750.00 of 1/2",
            id="partial with a discount",
        ),
        pytest.param({"lines": ()}, "-: None of 0/2", id="nothing"),
        pytest.param({"lines": CHEAP, "currency": "EUR"}, "2: 3750.00 of 2/2", id="with a rate"),
        pytest.param({"lines": CHEAP, "currency": "GBP"}, "-: None of 0/2", id="without a rate"),
        pytest.param({"lines": CHEAP, "validUntil": "2026-11-25"}, "-: 3000.00 of 2/2", id="expired"),
        pytest.param({"lines": CHEAP, "validUntil": "2026-11-26"}, "1: 3000.00 of 2/2", id="last day"),
        pytest.param({"lines": CHEAP, "minimumOrder": 3000.01}, "-: 3000.00 of 2/2", id="minimum order"),
        pytest.param({"lines": CHEAP, "minimumOrder": 3000}, "1: 3000.00 of 2/2", id="minimum reached"),
        pytest.param(
            {"lines": (ask(0, 120, taxIncluded=True, taxPercent=20), ask(1, 50))},
            "1: 3000.00 of 2/2",
            id="tax is taken out",
        ),
        pytest.param(
            {"lines": (ask(0, 90, taxIncluded=True), ask(1, 50))}, "-: 1000.00 of 1/2", id="unknown tax"
        ),
        pytest.param(
            {"lines": (ask(0, 90, alternate=True), ask(0, 110), ask(1, 50))},
            "2: 3200.00 of 2/2",
            id="an alternative is in no total",
        ),
        pytest.param(
            {"lines": (ask(0, 90, alternate=True), ask(1, 50))},
            "-: 1000.00 of 1/2",
            id="an alternative alone",
        ),
        pytest.param(
            {"lines": (ask(0, 90, alignment="doubtful"), ask(1, 50))}, "-: 1000.00 of 1/2", id="in doubt"
        ),
        pytest.param(
            {"lines": (ask(0, 0, alignment="proposed"), ask(1, 50))}, "-: 1000.00 of 1/2", id="free?"
        ),
        pytest.param({"lines": (ask(0, 0), ask(1, 50))}, "1: 1000.00 of 2/2", id="confirmed as free"),
        pytest.param(
            {"lines": (ask(0, 100, breaks=[{"fromQuantity": 10, "unitPrice": 80, "kind": "all_units"}]),
                       ask(1, 50))},
            "1: 2600.00 of 2/2",
            id="tiers for all units",
        ),
        pytest.param(
            {"lines": (ask(0, 100, breaks=[{"fromQuantity": 5, "unitPrice": 80, "kind": "incremental"}]),
                       ask(1, 50))},
            "1: 2800.00 of 2/2",
            id="tiers from there on",
        ),
        pytest.param(
            {"lines": (ask(0, 90, quantity=9), ask(1, 50))}, "-: 1000.00 of 1/2", id="another quantity"
        ),
        pytest.param(
            {"lines": (ask(0, 90, "term", termMonths=12), ask(1, 50))},
            "-: 1000.00 of 1/2",
            id="for another term",
        ),
        pytest.param(
            {"lines": (ask(0, 190, "term", termMonths=24), ask(1, 50))}, "1: 2900.00 of 2/2", id="this term"
        ),
        pytest.param({"lines": (ask(0, 300, "once"), ask(1, 50))}, "2: 4000.00 of 2/2", id="paid once"),
    ],
)  # fmt: skip
def test_a_quote_is_ranked_by_what_it_costs_where_all_lines_are_in_it(
    others: dict[str, Any], shown: str
) -> None:
    requirement = need()
    lines = others.pop("lines")
    columns = [offer(requirement, "Other", *CHEAP), offer(requirement, "Asked", *lines, **others)]
    compared = compare_quotes(requirement, columns, TODAY)
    assert show(compared.whole_term[1]) == shown
    ranked, amount = not shown.startswith("-"), compared.whole_term[1].amount
    assert compared.whole_term[0].rank == 1 + (ranked and amount is not None and amount < 3000)
    assert ("Asked is not ranked" in compared.ranking) != ranked
    assert compared.must_haves == [None, None]


@pytest.mark.parametrize(("months", "amounts"), [(12, (1500, 1400)), (36, (2500, 3200)), (37, (2541, 3275))])
def test_what_is_paid_once_and_what_is_paid_again_compare_over_the_term(
    months: int, amounts: tuple[int, int]
) -> None:
    requirement = need(months)
    columns = [
        offer(requirement, "Once", ask(0, 100, "once"), ask(1, 50)),
        offer(requirement, "Monthly", ask(0, 7.5, "month"), ask(1, 50, "once")),
    ]
    compared = compare_quotes(requirement, columns, TODAY)
    found = [one.amount or 0 for one in compared.whole_term]
    assert [int(one) for one in found] == list(amounts)
    assert [one.rank for one in compared.whole_term] == [1 + (found[0] > found[1]), 1 + (found[1] > found[0])]


def test_a_line_that_may_stay_open_is_in_the_total_of_all_and_not_in_that_of_the_others() -> None:
    requirement = need(must_have=(True, True, False))
    columns = [
        offer(requirement, "All", *CHEAP, ask(2, 20, "once"), discounts=DISCOUNT),
        offer(requirement, "Most", ask(0, 95), ask(1, 50)),
        offer(requirement, "Few", ask(0, 1)),
    ]
    compared = compare_quotes(requirement, columns, TODAY)
    assert [*map(show, compared.whole_term)] == ["1: 2880.00 of 3/3", "-: 2900.00 of 2/3", "-: 20.00 of 1/3"]
    assert [*map(show, compared.must_haves)] == ["1: 2700.00 of 2/2", "2: 2900.00 of 2/2", "-: 20.00 of 1/2"]
    assert "“Thing 2”" in (compared.whole_term[1].statement or "")


_PRICE = st.integers(1, 300)
_STEPS = st.lists(
    st.tuples(st.integers(0, 9000), st.integers(0, 60)), max_size=2, unique_by=lambda one: one[0]
)
_QUOTES = st.lists(
    st.tuples(st.lists(st.one_of(_PRICE, st.none()), min_size=2, max_size=2), _STEPS, st.integers(0, 4000)),
    min_size=1,
    max_size=4,
)


@pytest.mark.campaign
@given(_QUOTES)
@settings(max_examples=60, deadline=None)
def test_the_lowest_total_is_what_the_cheapest_award_to_one_supplier_costs(
    quotes: list[tuple[list[int | None], list[tuple[int, int]], int]],
) -> None:
    requirement = need()
    columns = [
        offer(
            requirement,
            "ABCD"[place],
            *(ask(at, price) for at, price in enumerate(prices) if price is not None),
            discounts=[{"fromAmount": start, "percent": percent} for start, percent in steps],
            minimumOrder=least,
        )
        for place, (prices, steps, least) in enumerate(quotes)
    ]
    totals = compare_quotes(requirement, columns, TODAY).whole_term
    single = ScenarioConstraints(max_suppliers=1)
    award = find_award(build_task(requirement, columns, single, TODAY).problem, 5)
    lowest = next((one.amount for one in totals if one.rank == 1), None)
    assert lowest == (None if award.total is None else from_cents(award.total))


def test_a_total_adds_up_to_what_its_cells_show_in_a_currency_without_cents() -> None:
    requirement = need(18).model_copy(update={"currency": "JPY"})
    column = offer(requirement, "Yen", ask(0, 100.35), ask(1, 7.77, "month"), currency="JPY")
    column = build_column(requirement, column.quote, Rate(Decimal(1), TODAY))
    [total] = compare_quotes(requirement, [column], TODAY).whole_term
    assert total.amount == sum(cell.amount or 0 for cells in column.cells.values() for cell in cells)
    assert total.amount == Decimal("2903.85")


def test_totals_of_other_lines_never_compare() -> None:
    requirement = need()
    columns = [offer(requirement, "One", ask(0, 1)), offer(requirement, "Two", ask(1, 2))]
    [one, _] = add_up_quotes(requirement, requirement.lines[:1], columns, TODAY)
    [_, two] = add_up_quotes(requirement, requirement.lines[1:], columns, TODAY)
    with pytest.raises(NotComparable):
        rank_totals([one, two])


@pytest.mark.parametrize(
    ("later", "status", "said"),
    [
        (Award("optimal", frozenset(), 300_000, 300_000), "gap", "Delivered within 30 days"),
        (Award("gap"), "gap", NO_AWARD_FOUND),
    ],
)
def test_what_was_not_found_in_time_is_not_said_to_be_none(
    later: Award, status: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That a quote is the soonest is proven only where the sooner ones are known to make no award."""
    answers = iter([Award("gap"), later])
    monkeypatch.setattr(scenarios, "find_award", lambda *_: next(answers))
    requirement = need()
    columns = [offer(requirement, name, *CHEAP, leadTimeDays=days) for name, days in (("A", 3), ("B", 30))]
    task = build_task(requirement, columns, ScenarioConstraints(), TODAY)
    solution = scenarios.solve_scenario(task, NewScenario(objective="earliest"), 1)
    assert (solution["status"], solution["bound"]) == (status, None)
    assert any(sentence.startswith(said) for sentence in solution["assumptions"])
