"""What the board and the table show of a negotiation."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from app.contract.money import format_money
from components.negotiations.negotiation_state import FINAL_STATES


@dataclass(frozen=True)
class NegotiationCard:
    """What is shown of a negotiation. Amounts are totals before tax; `currency` is empty where only the
    summary was read."""

    id: str
    supplier: str
    products: str
    status: str
    open_decisions: int
    updated_at: datetime | None
    currency: str
    quoted: Decimal | None
    best_offer: Decimal | None
    drafts: int
    target: Decimal | None
    agreed: Decimal | None
    saved: Decimal | None

    @property
    def at_stake(self) -> Decimal | None:
        """Return what would be paid if it ended now: the newest quote, else the target; None once it has
        ended."""
        if self.status in FINAL_STATES:
            return None
        return self.quoted if self.quoted is not None else self.target


def format_sums(amounts: Iterable[tuple[str, Decimal | None]]) -> str:
    """Return the sums of the amounts in each currency, such as `USD 12,000 + EUR 300`; "" where none is
    known."""
    sums: defaultdict[str, Decimal] = defaultdict(Decimal)
    for currency, amount in amounts:
        if amount is not None and currency:
            sums[currency] += amount
    return " + ".join(format_money(amount, currency) for currency, amount in sorted(sums.items()))
