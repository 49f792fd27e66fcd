"""The curve follows the percentiles."""

import re
from decimal import Decimal
from itertools import pairwise

import pytest

from app.contract.pricing import Percentiles
from components.estimates.price_distribution import (
    describe_distribution,
    estimate_density,
    get_chart_range,
    render_distribution,
    share_axis,
)
from tests.components.estimates.fixtures import make_percentiles


def read_names(drawn: str) -> list[tuple[str, str, str, str]]:
    """The side, the place, the height and the text of what is named above the axis."""
    return re.findall(r'<span class="(\w+)" style="left:([\d.]+)%;bottom:(\d+)%">(?:<b>)?([^<]+)', drawn)


def read_ticks(drawn: str) -> list[tuple[float, str]]:
    found = re.findall(r'class="tick \w+" style="left:([\d.]+)%">([^<]+)', drawn)
    return [(float(place), text) for place, text in found]


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
    names = read_names(render_distribution(same, "USD", None))
    assert [name for *_, name in names] == ["A quarter pay less", "Median", "A quarter pay more"]
    assert len({(side, height) for side, _, height, _ in names}) == 3


def test_a_long_tail_does_not_press_the_rest_together() -> None:
    steps = {f"percentile{at}": 100 + at for at in range(10, 85, 5)}
    tailed = Percentiles.model_validate(steps | {"percentile85": 400, "percentile90": 900})
    left, right = get_chart_range(tailed, None)
    assert right <= 900 + (900 - 110)
    assert left >= 0


@pytest.mark.parametrize("most", [0.004, 950, 40_000, 12_000_000])
def test_amounts_on_the_axis_are_written_in_full_and_apart(most: float) -> None:
    ticks = read_ticks(render_distribution(make_percentiles(median=most), "USD", None))
    assert 2 <= len(ticks) <= 4
    assert all(re.fullmatch(r"USD [\d,.]+", text) for _, text in ticks)
    assert all(after - before > 12 for (before, _), (after, _) in pairwise(ticks))


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
    left, right = get_chart_range(estimate, Decimal(quote))
    assert prices[-1] - prices[0] > 0.3 * (right - left)
    *_, (_, place, _, name) = read_names(render_distribution(estimate, "USD", Decimal(quote)))
    assert 0 <= float(place) <= 100
    assert name == text


def test_the_quote_is_marked_and_said() -> None:
    estimate = make_percentiles()
    left, right = get_chart_range(estimate, Decimal(52_400))
    *_, (_, place, _, _) = read_names(render_distribution(estimate, "USD", Decimal(52_400)))
    assert float(place) == pytest.approx(100 * (52_400 - left) / (right - left), abs=0.1)
    assert "USD 52,400" in describe_distribution(estimate, "USD", Decimal(52_400))


@pytest.mark.parametrize(("factor", "is_shared"), [(1, True), (3, True), (1_000, False)])
def test_charts_side_by_side_share_an_axis_while_each_curve_can_be_seen(factor: int, is_shared: bool) -> None:
    low, high = make_percentiles(50_000), make_percentiles(50_000 * factor)
    axis = share_axis([(low, None), (high, Decimal(60_000 * factor))])
    assert (axis is not None) == is_shared
    if axis is not None:
        drawn = render_distribution(low, "USD", Decimal(60_000 * factor), axis=axis)
        *_, (_, place, _, _) = read_names(drawn)
        expected = 100 * (60_000 * factor - axis[0]) / (axis[1] - axis[0])
        assert float(place) == pytest.approx(expected, abs=0.1)
        assert len(read_ticks(drawn)) <= 2


def test_a_quote_at_its_place_has_no_arrow_whatever_its_cents() -> None:
    drawn = render_distribution(make_percentiles(), "USD", Decimal("52400.60"))
    assert read_names(drawn)[-1][-1] == "Quote USD 52,401"
