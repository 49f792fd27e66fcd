"""What stands beside an estimate is said in sentences."""

from decimal import Decimal

import pytest

from app.contract.pricing import QuotedPrice
from components.estimates.sureness import describe_context
from tests.components.estimates.fixtures import make_product_explanation
from tests.components.fixtures import NOON


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
    assert any(said in sentence for sentence in describe_context(product, "USD"))
