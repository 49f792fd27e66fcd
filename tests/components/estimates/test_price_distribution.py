"""The curve follows the percentiles."""

from decimal import Decimal

import pytest

from app.contract.pricing import Percentiles
from components.estimates.price_distribution import (
    describe_distribution,
    estimate_density,
    make_distribution_figure,
    share_axis,
)
from tests.components.estimates.fixtures import make_percentiles


def test_the_curve_peaks_near_the_median() -> None:
    prices, heights = estimate_density(make_percentiles(median=48_000))
    assert prices[heights.index(1.0)] == pytest.approx(48_000, rel=0.03)


def test_half_of_the_area_lies_between_the_quartiles() -> None:
    estimate = make_percentiles(step=0.05)
    prices, heights = estimate_density(estimate)
    logs = [(prices[at + 1] / prices[at]) for at in range(len(prices) - 1)]
    areas = [heights[at] * (logs[at] - 1) for at in range(len(logs))]
    inside = sum(
        area
        for price, area in zip(prices, areas, strict=False)
        if float(estimate.percentile25) <= price <= float(estimate.percentile75)
    )
    assert inside / sum(areas) == pytest.approx(0.5, abs=0.06)


def test_one_price_for_all_is_a_peak_and_no_error() -> None:
    same = Percentiles.model_validate({f"percentile{at}": 100 for at in range(10, 95, 5)})
    prices, heights = estimate_density(same)
    assert prices[heights.index(1.0)] == pytest.approx(100, rel=0.01)
    assert prices[0] < 100 < prices[-1]


def test_names_of_prices_that_are_near_stay_apart() -> None:
    same = Percentiles.model_validate({f"percentile{at}": 100 for at in range(10, 95, 5)})
    notes = make_distribution_figure(same, "USD", None)["layout"]["annotations"]
    assert [note["text"] for note in notes] == ["A quarter pay less", "Median", "A quarter pay more"]
    assert len({(note["xanchor"], note["y"]) for note in notes}) == 3


def test_a_long_tail_does_not_press_the_rest_together() -> None:
    steps = {f"percentile{at}": 100 + at for at in range(10, 85, 5)}
    tailed = Percentiles.model_validate(steps | {"percentile85": 400, "percentile90": 900})
    left, right = make_distribution_figure(tailed, "USD", None)["layout"]["xaxis"]["range"]
    assert right <= 900 + (900 - 110)
    assert left >= 0


def test_a_price_of_nothing_is_drawn_as_well() -> None:
    free = Percentiles.model_validate({f"percentile{at}": 0 for at in range(10, 95, 5)})
    assert len(estimate_density(free)[0]) > 0


@pytest.mark.parametrize(
    ("quote", "text"),
    [(100, "Quote USD 100"), (900_000, "Quote USD 900,000 →"), (52_400, "Quote USD 52,400")],
)
def test_a_quote_far_off_stands_at_the_edge_and_leaves_the_curve_its_room(quote: int, text: str) -> None:
    estimate = make_percentiles()
    prices, _ = estimate_density(estimate)
    layout = make_distribution_figure(estimate, "USD", Decimal(quote))["layout"]
    left, right = layout["xaxis"]["range"]
    assert prices[-1] - prices[0] > 0.3 * (right - left)
    assert left <= layout["shapes"][-1]["x0"] <= right
    assert layout["annotations"][-1]["text"] == text


def test_the_quote_is_marked_and_said() -> None:
    estimate = make_percentiles()
    drawn = make_distribution_figure(estimate, "USD", Decimal(52_400))
    assert drawn["layout"]["shapes"][-1]["x0"] == 52_400
    assert "USD 52,400" in describe_distribution(estimate, "USD", Decimal(52_400))


@pytest.mark.parametrize(("factor", "is_shared"), [(1, True), (3, True), (1_000, False)])
def test_charts_side_by_side_share_an_axis_while_each_curve_can_be_seen(factor: int, is_shared: bool) -> None:
    low, high = make_percentiles(50_000), make_percentiles(50_000 * factor)
    axis = share_axis([(low, None), (high, Decimal(60_000 * factor))])
    assert (axis is not None) == is_shared
    if axis is not None:
        layout = make_distribution_figure(low, "USD", Decimal(60_000 * factor), axis=axis)["layout"]
        assert layout["xaxis"]["range"] == [*axis]
        assert axis[0] <= layout["shapes"][-1]["x0"] == 60_000 * factor <= axis[1]


def test_a_quote_at_its_place_has_no_arrow_whatever_its_cents() -> None:
    layout = make_distribution_figure(make_percentiles(), "USD", Decimal("52400.60"))["layout"]
    assert layout["annotations"][-1]["text"] == "Quote USD 52,401"
