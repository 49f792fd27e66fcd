"""What the board and the table show of a negotiation, from the list or from a summary."""

from app.contract.negotiation import ListedNegotiation, NegotiationSummary
from app.dashboard.negotiations.figures import get_latest_figures
from components.negotiations.negotiation_card import NegotiationCard

NegotiationRecord = ListedNegotiation | NegotiationSummary
"""A negotiation from the list, or read one by one where the deployment has no list."""


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


def count_open_escalations(negotiation: NegotiationSummary) -> int:
    """Return how many decisions are open."""
    return sum(escalation.status == "open" for escalation in negotiation.escalations)
