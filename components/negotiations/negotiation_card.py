"""What the board and the table show of a negotiation."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from app.contract.negotiation import ListedNegotiation, NegotiationSummary
from components.formatting.money import format_money
from components.negotiations.negotiation_state import FINAL_STATES, count_open_escalations, get_latest_figures

NegotiationRecord = ListedNegotiation | NegotiationSummary
"""A negotiation from the list, or read one by one where the deployment has no list."""


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


def make_card(record: NegotiationRecord) -> NegotiationCard:
    """Return the card of a negotiation."""
    listed = isinstance(record, ListedNegotiation)
    figures = record if listed else get_latest_figures(record.executive_summaries)
    return NegotiationCard(
        id=record.id,
        supplier=record.supplier.name or record.supplier.domain or "Supplier not known yet",
        products=", ".join((record.product_names if listed else record.scope.product_names) or ()),
        status=record.status,
        open_decisions=record.open_escalations if listed else count_open_escalations(record),
        updated_at=record.updated_at,
        currency=(record.currency or "") if listed else "",
        quoted=figures.quoted,
        best_offer=record.best_offer if listed else None,
        drafts=record.drafts if listed else 0,
        target=figures.target,
        agreed=figures.agreed,
        saved=figures.savings,
    )


def format_sums(amounts: Iterable[tuple[str, Decimal | None]]) -> str:
    """Return the sums of the amounts in each currency, such as `USD 12,000 + EUR 300`; "" where none is
    known."""
    sums: defaultdict[str, Decimal] = defaultdict(Decimal)
    for currency, amount in amounts:
        if amount is not None and currency:
            sums[currency] += amount
    return " + ".join(format_money(amount, currency) for currency, amount in sorted(sums.items()))
