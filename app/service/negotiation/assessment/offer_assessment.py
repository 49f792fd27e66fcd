"""Records offers on the timeline, compares them with the strategy and escalates what a person must decide."""

from dataclasses import replace
from typing import Any, cast

from app.service.negotiation import store
from app.service.negotiation.assessment.offer_benchmark import benchmark_offer, fits_scope
from app.service.negotiation.entries import OfferSource, QuoteContent
from app.service.negotiation.mail.outgoing_mail import withdraw_unsent_mail
from app.service.negotiation.offers.counter_offers import CounterOffer, suggest_counter_offer
from app.service.negotiation.offers.offer import PRICE_REASONS, Offer, OfferBenchmark, assess_offer
from app.service.negotiation.session import escalation_drafts, executive_summaries
from app.service.negotiation.session.negotiation_session import NegotiationSession


def record_offer(session: NegotiationSession, offer: Offer, content: OfferSource, **stamps: Any) -> None:
    """Record an offer on the timeline and escalate what a person must decide about it."""
    if session.currency is None:
        session.update(currency=offer.currency)
    quote: QuoteContent = {**content, "offer": offer.to_record()}
    entry_id = session.add_entry("quote", quote, happened_at=offer.happened_at, **stamps)
    session.reload_offers()
    if session.offers[-1].entry_id == entry_id:
        reset_for_newest_offer(session)
        assess_newest_offer(session, add_summary=True)
        return
    if session.offers[0].entry_id == entry_id:
        session.add_summary(executive_summaries.summarise_earlier_offer(offer))
    assess_newest_offer(session, add_summary=False)


def reset_for_newest_offer(session: NegotiationSession) -> None:
    """Drop what belonged to an older offer, now that another is the newest: its escalations, its expiry timer
    and the amount that the buyer was to offer next."""
    session.update(next_offer=None)
    store.delete_timers(session.connection, session.id, "quote_expiring")
    newest = session.offers[-1] if session.offers else None
    about = {None, newest.entry_id} if newest else {None}
    session.expire_escalations(
        [row for row in session.load_open_escalations() if row.offer_entry_id not in about]
    )
    if newest and newest.warn_at and newest.ends_at and newest.ends_at > session.now:
        due = max(newest.warn_at, session.now)
        store.set_timer(session.connection, session.id, "quote_expiring", due, {"offer": newest.entry_id})


def assess_newest_offer(session: NegotiationSession, *, add_summary: bool, reopen: bool = False) -> None:
    """Compare the newest offer with the current numbers and escalate what a person must decide; `add_summary`
    adds a summary of it. `reopen` closes and opens its escalations again, since the amounts in their options
    come from older numbers."""
    if not session.offers:
        return
    offer = _update_fit(session, session.offers[-1])
    benchmark = benchmark_offer(session, offer)
    findings = assess_offer(offer, benchmark)
    reasons = {finding.reason for finding in findings}
    about_price = [
        row
        for row in session.load_open_escalations()
        if row.offer_entry_id == offer.entry_id and row.reason in PRICE_REASONS
    ]
    outdated = about_price if reopen else [row for row in about_price if row.reason not in reasons]
    session.expire_escalations(outdated)
    counter = counter_offer_to(session, offer, benchmark)
    for finding in findings:
        question = escalation_drafts.draft_for_offer(finding, offer, benchmark, counter)
        session.escalate(question, offer)
    if add_summary:
        session.add_summary(executive_summaries.summarise_offer(offer, findings, benchmark))


def reassess_with_new_numbers(session: NegotiationSession) -> None:
    """Compare the newest offer with the new numbers, and close what was asked because there were none."""
    if session.strategy is not None:
        answered = {"no_estimate", "evidence_thin"}
        session.expire_escalations(
            [
                row
                for row in session.load_open_escalations()
                if row.reason in answered and row.offer_entry_id is None
            ]
        )
        session.add_summary(executive_summaries.summarise_changed_numbers(session.strategy))
    assess_newest_offer(session, add_summary=False, reopen=True)


def counter_offer_to(
    session: NegotiationSession, offer: Offer, benchmark: OfferBenchmark
) -> CounterOffer | None:
    """Return the buyer's next offer in answer to this one; None without numbers. Where the offer differs from
    the scope, earlier counter offers say nothing."""
    if benchmark.strategy is None:
        return None
    made = [] if benchmark.differences else session.counter_amounts
    rest = offer.amount - benchmark.compared_amount
    counter = suggest_counter_offer(
        made,
        opening=benchmark.strategy.opening.amount,
        target=benchmark.strategy.target.amount,
        offer=benchmark.compared_amount,
    )
    return counter if counter is None or not rest else replace(counter, amount=counter.amount + rest)


def suggest_next_offer(session: NegotiationSession) -> CounterOffer | None:
    """Return the buyer's next offer, with or without an offer of the supplier; None without numbers."""
    if session.strategy is None:
        return None
    numbers = session.strategy
    if session.offers:
        newest = session.offers[-1]
        found = counter_offer_to(session, newest, benchmark_offer(session, newest))
        if found is not None:
            return found
    # There is no offer to answer: assume one above the target.
    above = numbers.target.amount * 2
    return suggest_counter_offer(
        session.counter_amounts, opening=numbers.opening.amount, target=numbers.target.amount, offer=above
    )


def note_supplier_contact(session: NegotiationSession) -> None:
    """Restart the wait for the supplier, who has just answered, and withdraw letters that ask for one."""
    session.expire_escalations(
        [row for row in session.load_open_escalations() if row.reason == "supplier_silent"]
    )
    withdraw_unsent_mail(session, except_kinds=("counter", "change", "acceptance", "refusal"))
    if session.status in {"pending", "active"}:
        session.restart_silence_timer()


def update_scope_fit(session: NegotiationSession) -> None:
    """Record for every offer whether it fits the scope, now that the scope is known or has changed."""
    for offer in session.offers:
        _update_fit(session, offer)


def _update_fit(session: NegotiationSession, offer: Offer) -> Offer:
    """Return the offer with its fit to the scope, and record it on its entry."""
    fits = fits_scope(session, offer)
    if fits == offer.fits_scope:
        return offer
    row = store.find_entry(session.connection, session.id, offer.entry_id)
    assert row is not None
    content = cast(QuoteContent, row.content)
    session.update_entry(offer.entry_id, {**content, "offer": {**content["offer"], "fits": fits}})
    session.reload_offers()
    return replace(offer, fits_scope=fits)
