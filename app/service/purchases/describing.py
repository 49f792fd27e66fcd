"""What a purchase of a file would put on record, as values and in words."""

from decimal import Decimal
from typing import Any

from app.contract.dates import format_day
from app.contract.money import format_count, format_exact_money, format_exact_quantity
from app.service.charges.charge import MONTHS_PER
from app.service.purchase_records import Purchase


def list_values(purchase: Purchase) -> dict[str, Any]:
    """Return the values as JSON. `unitPrice` is for `per`, `amount` is the total over `months`, and all of it
    is before tax."""
    values: dict[str, Any] = {
        "date": purchase.purchase_date.isoformat(),
        "supplier": purchase.supplier,
        "product": purchase.product,
        "productKey": purchase.product_key,
        "orderId": purchase.order_id,
        "quantity": float(purchase.quantity),
        "unit": purchase.unit,
        "unitPrice": float(purchase.unit_price),
        "per": purchase.price_period,
        "months": purchase.term_months,
        "amount": float(purchase.total_price),
        "currency": purchase.currency,
        "tax": "before tax",
    }
    return {name: value for name, value in values.items() if value is not None}


def describe_purchase(purchase: Purchase, currency: str) -> str:
    """Return it as a sentence without its end, such as `400 users × EUR 56.77 a month × 12 months = EUR
    272,496 from Nordlicht, 3 March 2026`; `currency` is empty while nobody has said which it is."""
    unit = f" {purchase.unit}" if purchase.unit else ""
    per, months = purchase.price_period, purchase.term_months
    factors = [
        f"{format_exact_quantity(purchase.quantity.normalize())}{unit}",
        _format(purchase.unit_price, currency) + (f" a {per}" if per in MONTHS_PER else ""),
    ]
    if months is not None:
        term = format_count(months, "month")
        factors.append(term if per in MONTHS_PER else f"for {term}")
    total = _format(purchase.total_price, currency)
    calculation = " × ".join(factors).replace(" × for ", " for ")
    day = format_day(purchase.purchase_date)
    return f"{purchase.product}: {calculation} = {total} from {purchase.supplier}, {day}"


def _format(amount: Decimal, currency: str) -> str:
    return format_exact_money(round(amount, 6), currency).strip()
