from decimal import Decimal

from components.estimates.what_if import QuantityCurve, QuantityPoint, draw_quantity_curve


def example() -> None:
    prices = {10: Decimal(41), 40: Decimal(37), 120: Decimal(33), 600: Decimal(29)}
    points = [
        QuantityPoint(Decimal(quantity), price - 3, price, price + 4) for quantity, price in prices.items()
    ]
    draw_quantity_curve(QuantityCurve(points, points[2], "user", True, "USD"), key="example-quantity-curve")
