"""How sure an estimate is, and what would make it surer, is said in sentences."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from app.contract.pricing import FEW_LEARNT, UnknownDimension
from components.estimates.sureness import describe_sureness, describe_warnings
from tests.components.estimates.fixtures import make_product_explanation
from tests.components.fixtures import NOON, make_id


def test_each_question_on_how_sure_an_estimate_is_has_an_answer() -> None:
    product = make_product_explanation()
    answers = describe_sureness(product, NOON)
    assert list(answers) == ["How many?", "How close?", "How old?", "How right?", "How wide?"]
    assert answers["How many?"] == "214 purchases compared; 8 are of the same product, edition and unit."
    edition = {"unknown_dimensions": [UnknownDimension(id=make_id(9), name="Edition")]}
    open_edition = describe_sureness(product.model_copy(update=edition), NOON)
    assert open_edition["How many?"] == "214 purchases compared; 8 are of the same product and unit."
    assert product.accuracy is not None
    accuracy = product.accuracy.model_copy(update={"verdicts": 1_331, "wrong_verdicts": 22})
    measured = describe_sureness(product.model_copy(update={"accuracy": accuracy}), NOON)["How right?"]
    assert "median error of 6 % over 240 past prices" in measured
    assert "Of 1,331 verdicts on quotes made of past prices, 1.7 % were wrong." in measured


@pytest.mark.parametrize(
    ("days", "said"),
    [
        (None, "The newest is from 20 Nov 2026."),
        (0, "The newest is from 20 Nov 2026, and of the same product, edition and unit."),
        (
            1,
            "The newest is from 20 Nov 2026; the newest of the same product, edition and unit is from "
            "19 Nov 2026.",
        ),
    ],
)
def test_a_date_is_said_once(days: int | None, said: str) -> None:
    newest = date(2026, 11, 20)
    same = None if days is None else newest - timedelta(days)
    dates = {"newest": newest, "newest_like_for_like": same}
    product = make_product_explanation().model_copy(update=dates)
    assert describe_sureness(product, NOON)["How old?"] == said


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"like_for_like": 1},
            "Import purchases of the same product, edition and unit: a quote is judged by 5,",
        ),
        ({"sample": True}, "Import your own purchases."),
        ({"newest": NOON.date() - timedelta(days=800)}, "Import a purchase of the past 24 months."),
        ({"quantity": Decimal(90_000)}, "Import a purchase of about 90,000."),
        (
            {"unknown_dimensions": [UnknownDimension(id=make_id(9), name="Edition")]},
            "State what the price depends on: Edition.",
        ),
    ],
)
def test_what_is_missing_would_make_it_surer(changes: dict[str, object], said: str) -> None:
    product = make_product_explanation().model_copy(update=changes)
    assert said in describe_sureness(product, NOON)["What would make it surer?"]


@pytest.mark.parametrize(
    ("seconds", "when"), [(-30, "in about a minute"), (50, "in about a minute"), (61, "in about 2 minutes")]
)
@pytest.mark.parametrize("learnt_on", [0, 5_000])
def test_an_import_that_is_not_learnt_from_yet_is_said_to_be_one(
    seconds: int, when: str, learnt_on: int
) -> None:
    due = {"learnt_on": learnt_on, "learning_due": NOON + timedelta(seconds=seconds)}
    [said] = describe_warnings(make_product_explanation().model_copy(update=due), NOON)
    assert said.startswith(f"The latest import is not learnt from yet, {when}:")


@pytest.mark.parametrize(
    ("learnt_on", "beginning"),
    [
        (0, "Nothing was learnt from past purchases that every organisation here sees"),
        (12, "Only 12 past purchases were learnt from"),
        (FEW_LEARNT, None),
        (None, None),  # a service that does not say
    ],
)
def test_how_little_was_learnt_is_said(learnt_on: int | None, beginning: str | None) -> None:
    product = make_product_explanation().model_copy(update={"learnt_on": learnt_on, "newest": NOON.date()})
    warnings = describe_warnings(product, NOON)
    assert len(warnings) == (beginning is not None)
    assert all(said.startswith(beginning or "") for said in warnings)


@pytest.mark.parametrize(
    ("times", "said"), [(10, None), (11, "at most"), (Decimal("0.1"), None), (Decimal("0.09"), "at least")]
)
def test_a_quantity_far_from_those_of_the_purchases_is_said(times: Decimal, said: str | None) -> None:
    product = make_product_explanation()
    bought = [one.quantity for one in product.comparables]
    nearest = max(bought) if times > 1 else min(bought)
    asked = product.model_copy(
        update={"learnt_on": FEW_LEARNT, "newest": NOON.date(), "quantity": nearest * times}
    )
    warnings = describe_warnings(asked, NOON)
    assert len(warnings) == (said is not None)
    assert all(f"were of {said} {nearest:,}" in one for one in warnings)


def test_who_imports_for_the_own_organisation_is_told_what_is_learnt_from_it() -> None:
    product = make_product_explanation().model_copy(update={"learnt_on": 0, "newest": NOON.date()})
    [said] = describe_warnings(product, NOON)
    assert "ten comparable purchases are learnt from at once, for it alone" in said


@pytest.mark.parametrize(("days", "is_old"), [(700, False), (740, True), (5000, True)])
def test_a_range_of_old_prices_alone_is_said_to_be_one(days: int, is_old: bool) -> None:
    product = make_product_explanation().model_copy(
        update={"learnt_on": FEW_LEARNT, "newest": NOON.date() - timedelta(days)}
    )
    warnings = describe_warnings(product, NOON)
    assert any("how prices have changed since then is not known" in said for said in warnings) is is_old
