"""Everything that happened in a negotiation, newest first."""

from collections.abc import Sequence
from datetime import timedelta, tzinfo
from decimal import Decimal

import streamlit as st

from app.contract.negotiation import TimelineEntry
from components import specimens
from components.moments import exact, local
from components.money import money
from components.plain import plain

_LOOKS = {
    "started": ("flag", "Started"),
    "planned": ("lightbulb", "Strategy ready"),
    "state": ("trending_flat", "State"),
    "quote": ("request_quote", "Offer"),
    "message": ("chat", "Message"),
    "decision": ("gavel", "Decision"),
    "agreement": ("task_alt", "Agreement"),
    "cancellation": ("block", "Cancellation"),
    "note": ("sticky_note_2", "Note"),
    "attachment": ("attach_file", "File"),
    "mail": ("mail", "Mail"),
    "refused": ("do_not_disturb_on", "Refused"),
}
_LATE = timedelta(minutes=5)


def draw_timeline_entries(entries: Sequence[TimelineEntry], currency: str, zone: tzinfo) -> None:
    """One line for each, with its amount; what was recorded late says so."""
    for entry in reversed(entries):
        icon, name = _LOOKS.get(entry.kind, ("circle", entry.kind.replace("_", " ")))
        amount = f" **{plain(money(entry.amount, entry.currency or currency))}**" if entry.amount else ""
        said = f" {plain(entry.text)}" if entry.text else ""
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(local(entry.happened_at, zone), help=exact(entry.happened_at) or None, width="content")
            st.markdown(f":material/{icon}: {plain(name)}{amount}{said}", width="content")
            if was_late(entry):
                st.caption(f"recorded {local(entry.recorded_at, zone)}", width="content")


def was_late(entry: TimelineEntry) -> bool:
    """Whether it was put on record well after it happened."""
    if entry.happened_at is None or entry.recorded_at is None:
        return False
    return entry.recorded_at - entry.happened_at > _LATE


def example() -> None:
    draw_timeline_entries(
        [
            TimelineEntry(
                id=specimens.identity(600 + at),
                kind=kind,
                happened_at=specimens.NOON + timedelta(hours=at),
                recorded_at=specimens.NOON + timedelta(hours=at, minutes=9 * at),
                amount=Decimal(56_000) if kind == "quote" else None,
                text="The supplier's second offer." if kind == "quote" else None,
            )
            for at, kind in enumerate(("started", "planned", "quote"))
        ],
        "USD",
        specimens.ZONE,
    )
