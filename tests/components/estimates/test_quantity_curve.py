from decimal import Decimal

from components.estimates.what_if import (
    QuantityCurve,
    QuantityPoint,
    describe_quantity_curve,
    make_quantity_figure,
)


def point(quantity: int, median: str) -> QuantityPoint:
    middle = Decimal(median)
    return QuantityPoint(Decimal(quantity), middle * Decimal("0.9"), middle, middle * Decimal("1.2"))


def curve(*points: QuantityPoint, present: QuantityPoint) -> QuantityCurve:
    return QuantityCurve(points, present, "user", True, "USD")


def test_the_ends_are_told_beside_the_present_quantity() -> None:
    few, now, many = point(10, "12.50"), point(100, "10"), point(500, "8.5")
    assert describe_quantity_curve(curve(few, now, many, present=now)) == [
        "At 100: USD 10 per user and month.",
        "At 10: USD 12.50, 25 % more.",
        "At 500: USD 8.50, 15 % less.",
    ]


def test_a_price_that_hardly_changes_is_said_to_be_the_same() -> None:
    now, many = point(100, "10"), point(500, "9.95")
    assert describe_quantity_curve(curve(now, many, present=now))[1:] == [
        "At 500: USD 9.95, the same within 1 %."
    ]


def test_the_band_goes_around_the_median_and_the_present_quantity_is_marked() -> None:
    few, now = point(10, "12.50"), point(100, "10")
    figure = make_quantity_figure(curve(few, now, present=now))
    band, median = figure["data"]
    assert (band["x"], band["y"]) == ([10, 100, 100, 10], [15.0, 12.0, 9.0, 11.25])
    assert (median["x"], median["y"]) == ([10, 100], [12.5, 10])
    assert figure["layout"]["shapes"][0]["x0"] == 100


def test_quantities_far_apart_are_drawn_by_ratio() -> None:
    few, now = point(1, "12.50"), point(1000, "10")
    assert make_quantity_figure(curve(few, now, present=now))["layout"]["xaxis"]["type"] == "log"
