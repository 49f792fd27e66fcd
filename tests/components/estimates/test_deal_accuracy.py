"""What is said of most estimates is true of more than half of them."""

import pytest
from streamlit.testing.v1 import AppTest


def draw(errors: list[str]) -> None:
    from decimal import Decimal
    from statistics import median

    from app.contract.savings import DealAccuracy, DealEstimate
    from components.estimates.sureness import draw_deal_accuracy
    from tests.components.fixtures import NOON, make_id

    known = [Decimal(error) for error in errors]
    compared = [
        DealEstimate(
            negotiation_id=make_id(at),
            supplier="Northgate Ltd",
            estimated_at=NOON,
            signed_at=NOON,
            currency="USD",
            median=1000 * (1 + error),
            paid=Decimal(1000),
            error=error,
        )
        for at, error in enumerate(known, start=1)
    ]
    mdape, bias = median(abs(error) for error in known), median(known)
    figures = DealAccuracy(
        deals=len(errors), mdape=mdape, bias=bias, statement="Compared.", compared=compared, uncounted=[]
    )
    draw_deal_accuracy(figures)


@pytest.mark.parametrize(
    ("errors", "said"),
    [
        (["0.1", "0.1", "0.2", "-0.1", "0.3"], "Most estimates were too high."),
        (["-0.1", "-0.1", "-0.2", "-0.1", "0.3", "0.4"], "Most estimates were too low."),
        (["-0.1", "-0.1", "-0.1", "0.3", "0.3", "0.3"], None),
    ],
)
def test_most_are_more_than_half(errors: list[str], said: str | None) -> None:
    page = AppTest.from_function(draw, kwargs={"errors": errors}).run()
    [told] = [one.value for one in page.markdown if "The median error" in one.value]
    assert ("Most" in told) == (said is not None)
    assert (said or "") in told
