"""Where the entries of the start page lead: what waits, what changed, and the sample."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from app.client import ScopedClient
from app.contract.deployment import SampleQuote
from app.contract.overview import OverviewChange, WaitingGroup, WaitingItem
from app.dashboard import navigation, recently_opened
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.scopes.dropped_quotes import find_scopes_of_file, upload_quote
from app.dashboard.spreadsheets import draw_download
from components import formatting
from components.elements.page_header import Colour
from components.formatting import format_count, format_date, format_known_money

SENTENCES = {
    "document_read": ("was read", "description"),
    "document_failed": ("gave no quote", "error"),
    "offer": ("made an offer", "request_quote"),
    "decision_needed": ("needs a decision", "pending_actions"),
    "agreement": ("agreed", "handshake"),
    "cancellation": ("negotiation was cancelled", "cancel"),
}
"""What happened, after the name of the document or the supplier, and an icon."""


def draw_change_links(changes: Sequence[OverviewChange]) -> None:
    """Draw a link for each change, in the given order."""
    for change in changes:
        if change.kind not in SENTENCES:
            continue
        happened, icon = SENTENCES[change.kind]
        when = formatting.format_local_time(change.happened_at)
        reason = f"{change.detail} · {when}" if change.detail else when
        page = "scope" if change.scope_id else "negotiation"
        record_id = change.scope_id or change.negotiation_id or ""
        navigation.draw_link_with_note(page, f"{change.name} {happened}", reason, icon=icon, id=record_id)


@dataclass(frozen=True)
class WaitingKindShown:
    """How a kind is shown: its title, its icon and colour, and the page with all of it; of quotes those of
    the `status`."""

    title: str
    icon: str
    colour: Colour
    page: str
    status: str = ""


KINDS = {
    "approval": WaitingKindShown("To be approved by two", "how_to_reg", "orange", "approvals"),
    "decision": WaitingKindShown("Decisions", "pending_actions", "orange", "negotiations"),
    "deadline": WaitingKindShown("Contracts to act on", "event_upcoming", "orange", "agreements"),
    "expiring": WaitingKindShown("Offers that end soon", "event_busy", "orange", "negotiations"),
    "review": WaitingKindShown("Quotes to review", "fact_check", "blue", "scopes", "Waiting for review"),
    "unreadable": WaitingKindShown(
        "Files without a readable quote", "error", "red", "scopes", "No quote read"
    ),
    "reading": WaitingKindShown(
        "Quotes that are being read", "hourglass_top", "blue", "scopes", "Being read"
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
                page, query = find_page(item)
                navigation.draw_link_with_note(page, item.name, explain(group.kind, item), **query)
            rest = group.total - sum(item.count if group.kind == "draft" else 1 for item in group.items)
            if rest > 0:
                query = {"scope-status": kind.status} if kind.status else {}
                navigation.draw_link(kind.page, f"{rest:,} more", icon="more_horiz", **query)
    return bool(shown)


def find_page(item: WaitingItem) -> tuple[str, dict[str, str]]:
    """Return the page where the item is dealt with, and its query."""
    if item.approval_id:
        return "approvals", {}
    if item.webhook_id:
        return "webhook", {"id": item.webhook_id}
    if item.agreement_id:
        return "agreement", {"id": item.agreement_id, "agreement-tab": "Decision"}
    if item.scope_id:
        return "scope", {"id": item.scope_id}
    return "negotiation", {"id": item.negotiation_id or ""}


def explain(kind: str, item: WaitingItem) -> str:
    """Return why the item waits, in a few words."""
    last_day = format_date(formatting.find_last_day(item.due_at)) if item.due_at else ""
    stake = format_known_money(item.amount, item.currency)
    match kind:
        case "draft":
            parts = f"{format_count(item.count, 'letter')} to copy and send", stake
        case "webhook":
            failed = f"{format_count(item.count, 'delivery', 'deliveries')} failed" if item.count else ""
            parts = (item.detail, failed) if item.detail or failed else ("The latest deliveries fail",)
        case "approval":
            parts = item.detail, f"until {last_day}"
        case "deadline":
            parts = (item.detail or f"act by {last_day}",)
        case "expiring":
            parts = stake, f"valid until {last_day}"
        case _:
            parts = item.detail, stake, last_day and f"decide by {last_day}"
    return " · ".join(filter(None, parts))


OPERATIONS = ("GET /v1/sample/quotes", "GET /v1/sample/quotes/{}", "POST /v1/scope/from-document")


def draw_sample_quote(deployment: Deployment, *, key: str) -> None:
    """Draw a button that reads a sample quote and shows how, and a download beside it; nothing where the
    deployment has none."""
    if not all(queries.has_operation(deployment, operation) for operation in OPERATIONS):
        return
    quotes = queries.load_sample_quotes(deployment).data
    if not quotes:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        write_button(
            deployment,
            "Try a sample quote",
            name=f"sample-quote-{key}",
            what="Uploading a sample quote",
            write=partial(_read_next, deployment, quotes),
            on_success=partial(_open, deployment),
            icon="science",
            type="tertiary",
            help="Reads an invented quote of a sample supplier. You see each step, up to the verdict.",
        )
        draw_download(
            "Download it",
            lambda: queries.load_sample_quote(deployment, quotes[0].number).content,
            quotes[0].filename,
            "application/pdf",
            key=f"sample-download-{key}",
            type="tertiary",
            help="To look at, or to drop on the Quotes page yourself",
        )


def _read_next(
    deployment: Deployment, quotes: Sequence[SampleQuote], client: ScopedClient, idempotency_key: str
) -> str:
    """Read the first of the quotes that was not read before, and return the id of its scope; where all were,
    that of the first one's."""
    known: list[str] = []
    for quote in quotes:
        content = queries.load_sample_quote(deployment, quote.number).content
        earlier = find_scopes_of_file(deployment, hashlib.sha256(content).hexdigest())
        if not earlier:
            return upload_quote(client, content, quote.filename, idempotency_key=idempotency_key)
        known.append(earlier[0].id)
    return known[0]


def _open(deployment: Deployment, scope_id: str) -> None:
    recently_opened.remember(deployment, "scope", scope_id)
    navigation.open_page("scope", id=scope_id)
