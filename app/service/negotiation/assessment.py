"""Reads the offer that a document makes, records offers on the timeline, compares them with the strategy and
escalates what a person must decide.

An offer for another term or quantity is estimated again, and its price per unit and month is stated, so that
it can be compared with what was asked for.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import Any

from app.contract.money import format_count, format_exact_money
from app.contract.values import MAX_AMOUNT, json_number
from app.service.catalog.line_match import LineMatch
from app.service.documents.extraction import Extraction, LineItem
from app.service.negotiation import store
from app.service.negotiation.mail import withdraw_unsent_mail
from app.service.negotiation.offers.offer import (
    PRICE_REASONS,
    CounterOffer,
    Offer,
    OfferBenchmark,
    assess_offer,
    describe_differences,
    suggest_counter_offer,
)
from app.service.negotiation.offers.offered_terms import find_offered_terms
from app.service.negotiation.offers.savings import find_first_offer
from app.service.negotiation.offers.scope_requirements import (
    ScopeRequirements,
    load_requirements,
)
from app.service.negotiation.rows import EntryContent
from app.service.negotiation.session import escalation_drafts, executive_summaries
from app.service.negotiation.session.negotiation_session import NegotiationSession
from app.service.negotiation.strategy.scope_evidence import (
    MIN_COVERED_SHARE,
    estimate_terms,
)
from app.service.negotiation.strategy.strategy import NoEvidence, Strategy, build_strategy
from app.service.scopes.quote import QuoteClauses, QuoteLine, format_share
from app.service.scopes.quote_store import read_clauses
from app.service.scopes.scope_documents import ExtractedScope
from app.service.scopes.store import StoredScope
from app.service.scopes.stored_reading import round_price

OFFER_DOCUMENT_KINDS = {"quote", "order_form", "contract", "order"}
"""Kinds of documents that ask for a price; an invoice or a price list is no offer."""


@dataclass(frozen=True)
class QuotedDocument:
    """A document as it was read, the product that each of its lines means, and the `scope` that was read in
    it; `matches` runs parallel to its lines."""

    extraction: Extraction
    matches: Sequence[LineMatch | None]
    scope: ExtractedScope

    @property
    def lines(self) -> Sequence[QuoteLine]:
        """The lines that the price is for, each with its amount for the whole term."""
        return self.scope.quote_lines

    @cached_property
    def clauses(self) -> QuoteClauses:
        """What the document says about later years and payment."""
        return read_clauses(self.scope.reading)

    def build_offer(self, happened_at: datetime, currency: str | None) -> Offer | None:
        """Return the offer that the document makes, in `currency` where it names none; None when it makes
        none. Its price is the total before tax."""
        read = self.extraction
        amount = self.scope.scope_terms[0].final_price
        currency = read.currency or currency
        if (
            read.kind not in OFFER_DOCUMENT_KINDS
            or amount is None
            or currency is None
            or not 0 < amount < MAX_AMOUNT
        ):
            return None
        return Offer(
            entry_id="",
            happened_at=happened_at,
            amount=amount,
            currency=currency,
            origin="document",
            term_length=read.term_months,
            valid_until=read.valid_until,
            quantities=self._quantities(),
            options=self._options(),
            product_terms=self.scope.product_terms,
            clauses=self.clauses,
            document_number=read.document_number,
            **self._coverage(),
        )

    def build_payload(self, offer: Offer) -> dict[str, Any]:
        """Return the offer as a payload of `urn:svc:quote:1`, as if a person had entered it."""
        payload = {
            "amount": json_number(offer.amount),
            "currency": offer.currency,
            "termLength": offer.term_length,
            "validUntil": offer.valid_until.isoformat() if offer.valid_until else None,
            "lines": [_payload_line(line, match) for line, match in self._lines()],
        }
        return _drop_missing(payload)

    def _coverage(self) -> dict[str, Any]:
        """Return how much of the price is for lines of known products; empty where a line has no amount."""
        costing = [line for line in self.lines if line.amount is None or line.amount > 0]
        known = [line for line in costing if line.role == "product" and line.term is not None]
        if not costing or any(line.amount is None for line in costing):
            return {}
        covered = sum((line.amount or Decimal(0) for line in known), Decimal(0))
        return {"covered": covered, "line_count": len(costing), "covered_line_count": len(known)}

    def _options(self) -> dict[str, dict[str, str]]:
        """Return the options that the lines name: by product, the value of each dimension. Nothing for a
        product with several lines."""
        options_by_product: dict[str, dict[str, str]] = {}
        several: set[str] = set()
        lines = self.scope.reading.get("understood", [])
        for line, match in zip(lines, self.matches, strict=True):
            if match is None or line["role"] != "product":
                continue
            if match.product_id in options_by_product:
                several.add(match.product_id)
            options_by_product[match.product_id] = {
                one["id"]: str(one.get("value"))
                for one in line["dimensions"]
                if one["source"] == "read" and one["id"] != match.quantity_dimension_id
            }
        return {key: options for key, options in options_by_product.items() if key not in several and options}

    def _lines(self) -> list[tuple[LineItem, LineMatch | None]]:
        """Return the lines that the price is for, with their products."""
        pairs = zip(self.extraction.line_items, self.matches, strict=True)
        return [(line, match) for line, match in pairs if not line.optional]

    def _quantities(self) -> Mapping[str, Decimal | None]:
        """Return the offered quantity of each product; empty where a line that costs money is for an unknown
        product: it may be any of those asked for."""
        quantities: dict[str, Decimal | None] = {}
        for one in self.lines:
            if one.term is None:
                if one.role == "product" and one.amount != 0:
                    return {}
                continue
            product_id = self.scope.product_terms[one.term].product_id
            earlier, asked = quantities.get(product_id, Decimal(0)), self.extraction.line_items[one.index]
            quantities[product_id] = (
                None if earlier is None or asked.quantity is None else earlier + asked.quantity
            )
        return quantities


def _payload_line(line: LineItem, match: LineMatch | None) -> dict[str, Any]:
    price, amount = line.price_before_tax, line.amount_before_tax
    numbers = {
        "quantity": line.quantity,
        "unitPrice": None if price is None else round_price(price),
        "amount": None if amount is None else round_price(amount),
    }
    return _drop_missing(
        {
            "productId": match.product_id if match else None,
            "description": line.description,
            **{name: None if value is None else json_number(value) for name, value in numbers.items()},
        }
    )


def _drop_missing(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def record_offer(session: NegotiationSession, offer: Offer, content: EntryContent, **stamps: Any) -> None:
    """Record an offer on the timeline and escalate what a person must decide about it."""
    if session.currency is None:
        session.update(currency=offer.currency)
    quote: EntryContent = {**content, "offer": offer.to_record()}
    entry_id = session.add_entry("quote", quote, happened_at=offer.happened_at, **stamps)
    session.reload_offers()
    if session.offers[-1].entry_id == entry_id:
        reset_for_newest_offer(session)
        assess_newest_offer(session, add_summary=True)
        return
    _update_fit(session, next(one for one in session.offers if one.entry_id == entry_id))
    first = find_first_offer(session.offers)
    if first is not None and first.entry_id == entry_id:
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
    benchmark = _benchmark_offer(session, offer)
    findings = assess_offer(offer, benchmark, session.now)
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
    made = [] if benchmark.differences else list(_list_counters(session, benchmark.strategy))
    rest = offer.amount - benchmark.compared_amount
    counter = suggest_counter_offer(
        made,
        opening=benchmark.strategy.opening.amount,
        target=benchmark.strategy.target.amount,
        offer=benchmark.compared_amount,
    )
    return counter if counter is None or not rest else replace(counter, amount=counter.amount + rest)


def _list_counters(session: NegotiationSession, strategy: Strategy) -> Iterator[Decimal]:
    """Yield the buyer's offers so far for what the numbers are for: those in answer to an offer for something
    else say nothing of it, and what an answer was for besides is no part of it."""
    offers = {one.first_entry_id: one for one in session.offers}
    for made in session.counters:
        offer = offers.get(made.answers or "")
        if offer is None:
            yield made.amount
        elif offer.fits_scope:
            yield made.amount - (offer.amount - _benchmark_covered_part(offer, strategy).compared_amount)


def suggest_next_offer(session: NegotiationSession) -> CounterOffer | None:
    """Return the buyer's next offer, with or without an offer of the supplier; None without numbers."""
    if session.strategy is None:
        return None
    numbers = session.strategy
    if session.offers:
        newest = session.offers[-1]
        found = counter_offer_to(session, newest, _benchmark_offer(session, newest))
        if found is not None:
            return found
    # There is no offer to answer: assume one above the target.
    above = numbers.target.amount * 2
    made = list(_list_counters(session, numbers))
    return suggest_counter_offer(
        made, opening=numbers.opening.amount, target=numbers.target.amount, offer=above
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
    scope = session.find_scope_with_products()
    fits = scope is None or not describe_differences(offer, load_requirements(session.connection, scope))
    if fits == offer.fits_scope:
        return offer
    row = store.find_entry(session.connection, session.id, offer.entry_id)
    assert row is not None
    session.update_entry(offer.entry_id, {**row.content, "offer": {**row.content["offer"], "fits": fits}})
    session.reload_offers()
    return replace(offer, fits_scope=fits)


def _benchmark_offer(session: NegotiationSession, offer: Offer) -> OfferBenchmark:
    scope = session.find_scope_with_products()
    requirements = load_requirements(session.connection, scope) if scope is not None else None
    if scope is None or requirements is None:
        return OfferBenchmark(offer.amount, session.strategy)
    differences = describe_differences(offer, requirements)
    if differences:
        return _benchmark_on_own_terms(session, offer, scope, requirements, differences)
    if session.strategy is None:
        return OfferBenchmark(offer.amount, None)
    return _benchmark_covered_part(offer, session.strategy)


def _benchmark_covered_part(offer: Offer, strategy: Strategy) -> OfferBenchmark:
    """Compare the part of an offer that the numbers cover, where its lines were read. Numbers that a person
    typed are for the whole offer."""
    if offer.covered is None or strategy.quoted_part > 0 or offer.uncovered <= 0 or strategy.has_typed_number:
        return OfferBenchmark(offer.amount, strategy)
    share = offer.covered / offer.amount
    lines = f"{offer.covered_line_count} of {format_count(offer.line_count, 'line')}"
    part = f"{format_share(share)} ({lines})"
    if share < MIN_COVERED_SHARE:
        return OfferBenchmark(
            offer.amount, None, missing_reason=f"The three numbers cover only {part} of this offer."
        )
    left = format_exact_money(offer.uncovered, offer.currency)
    return OfferBenchmark(
        offer.covered,
        strategy,
        comparison=f"The numbers cover {part} of the offer; {left} is for items they do not cover.",
    )


def _benchmark_on_own_terms(
    session: NegotiationSession,
    offer: Offer,
    scope: StoredScope,
    requirements: ScopeRequirements,
    differences: str,
) -> OfferBenchmark:
    """Compare an offer with an estimate for its own term and quantities, and state both prices of a unit."""
    terms = find_offered_terms(session.connection, offer, scope)
    months = None if requirements.is_paid_once else offer.term_length or requirements.term_length
    quantities = {
        key: requirements.quantities.get(key) if value is None else value
        for key, value in offer.quantities.items()
    } or dict(requirements.quantities)
    offered = replace(requirements, term_length=months, quantities=quantities, is_exclusive=True)
    unit_price = offered.find_unit_price(offer.amount)
    if terms is None:
        evidence = NoEvidence("The offer does not say how much of each product it includes.")
    elif not months and not requirements.is_paid_once:
        evidence = NoEvidence("Neither the offer nor the scope says for how long it is.")
    else:
        stated = replace(scope.scope_terms[0], months=months or 0, term_assumed=None)
        scope_terms = [stated] if months else scope.scope_terms
        evidence = estimate_terms(
            session.connection, session.organisation_id, scope_terms, terms, offer.currency, session.now
        )
    comparison = ""
    if unit_price is not None:
        comparison = f"The offer is {format_exact_money(unit_price, offer.currency)} {offered.unit}"
        asked = requirements.find_unit_price(session.strategy.target.amount) if session.strategy else None
        comparison += (
            f"; the target for the scope is {format_exact_money(asked, offer.currency)}."
            if asked is not None
            else "."
        )
    if isinstance(evidence, NoEvidence):
        return OfferBenchmark(
            offer.amount,
            None,
            differences,
            comparison,
            f"There is no estimate on the offer's own terms: {evidence.reason}",
        )
    strategy = build_strategy(evidence)
    return OfferBenchmark(offer.amount, strategy, differences, _describe_estimate(comparison, strategy))


def _describe_estimate(comparison: str, strategy: Strategy) -> str:
    target = format_exact_money(strategy.target.amount, strategy.currency)
    walk_away = format_exact_money(strategy.walk_away.amount, strategy.currency)
    return (
        f"{comparison} On the offer's own terms, the estimate gives a target of {target} and a walk-away of"
        f" {walk_away}, from {format_count(strategy.target.purchases, 'purchase')}."
    ).strip()
