"""What of the prices of an agreement's lines is paid where its total is lower. Pure."""

from decimal import Decimal

from app.contract.agreements import NewAgreement

CENT = Decimal("0.01")
MAX_DISCOUNT = Decimal("0.5")
"""A larger share of the lines' prices that the total lacks is a doubt rather than a discount."""
NOT_KNOWN = "The lines cost more than the total (totalValue), and what was paid for each is not known."
"""Why a line has no price where `find_discounted_share` returns none."""


def find_discounted_share(agreed: NewAgreement) -> Decimal | None:
    """Return the share of the lines' prices that is paid: 1, less where the total is lower than its lines.
    None where that is too much for a discount, or lines without a price may have a share in it. A total that
    is higher holds something that no line does."""
    lines = agreed.lines or ()
    stated = [line.amount for line in lines if line.amount is not None]
    whole, total = sum(stated, Decimal(0)), agreed.total_value
    if total is None or whole - total <= CENT * len(lines):
        return Decimal(1)
    share = total / whole
    return share if share > 1 - MAX_DISCOUNT and len(stated) == len(lines) else None
