"""A number that may also be a text is written as it was read."""

from decimal import Decimal

import pytest

from app.contract.scope import DimensionValue, ReadValue

IDENT = "00000000-0000-4000-8000-000000000001"


@pytest.mark.parametrize(("value", "written"), [(Decimal(120), 120), (Decimal("1.5"), 1.5), ("2", "2")])
def test_a_dimension_is_written_without_a_warning(value: Decimal | str, written: object) -> None:
    assert DimensionValue(id=IDENT, value=value).wire() == {"id": IDENT, "value": written}


@pytest.mark.parametrize("value", [1, 0, True, "1"])
def test_a_value_that_was_read_stays_what_it_was(value: object) -> None:
    read = ReadValue.model_validate({"name": "quantity", "value": value})
    assert type(read.wire()["value"]) is type(value)
