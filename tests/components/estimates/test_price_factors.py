"""What stands beside an estimate is said in sentences."""

import pytest

from components.estimates.fixtures import make_product_explanation
from components.estimates.price_factors import FEW_LEARNT, describe_context, describe_few_learnt


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
    product = make_product_explanation().model_copy(update={"learnt_on": learnt_on})
    said = describe_few_learnt(product)
    assert said is None if beginning is None else said is not None and said.startswith(beginning)
    context = describe_context(product, "USD")
    assert (said in context) is (said is not None)
