"""A table of negotiations."""

from collections.abc import Sequence
from datetime import tzinfo

from app.contract.money import format_money
from components.elements.record_table import LEFT, RIGHT, Cell, RecordRow, draw_record_table
from components.formatting.counts import format_count
from components.formatting.datetimes import format_local_time
from components.negotiations.negotiation_card import NegotiationCard
from components.negotiations.negotiation_state import format_state


def draw_negotiation_table(cards: Sequence[NegotiationCard], *, zone: tzinfo) -> None:
    """Draw the negotiations."""
    draw_record_table(
        [RecordRow("negotiation", {"id": card.id}, _make_cells(card, zone)) for card in cards],
        alt=f"{format_count(len(cards), 'negotiation')}, newest first",
        columns={
            "Supplier": LEFT,
            "Products": LEFT,
            "State": LEFT,
            "Open decisions": RIGHT,
            "Quoted": RIGHT,
            "Best offer": RIGHT,
            "Target": RIGHT,
            "Agreed": RIGHT,
            "Saved": RIGHT,
            "Changed": RIGHT,
        },
    )


def _make_cells(card: NegotiationCard, zone: tzinfo) -> dict[str, Cell]:
    amounts = {
        "Quoted": card.quoted,
        "Best offer": card.best_offer,
        "Target": card.target,
        "Agreed": card.agreed,
        "Saved": card.saved,
    }
    return {
        "Supplier": card.supplier,
        "Products": card.products or None,
        "State": format_state(card.status),
        "Open decisions": card.open_decisions or None,
        "Changed": format_local_time(card.updated_at, zone),
        **{
            name: None if amount is None else format_money(amount, card.currency or "")
            for name, amount in amounts.items()
        },
    }
