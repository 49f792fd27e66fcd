from datetime import UTC
from decimal import Decimal

from app.contract.negotiation import TimelineEntry
from components.negotiations.update_form import draw_offer_correction
from tests.components.fixtures import NOON, make_id


def example() -> None:
    offer = TimelineEntry(
        id=make_id(900),
        kind="quote",
        happened_at=NOON,
        recorded_at=NOON,
        amount=Decimal(56_000),
    )
    draw_offer_correction([offer], "USD", UTC, key="example-correction")
