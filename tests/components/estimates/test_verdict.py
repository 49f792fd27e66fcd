"""The verdict is the service's: a component draws it, and says what is not judged."""

from decimal import Decimal

import pytest
from streamlit.testing.v1 import AppTest

from app.contract.pricing import Percentiles, VerdictPart
from components.estimates.verdict import (
    describe_gap,
    describe_parts,
    describe_uncovered_lines,
    format_verdict,
    rank_price,
)
from components.formatting import format_total_per_unit
from tests.components.estimates.fixtures import make_coverage, make_percentiles, make_verdict


def flat(price: int) -> Percentiles:
    return Percentiles.model_validate({f"percentile{at}": price for at in range(10, 95, 5)})


def test_the_money_to_the_target_is_the_services() -> None:
    assert describe_gap(make_verdict(), "USD") == ("USD 52,400 is USD 9,137 above the target of USD 43,263")


def test_a_withheld_verdict_names_no_target() -> None:
    assert describe_gap(make_verdict("withheld"), "USD") == ""


def test_a_verdict_on_covered_lines_says_so() -> None:
    partly = make_verdict().model_copy(update={"basis": "covered_lines"})
    assert format_verdict(partly, "USD") == "Ask for USD 41,000 (covered lines only)"
    assert format_verdict(make_verdict("accept"), "USD") == "Accept USD 52,400"


def test_a_word_of_a_newer_service_is_passed_on() -> None:
    newer = make_verdict("sign_today").model_copy(update={"next_step": None})
    assert format_verdict(newer, "USD") == "Sign today"
    assert format_verdict(make_verdict("withheld"), "USD") == "No verdict"


def test_what_is_not_judged_is_named_with_its_amount_and_why() -> None:
    assert describe_uncovered_lines(make_coverage(), "USD") == "Onboarding, USD 3,500 (it is not a product)"


def test_recurring_and_one_off_stand_apart() -> None:
    parts = [
        VerdictPart(recurring=True, judged_amount=Decimal(1000), median=Decimal(900)),
        VerdictPart(recurring=False, judged_amount=Decimal(50), median=Decimal(60)),
    ]
    verdict = make_verdict().model_copy(update={"parts": parts})
    assert describe_parts(verdict, "USD") == [
        "Recurring: USD 1,000, median USD 900.",
        "One-time: USD 50, median USD 60.",
    ]


@pytest.mark.parametrize("word", ["accept", "consider", "negotiate", "withheld", "another"])
def test_every_verdict_is_drawn_with_its_reasons(word: str) -> None:
    def draw(word: str) -> None:
        from components.estimates.verdict import draw_verdict
        from tests.components.estimates.fixtures import make_coverage, make_verdict

        draw_verdict(make_verdict(word, "One reason.", "Two."), "USD", make_coverage())

    app = AppTest.from_function(draw, args=(word,)).run()
    assert not app.exception
    panels = [*app.success, *app.info, *app.warning]
    assert "One reason. Two." in panels[0].value
    assert "Onboarding" in app.caption[0].value


@pytest.mark.parametrize(
    ("total", "quantity", "months", "unit", "said"),
    [
        (18_000, 120, 12, "user", "USD 12.50 per user and month"),
        (18_000, 120, None, "user", "USD 150 per user"),
        (18_000, 120, 0, None, "USD 150 per unit"),
        (7, 1_000, 12, "call", "USD 0.000583 per call and month"),
    ],
)
def test_a_total_is_said_per_unit_and_month(
    total: int, quantity: int, months: int | None, unit: str | None, said: str
) -> None:
    assert format_total_per_unit(Decimal(total), Decimal(quantity), months, unit, "USD") == said


def test_a_price_between_two_percentiles_is_interpolated() -> None:
    estimate = make_percentiles()
    between = estimate.percentile50 + (estimate.percentile55 - estimate.percentile50) * Decimal("0.6")
    assert rank_price(estimate, between) == "percentile 53"


def test_a_price_that_many_percentiles_share_stands_in_their_middle() -> None:
    assert rank_price(flat(100), Decimal(100)) == "percentile 50"


def test_outside_the_known_percentiles_only_the_side_is_known() -> None:
    assert rank_price(flat(100), Decimal(99)) == "below percentile 10"
    assert rank_price(flat(100), Decimal(101)) == "above percentile 90"
