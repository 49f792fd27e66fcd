"""How far purchases may be from what is asked for, in age and quantity, and still say what it costs."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import TypeVar

from .dates import DAYS_IN_MONTH

Quantity = TypeVar("Quantity", float, Decimal)

MAX_AGE_MONTHS = 24
"""The greatest age in months of the newest purchase: how prices changed since is not known beyond that."""
MAX_QUANTITY_RATIO = 10
"""How many times the largest quantity of the purchases may be asked for, and how many times what is asked for
the smallest may be: how the price changes with the quantity is not known beyond that."""

MAX_TERM_RATIO = 10
"""How many times the longest term of the purchases may be asked for."""


def is_too_old(purchased_on: date, today: date) -> bool:
    """Whether a purchase is more than `MAX_AGE_MONTHS` old."""
    return (today - purchased_on).days > MAX_AGE_MONTHS * DAYS_IN_MONTH


def find_far_quantity(asked: Quantity, bought: Sequence[Quantity]) -> Quantity | None:
    """The nearest of the quantities that were bought where even that is more than `MAX_QUANTITY_RATIO` times
    from what is asked for; None where it is not, or nothing was bought."""
    if not bought or min(bought) / MAX_QUANTITY_RATIO <= asked <= MAX_QUANTITY_RATIO * max(bought):
        return None
    return max(bought) if asked > max(bought) else min(bought)
