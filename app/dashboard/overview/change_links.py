"""What changed, as links to the scopes and negotiations."""

from collections.abc import Sequence
from datetime import tzinfo

from app.contract.overview import OverviewChange
from app.dashboard import navigation
from components.formatting import datetimes

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
