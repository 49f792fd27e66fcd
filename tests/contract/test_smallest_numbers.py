"""A number that is all but 0 is refused with its place and its bound, wherever one is given."""

from decimal import Decimal

import pytest
from pydantic import BaseModel, ValidationError

from app.contract.validation_messages import describe_faults
from app.contract.values import Amount, Percentage, Positive, Quantity


class Given(BaseModel):
    amount: Amount = Decimal(1)
    quantity: Quantity = Decimal(1)
    positive: Positive = Decimal(1)
    percentage: Percentage = Decimal(1)


@pytest.mark.parametrize("place", Given.model_fields)
@pytest.mark.parametrize("value", [5e-324, 1e-320, 9.9e-13])
def test_a_number_that_is_all_but_nothing_is_refused(place: str, value: float) -> None:
    with pytest.raises(ValidationError) as refused:
        Given.model_validate({place: value})
    assert describe_faults(refused.value) == f"{place} must be at least 0.000000000001 where it is not 0"


@pytest.mark.parametrize("value", [0, 1e-12, 0.5])
def test_nothing_and_small_numbers_are_taken(value: float) -> None:
    given = Given.model_validate({"amount": value, "quantity": value, "percentage": value})
    assert given.amount == given.quantity == given.percentage == Decimal(str(value))
