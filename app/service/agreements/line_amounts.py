"""What a line of an agreement costs for the term, by the price of one unit. Pure."""

from decimal import Decimal

from app.contract.agreements import LinePricePer
from app.service.charges.amount import to_decimal
from app.service.charges.charge import count_periods
from app.service.purchases.purchase_terms import find_paid_period

_CENT = Decimal("0.01")


def price_line(
    unit_price: Decimal, quantity: Decimal, per: LinePricePer, months: int | None
) -> Decimal | None:
    """Return what so many units cost, each for so much; None where that is paid again and the length of the
    term is not known."""
    paid = find_paid_period(per)
    periods = count_periods(paid.period, months) if paid else None
    return (
        None
        if paid is None or periods is None
        else (unit_price * quantity * to_decimal(periods * paid.times)).quantize(_CENT)
    )
