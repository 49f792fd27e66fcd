from datetime import timedelta
from decimal import Decimal

from app.contract.negotiation import TimelineEntry
from components.negotiations.timeline import draw_timeline_entries
from tests.components.fixtures import NOON, make_id


def example() -> None:
    draw_timeline_entries(
        [
            TimelineEntry(
                id=make_id(600 + at),
                kind=kind,
                happened_at=NOON + timedelta(hours=at),
                recorded_at=NOON + timedelta(hours=at, minutes=9 * at),
                amount=Decimal(56_000) if kind == "quote" else None,
                text="The supplier's second offer." if kind == "quote" else None,
            )
            for at, kind in enumerate(("started", "planned", "quote"))
        ],
        "USD",
    )
