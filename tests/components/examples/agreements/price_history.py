from datetime import date
from decimal import Decimal

from app.contract.agreement_purchases import PriceHistory, PriceLine, PricePoint
from components.agreements.portfolio import draw_price_history


def example() -> None:
    points = [
        PricePoint(
            purchase_id=f"01890000-0000-7000-8000-00000000000{number}",
            purchase_date=date(2024 + number, 4, 1),
            unit_price=Decimal(price),
            quantity=Decimal(100),
            term_months=12,
            agreement_id="01890000-0000-7000-8000-000000000009" if number else None,
            agreement_name="Suite for sales" if number else None,
        )
        for number, price in enumerate(("12.5", "13.1", "11.9"))
    ]
    line = PriceLine(
        company_id="01890000-0000-7000-8000-000000000001",
        supplier="Northgate Ltd",
        product_id="01890000-0000-7000-8000-000000000002",
        product_name="Northgate Analytics",
        unit="user",
        currency="USD",
        recurring=True,
        points=points,
        doubts=["Edition differs (Basic, Plus): these prices may not be for the same thing."],
    )
    draw_price_history(PriceHistory(lines=[line], doubts=[]), key="price-history")
