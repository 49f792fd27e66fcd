"""What a board and a table need to know of a negotiation, whichever way it was read."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from app.contract.negotiation import ListedNegotiation, NegotiationSummary
from components.formatting.money import money
from components.negotiations.negotiation_state import FINAL, latest_figures, waiting

Known = ListedNegotiation | NegotiationSummary
"""As the list gives it, or read one by one where nothing lists them."""


@dataclass(frozen=True)
class Card:
    """Money is a total before tax; `currency` is empty where only the summary was read."""

    id: str
    supplier: str
    products: str
    status: str
    to_decide: int
    updated_at: datetime | None
    currency: str
    quoted: Decimal | None
    best: Decimal | None
    drafts: int
    target: Decimal | None
    agreed: Decimal | None
    saved: Decimal | None

    @property
    def at_stake(self) -> Decimal | None:
        """What would be paid if it ended now: the newest quote, else the target; nothing once it is over."""
        if self.status in FINAL:
            return None
        return self.quoted if self.quoted is not None else self.target


def card(known: Known) -> Card:
    """The card of a negotiation."""
    listed = isinstance(known, ListedNegotiation)
    figures = known if listed else latest_figures(known.executive_summaries)
    return Card(
        id=known.id,
        supplier=known.supplier.name or known.supplier.domain or "Supplier not known yet",
        products=", ".join((known.product_names if listed else known.scope.product_names) or ()),
        status=known.status,
        to_decide=known.open_escalations if listed else waiting(known),
        updated_at=known.updated_at,
        currency=(known.currency or "") if listed else "",
        quoted=figures.quoted,
        best=known.best_offer if listed else None,
        drafts=known.drafts if listed else 0,
        target=figures.target,
        agreed=figures.agreed,
        saved=figures.savings,
    )


def summed(amounts: Iterable[tuple[str, Decimal | None]]) -> str:
    """Amounts added within each currency, such as `USD 12,000 + EUR 300`; empty when none is known."""
    sums: defaultdict[str, Decimal] = defaultdict(Decimal)
    for currency, amount in amounts:
        if amount is not None and currency:
            sums[currency] += amount
    return " + ".join(money(amount, currency) for currency, amount in sorted(sums.items()))
