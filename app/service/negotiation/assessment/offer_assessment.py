"""Offers of the supplier: put on the timeline, held against the numbers, asked about."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.service.negotiation import store
from app.service.negotiation.assessment.offer_benchmark import fits_scope, measured
from app.service.negotiation.mail.outgoing_mail import drop_unsent
from app.service.negotiation.offers.counter_offers import Counter, next_counter
from app.service.negotiation.offers.offer import PRICE_REASONS, Measured, Offer, judge
from app.service.negotiation.session import escalation_drafts, executive_summaries
from app.service.negotiation.session.negotiation_session import Case


def record_offer(case: Case, offer: Offer, content: Mapping[str, Any], **stamps: Any) -> None:
    """Puts an offer on the timeline and asks what it makes a person decide."""
    if case.currency is None:
        case.set(currency=offer.currency)
    entry_id = case.record(
        "quote", {**content, "offer": offer.record()}, happened_at=offer.happened_at, **stamps
    )
    case.offers_changed()
    if case.offers[-1].entry_id == entry_id:
        newest_changed(case)
        weigh(case, news=True)
        return
    if case.offers[0].entry_id == entry_id:
        case.summarise(executive_summaries.earlier_offer(offer))
    weigh(case, news=False)


def newest_changed(case: Case) -> None:
    """Another offer is the newest: nothing that was asked about the older ones matters any more, nor what the
    buyer was to offer next."""
    case.set(next_offer=None)
    store.drop_timers(case.connection, case.id, "quote_expiring")
    newest = case.offers[-1] if case.offers else None
    about = {None, newest.entry_id} if newest else {None}
    case.expire([row for row in case.open_escalations() if row.offer_entry_id not in about])
    if newest and newest.warn_at and newest.ends_at and newest.ends_at > case.now:
        due = max(newest.warn_at, case.now)
        store.set_timer(case.connection, case.id, "quote_expiring", due, {"offer": newest.entry_id})


def weigh(case: Case, *, news: bool, again: bool = False) -> None:
    """Judges the newest offer by the numbers as they stand; `news` adds a summary of it. `again` asks anew
    what was open, since the amounts in its options are those of older numbers."""
    if not case.offers:
        return
    offer = _marked(case, case.offers[-1])
    by = measured(case, offer)
    findings = judge(offer, by)
    reasons = {finding.reason for finding in findings}
    about_price = [
        row
        for row in case.open_escalations()
        if row.offer_entry_id == offer.entry_id and row.reason in PRICE_REASONS
    ]
    outdated = about_price if again else [row for row in about_price if row.reason not in reasons]
    case.expire(outdated)
    counter = counter_against(case, offer, by)
    for finding in findings:
        question = escalation_drafts.about_offer(finding, offer, by, counter)
        case.ask(question, offer)
    if news:
        case.summarise(executive_summaries.offered(offer, findings, by))


def numbers_changed(case: Case) -> None:
    """The newest offer is held against the new numbers; what was asked for want of numbers is answered."""
    if case.strategy is not None:
        answered = {"no_estimate", "evidence_thin"}
        case.expire(
            [row for row in case.open_escalations() if row.reason in answered and row.offer_entry_id is None]
        )
        case.summarise(executive_summaries.numbers_changed(case.strategy))
    weigh(case, news=False, again=True)


def counter_against(case: Case, offer: Offer, by: Measured) -> Counter | None:
    """The buyer's next offer in answer to this one; None without numbers. On other terms than the scope's
    the earlier counters say nothing."""
    if by.by is None:
        return None
    made = [] if by.differences else case.counters
    rest = offer.amount - by.amount
    counter = next_counter(made, opening=by.by.opening.amount, target=by.by.target.amount, offer=by.amount)
    return counter if counter is None or not rest else replace(counter, amount=counter.amount + rest)


def counter_at_hand(case: Case) -> Counter | None:
    """The buyer's next offer, whatever is on the table; None without numbers."""
    if case.strategy is None:
        return None
    numbers = case.strategy
    if case.offers:
        newest = case.offers[-1]
        found = counter_against(case, newest, measured(case, newest))
        if found is not None:
            return found
    # Nothing to undercut: as if the supplier asked for more than the target.
    above = numbers.target.amount * 2
    return next_counter(
        case.counters, opening=numbers.opening.amount, target=numbers.target.amount, offer=above
    )


def supplier_spoke(case: Case) -> None:
    """The supplier is not silent; the waiting starts anew, and no letter asks for what has come."""
    case.expire([row for row in case.open_escalations() if row.reason == "supplier_silent"])
    drop_unsent(case, but=("counter", "change", "acceptance", "refusal"))
    if case.status in {"pending", "active"}:
        case.wait_for_supplier()


def mark_offers(case: Case) -> None:
    """Says of every offer whether it is for what is asked, now that this is known or has changed."""
    for offer in case.offers:
        _marked(case, offer)


def _marked(case: Case, offer: Offer) -> Offer:
    """The offer, with its entry saying whether it is for what is asked."""
    fits = fits_scope(case, offer)
    if fits == offer.fits:
        return offer
    row = store.entry_of(case.connection, case.id, offer.entry_id)
    assert row is not None
    case.set_content(offer.entry_id, {**row.content, "offer": {**row.content["offer"], "fits": fits}})
    case.offers_changed()
    return replace(offer, fits=fits)
