"""Where the entries of the start page lead: what waits, and what changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta, tzinfo

import streamlit as st

from app.contract.overview import OverviewChange, WaitingGroup, WaitingItem
from app.dashboard import navigation
from components.elements.page_header import Colour
from components.formatting import datetimes
from components.formatting.counts import format_count, format_date

SENTENCES = {
    "document_read": ("was read", "description"),
    "document_failed": ("could not be read", "error"),
    "offer": ("made an offer", "request_quote"),
    "decision_needed": ("needs a decision", "pending_actions"),
    "agreement": ("agreed", "handshake"),
    "cancellation": ("negotiation was cancelled", "cancel"),
}
"""What happened, after the name of the document or the supplier, and an icon."""


def draw_change_links(changes: Sequence[OverviewChange], zone: tzinfo) -> None:
    """Draw a link for each change, in the given order."""
    for change in changes:
        if change.kind not in SENTENCES:
            continue
        happened, icon = SENTENCES[change.kind]
        when = datetimes.format_local_time(change.happened_at, zone)
        reason = f"{change.detail} · {when}" if change.detail else when
        page = "scope" if change.scope_id else "negotiation"
        record_id = change.scope_id or change.negotiation_id or ""
        navigation.draw_link_with_note(
            page, f"{change.name} {happened}", reason, icon=f":material/{icon}:", id=record_id
        )


@dataclass(frozen=True)
class WaitingKindShown:
    """How a kind is shown: its title, its icon and colour, and the page with all of it, with its query."""

    title: str
    icon: str
    colour: Colour
    page: str
    query: Mapping[str, str] = field(default_factory=dict[str, str])


KINDS = {
    "approval": WaitingKindShown("To be approved by two", "how_to_reg", "orange", "approvals"),
    "decision": WaitingKindShown("Decisions", "pending_actions", "orange", "negotiations"),
    "deadline": WaitingKindShown("Contracts to act on", "event_upcoming", "orange", "agreements"),
    "expiring": WaitingKindShown("Offers that end soon", "event_busy", "orange", "negotiations"),
    "review": WaitingKindShown(
        "Quotes to review", "fact_check", "blue", "scopes", {"scope-status": "Waiting for review"}
    ),
    "unreadable": WaitingKindShown(
        "Quotes that could not be read", "error", "red", "scopes", {"scope-status": "Could not be read"}
    ),
    "reading": WaitingKindShown(
        "Quotes that are being read", "hourglass_top", "blue", "scopes", {"scope-status": "Being read"}
    ),
    "draft": WaitingKindShown("Letters to send", "drafts", "blue", "negotiations"),
    "webhook": WaitingKindShown("Failing webhooks", "error", "red", "webhooks"),
}
"""Kinds that a newer service has are left out: nobody here knows where they are dealt with."""


def draw_waiting_links(groups: Sequence[WaitingGroup]) -> bool:
    """Draw a group for each kind of thing that waits. Return whether there is any."""
    shown = [group for group in groups if group.kind in KINDS]
    for group in shown:
        kind = KINDS[group.kind]
        with st.container(border=True, gap="xsmall", key=f"waiting-{group.kind}"):
            st.markdown(f":{kind.colour}[:material/{kind.icon}:] **{kind.title}** · {group.total:,}")
            for item in group.items:
                page, query = find_page(group.kind, item)
                navigation.draw_link_with_note(page, item.name, explain(group.kind, item), **query)
            rest = group.total - sum(item.count if group.kind == "draft" else 1 for item in group.items)
            if rest > 0:
                navigation.draw_link(kind.page, f"{rest:,} more", icon=":material/more_horiz:", **kind.query)
    return bool(shown)


def find_page(kind: str, item: WaitingItem) -> tuple[str, dict[str, str]]:
    """Return the page where the item is dealt with, and its query."""
    if item.approval_id:
        return "approvals", {}
    if item.webhook_id:
        return "webhook", {"id": item.webhook_id}
    if item.agreement_id:
        return "agreement", {"id": item.agreement_id, "agreement-tab": "Decision"}
    if item.scope_id:
        return "scope", {"id": item.scope_id}
    query = {"id": item.negotiation_id or ""}
    return "negotiation", query | ({"negotiation-tab": "Files and people"} if kind == "draft" else {})


def explain(kind: str, item: WaitingItem) -> str:
    """Return why the item waits, in a few words."""
    # A day ends at midnight, which belongs to the next one.
    last_day = format_date((item.due_at - timedelta(minutes=1)).date()) if item.due_at else ""
    match kind:
        case "draft":
            return f"{format_count(item.count, 'letter')} to copy and send"
        case "webhook":
            failed = f"{format_count(item.count, 'delivery', 'deliveries')} failed" if item.count else ""
            return " · ".join(filter(None, (item.detail, failed))) or "The latest deliveries fail"
        case "approval":
            return " · ".join(filter(None, (item.detail, f"until {last_day}")))
        case "deadline":
            return item.detail or f"act by {last_day}"
        case "expiring":
            return f"valid until {last_day}"
        case _:
            return " · ".join(filter(None, (item.detail, last_day and f"decide by {last_day}")))
