"""The sentence on lines that no estimate covers adds up amounts only where it knows all of them."""

import pytest
from streamlit.testing.v1 import AppTest


def draw(amounts: list[int | None]) -> None:
    from decimal import Decimal

    from app.contract.scope import UncoveredLine
    from components.documents.review_form import draw_unestimated_lines

    known = [None if amount is None else Decimal(amount) for amount in amounts]
    draw_unestimated_lines(
        [UncoveredLine(description="Freight", amount=amount, why="left out") for amount in known], "USD"
    )


@pytest.mark.parametrize(("amounts", "is_added"), [([20, 30], True), ([20, None], False), ([20], False)])
def test_a_sum_is_of_all_lines(amounts: list[int | None], *, is_added: bool) -> None:
    [caption] = AppTest.from_function(draw, kwargs={"amounts": amounts}).run().caption
    assert ("in total" in caption.value) == is_added
