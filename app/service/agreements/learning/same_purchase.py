"""Whether a purchase on record is the one that an agreement's line describes. Pure.

It surely is where supplier, product, currency, quantity and price are the same, and the day or the number of
the order too. Where only some of that agrees, it may be the same: then both stay, and a person is told."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from app.service.agreements.learning.line_purchases import LinePurchase
from app.service.charges.charge import count_periods
from app.service.purchase_records.records import PricePeriod

Likeness = Literal["same", "possibly_same"]

NEAR = timedelta(days=92)
"""How far apart the days of an order and of its agreement may lie."""
NEAR_PRICE = 0.25
_HALF_CENT, _CENT = 0.005, 0.01
_ORDER_NUMBER = re.compile(r"(?=.*\d)[\w./-]{4,}")


@dataclass(frozen=True, slots=True)
class RecordedPurchase:
    """A purchase on record of the same product and currency."""

    id: str
    product_id: str
    currency: str
    purchase_date: date
    quantity: float
    unit_price: float
    price_period: PricePeriod
    term_months: int | None
    order_id: str | None

    def count_periods(self, months: int | None) -> float:
        """How many price periods were paid, in so many months where it states none itself."""
        return float(count_periods(self.price_period, self.term_months or months) or 1)


def compare(bought: LinePurchase, recorded: RecordedPurchase, names: Iterable[str]) -> Likeness | None:
    """Say whether a purchase is that of a line; `names` are those of the agreement, in which the number of an
    order may stand. None where it is another one."""
    if recorded.product_id != bought.product.id or recorded.currency != bought.currency:
        return None
    has_number = _names_order(names, recorded.order_id)
    apart = abs(recorded.purchase_date - bought.purchase_date)
    same_quantity = abs(recorded.quantity - bought.quantity) <= 1e-6 * bought.quantity
    # An order that states no term may be of any.
    periods = recorded.count_periods(bought.term_months)
    total = recorded.unit_price * recorded.quantity * periods
    tolerance = _HALF_CENT * recorded.quantity * periods + _CENT
    same_price = same_quantity and abs(total - bought.amount) <= tolerance
    same_term = recorded.term_months in (None, bought.term_months)
    if same_price and same_term and (has_number or not apart):
        return "same"
    near_price = same_quantity and abs(total - bought.amount) <= NEAR_PRICE * bought.amount
    if has_number or (same_price and apart <= NEAR) or (near_price and not apart):
        return "possibly_same"
    return None


def _names_order(names: Iterable[str], order_id: str | None) -> bool:
    """Say whether a name holds the number of an order as a word of its own."""
    if order_id is None or _ORDER_NUMBER.fullmatch(order_id) is None:
        return False
    word = re.compile(rf"(?<![\w./-]){re.escape(order_id)}(?![\w./-])", re.IGNORECASE)
    return any(word.search(name) for name in names)


def _decide(likeness: Likeness | None, decision: bool | None) -> Likeness | None:
    if likeness != "possibly_same" or decision is None:
        return likeness
    return "same" if decision else None


def match_lines(
    lines: Sequence[LinePurchase],
    recorded: Sequence[RecordedPurchase],
    names: Sequence[str],
    decided: Mapping[tuple[int, str], bool],
) -> tuple[dict[int, str], dict[int, list[str]]]:
    """Return by line the id of the purchase that it surely is, each purchase for one line alone, and the ids
    of those that it may be. Of what may be the same, `decided` says by line and purchase whether a person
    says that it is."""
    same: dict[int, str] = {}
    alike: dict[int, list[str]] = {}
    for bought in lines:
        found = {
            one.id: _decide(compare(bought, one, names), decided.get((bought.line, one.id)))
            for one in recorded
        }
        free = [key for key, likeness in found.items() if likeness == "same" and key not in same.values()]
        if free:
            same[bought.line] = free[0]
        else:
            alike[bought.line] = [key for key, likeness in found.items() if likeness == "possibly_same"]
    return same, alike
