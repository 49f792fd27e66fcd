"""Corrects or withdraws offers that were wrong. Both the offer and its correction stay on the timeline."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.service.http.problems import ApiProblem, InvalidField
from app.service.negotiation import store
from app.service.negotiation.assessment import assess_newest_offer, reset_for_newest_offer, update_scope_fit
from app.service.negotiation.offers.offer import Offer
from app.service.negotiation.rows import EntryContent, EntryRow
from app.service.negotiation.session import executive_summaries, states
from app.service.negotiation.session.negotiation_session import NegotiationSession
from app.service.negotiation.strategy.strategy import RECALCULATE
from app.service.negotiation.updates.update_payloads import CorrectionPayload


def correct_offer(
    session: NegotiationSession,
    correction: CorrectionPayload,
    source: str,
    content: EntryContent,
    stamps: Mapping[str, Any],
) -> None:
    """Record the correction and assess the newest offer again. Raises ApiProblem 422 for an offer that does
    not exist or a correction without content, MoveRefused for an offer that was withdrawn before."""
    entry = _offer_entry(session, correction, source)
    changed = {
        name: value
        for name in ("amount", "term_length", "valid_until")
        if (value := getattr(correction, name)) is not None
    }
    if correction.withdrawn and changed:
        raise _wrong("withdrawn", "Either withdraw the offer or correct it, not both.")
    if not correction.withdrawn and not changed:
        raise _wrong("amount", "State the correction, or withdraw the offer.")
    before = next((offer for offer in session.offers if offer.first_entry_id == entry.id), None)
    if before is None:
        raise states.MoveRefused("This offer has already been withdrawn.")
    after = None if correction.withdrawn else _corrected(before, changed)
    was_newest = session.offers[-1].first_entry_id == entry.id
    corrected: EntryContent = {
        **content,
        "corrects": entry.id,
        "offer": after.to_record() if after else None,
    }
    session.add_entry("correction", corrected, happened_at=session.now, **stamps)
    session.reload_offers()
    if _shaped_numbers(session, entry, before):
        # It needs an estimate, which takes too long for the caller's transaction.
        session.enqueue_task(RECALCULATE)
    session.add_summary(executive_summaries.summarise_correction(before, after))
    if was_newest:
        reset_for_newest_offer(session)
        assess_newest_offer(session, add_summary=True)
    else:
        update_scope_fit(session)
        assess_newest_offer(session, add_summary=False)


def _shaped_numbers(session: NegotiationSession, entry: EntryRow, before: Offer) -> bool:
    """Return whether the three numbers rest on the offer as it was: it was there when the strategy was made,
    or one of them is capped at it. Numbers that a person typed stand."""
    strategy = session.strategy
    if strategy is None or strategy.has_typed_number:
        return False
    is_cap = any(one.origin == "quote" and one.amount == before.amount for one in strategy.positions)
    return is_cap or bool(entry.content.get("atStart"))


def _corrected(before: Offer, changed: Mapping[str, Any]) -> Offer:
    """Return the corrected offer. A corrected amount is for the whole: the lines no longer add up to it."""
    lines_stand = "amount" not in changed or changed["amount"] == before.amount
    return replace(before, **changed, covered=before.covered if lines_stand else None)


def _offer_entry(session: NegotiationSession, correction: CorrectionPayload, source: str) -> EntryRow:
    """Find the entry of the offer: by the source's own id, else by its id on the timeline."""
    entry = store.find_update(
        session.connection, session.id, source, correction.external_id
    ) or store.find_entry(session.connection, session.id, correction.external_id)
    if entry is None or entry.kind != "quote":
        raise _wrong("externalId", "There is no such offer in this negotiation.")
    return entry


def _wrong(name: str, why: str) -> ApiProblem:
    return ApiProblem(422, why, errors=[InvalidField(f"/payload/{name}", why)])
