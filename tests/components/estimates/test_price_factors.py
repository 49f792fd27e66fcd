"""What stands beside an estimate is said in sentences."""

from datetime import timedelta
from decimal import Decimal

import pytest

from app.contract.pricing import QuotedPrice
from components.estimates.price_factors import FEW_LEARNT, describe_context, describe_warnings
from tests.components.estimates.fixtures import make_product_explanation
from tests.components.fixtures import NOON


@pytest.mark.parametrize(
    ("learnt_on", "beginning"),
    [
        (0, "Nothing was learnt from past purchases yet"),
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
    assert set(warnings) <= set(describe_context(product, "USD", NOON))


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
    assert "what it paid is learnt from at once, for your organisation alone" in said


@pytest.mark.parametrize(("days", "is_old"), [(700, False), (740, True), (5000, True)])
def test_a_range_of_old_prices_alone_is_said_to_be_one(days: int, is_old: bool) -> None:
    product = make_product_explanation().model_copy(
        update={"learnt_on": FEW_LEARNT, "newest": NOON.date() - timedelta(days)}
    )
    warnings = describe_warnings(product, NOON)
    assert any("how prices have changed since then is not known" in said for said in warnings) is is_old
    assert set(warnings) <= set(describe_context(product, "USD", NOON))


@pytest.mark.parametrize(
    ("recurring", "months", "said"),
    [
        (True, 12, "per unit and month (quoted, not paid): USD 14 for 10 on"),
        (False, None, "per unit (quoted, not paid): USD 14 for 10 on"),
        (True, None, "per unit and month (quoted, not paid): USD 14, paid once, for 10 on"),
        (False, 12, "per unit (quoted, not paid): USD 14 a month for 10 on"),
    ],
)
def test_another_quote_says_what_its_price_is_for_where_the_estimate_is_for_something_else(
    recurring: bool, months: int | None, said: str
) -> None:
    quote = QuotedPrice(
        scope_id="0197f0a0-0000-7000-8000-000000000001",
        quoted_on=NOON.date(),
        quantity=Decimal(10),
        term_months=None if months is None else Decimal(months),
        amount=Decimal(1680),
        unit_price=Decimal(14),
        currency="USD",
    )
    product = make_product_explanation().model_copy(update={"recurring": recurring, "quoted": [quote]})
    assert any(said in sentence for sentence in describe_context(product, "USD", NOON))
