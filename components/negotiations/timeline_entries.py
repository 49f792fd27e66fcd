"""The timeline of a negotiation, newest first."""

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta, tzinfo
from decimal import Decimal
from typing import Any

import streamlit as st

from app.contract.money import format_money
from app.contract.negotiation import Timeline, TimelineEntry
from components.formatting.datetimes import format_local_time, format_utc
from components.formatting.escape_markdown import escape_markdown
from components.formatting.terms import format_months
from components.formatting.unit_price import format_total_per_unit
from components.negotiations.negotiation_state import format_state

_KIND_STYLES = {
    "started": ("flag", "Started"),
    "planned": ("lightbulb", "Strategy ready"),
    "state": ("trending_flat", "State"),
    "quote": ("request_quote", "Offer"),
    "message": ("chat", "Message"),
    "decision": ("gavel", "Decision"),
    "agreement": ("task_alt", "Agreed price"),
    "strategy": ("tune", "Numbers"),
    "correction": ("edit", "Correction"),
    "purchase": ("shopping_bag", "Purchase"),
    "cancellation": ("block", "Cancellation"),
    "note": ("sticky_note_2", "Note"),
    "attachment": ("attach_file", "File"),
    "mail": ("mail", "Mail"),
    "refused": ("do_not_disturb_on", "Refused"),
}
_LATE_AFTER = timedelta(minutes=5)
_STATE = re.compile(r"\b(?:planning|pending|active|complete|cancelled)\b")


def draw_timeline_entries(
    entries: Sequence[TimelineEntry], currency: str, zone: tzinfo, *, timeline: Timeline | None = None
) -> None:
    """Draw a line for each entry with its amount, and the time of recording where that was much later. With a
    `timeline` that states what is bought, also the price per unit and month."""
    replaced = find_replaced_amounts(entries)
    for entry in reversed(entries):
        icon, name = _get_style(entry)
        amount = (
            _mark_amount(entry, format_money(entry.amount, entry.currency or currency))
            if entry.amount
            else ""
        )
        words = describe_entry(entry)
        if before := replaced.get(entry.id):
            words = f"instead of {format_money(before, entry.currency or currency)}, {words}"
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(
                format_local_time(entry.happened_at, zone),
                help=format_utc(entry.happened_at) or None,
                width="content",
            )
            st.markdown(
                f":material/{icon}: **{escape_markdown(name)}**{amount}"
                f"{' ' + escape_markdown(words) if words else ''}",
                width="content",
            )
            if per := format_entry_unit_price(entry, currency, timeline):
                st.caption(escape_markdown(per), width="content")
            if entry.status:
                st.badge(entry.status, color="gray")
            if is_recorded_late(entry):
                st.caption(f"recorded {format_local_time(entry.recorded_at, zone)}", width="content")


def find_replaced_amounts(entries: Sequence[TimelineEntry]) -> dict[str, Decimal]:
    """Return the amount that each correction replaced, by the id of the correction."""
    # An entry that was recorded before another has the lower id.
    amounts: dict[str, Decimal] = {}
    replaced: dict[str, Decimal] = {}
    for entry in sorted(entries, key=lambda entry: entry.id):
        offer = entry.corrects or entry.id
        if entry.corrects and entry.amount is not None and amounts.get(offer) not in {None, entry.amount}:
            replaced[entry.id] = amounts[offer]
        if entry.amount is not None:
            amounts[offer] = entry.amount
    return replaced


def _get_style(entry: TimelineEntry) -> tuple[str, str]:
    """Return the icon and the name of an entry."""
    if entry.kind == "decision" and entry.amount is not None:
        return "reply", "Our counter-offer"
    return _KIND_STYLES.get(entry.kind, ("circle", entry.kind.replace("_", " ")))


def _mark_amount(entry: TimelineEntry, amount: str) -> str:
    """Return the amount in bold, struck through where it was corrected or withdrawn."""
    mark = "~~" if entry.status else "**"
    return f" {mark}{escape_markdown(amount)}{mark}"


def format_entry_unit_price(entry: TimelineEntry, currency: str, timeline: Timeline | None) -> str:
    """Return an offered or agreed price per unit and month, for its own term and quantity where it
    states them; "" where they are not known."""
    if entry.kind not in {"quote", "agreement"} or entry.amount is None or timeline is None:
        return ""
    payload = entry.payload or {}
    months: int | None = payload.get("termLength") or timeline.term_months
    lines: list[dict[str, Any]] = payload.get("lines") or []
    stated: list[float | None] = [line.get("quantity") for line in lines]
    quantity = Decimal(str(stated[0])) if len(stated) == 1 and stated[0] else timeline.quantity
    if not quantity or not months or len(stated) > 1:
        return ""
    return format_total_per_unit(entry.amount, quantity, months, None, entry.currency or currency)


def describe_entry(entry: TimelineEntry) -> str:
    """Return what an entry says besides its kind and amount."""
    payload = entry.payload or {}
    if entry.kind == "state":
        return _STATE.sub(lambda match: format_state(match[0]), entry.text or "")
    if entry.kind == "quote":
        parts = [*_describe_terms(payload), str(payload.get("note") or entry.text or "")]
        return ", ".join(part for part in parts if part)
    if entry.kind == "correction":
        what = ["withdrawn" if payload.get("withdrawn") else "corrected", *_describe_terms(payload)]
        return ": ".join(part for part in (", ".join(what), str(payload.get("note") or "")) if part)
    if entry.kind == "decision" and entry.amount is not None:
        return str(payload.get("note") or "")
    if entry.kind == "decision":
        return ": ".join(
            str(part) for part in (payload.get("decision"), payload.get("note")) if part
        ).replace("_", " ")
    if entry.kind == "message":
        sender = f"{payload['from']}: " if payload.get("from") else ""
        return sender + (entry.text or "")
    return entry.text or str(payload.get("reason") or "")


def _describe_terms(payload: Mapping[str, Any]) -> list[str]:
    """Return the term and the last day of an offer, as far as it states them."""
    term, until = payload.get("termLength"), payload.get("validUntil")
    terms = [f"for {format_months(term)}"] if isinstance(term, int) else []
    return [*terms, f"valid until {until}"] if until else terms


def is_recorded_late(entry: TimelineEntry) -> bool:
    """Return whether the entry was recorded well after it happened."""
    if entry.happened_at is None or entry.recorded_at is None:
        return False
    return entry.recorded_at - entry.happened_at > _LATE_AFTER
