"""Makes the strategy of a negotiation: finds the supplier, estimates the scope, sets the three numbers."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal

from sqlalchemy import Connection

from app.contract.scope import add_stated_prices
from app.service.agreements.working_calendar import load_working_days
from app.service.catalog.supplier_match import find_company
from app.service.negotiation.assessment import (
    assess_newest_offer,
    record_offer,
    suggest_next_offer,
    update_scope_fit,
)
from app.service.negotiation.entries import has_entry
from app.service.negotiation.mail import queue_mail
from app.service.negotiation.market import PurchaseStats, SupplierMarket, load_supplier_market
from app.service.negotiation.offers.offer import FILE_SOURCE, Offer, list_valid_offers
from app.service.negotiation.offers.savings import find_first_offer
from app.service.negotiation.rows import NegotiationRow, SupplierRecord
from app.service.negotiation.session import escalation_drafts, executive_summaries
from app.service.negotiation.session.negotiation_session import NegotiationSession
from app.service.negotiation.store import find_update, load_attachments
from app.service.negotiation.strategy.levers import PriceAtStake, StrategyLever, find_levers
from app.service.negotiation.strategy.scope_evidence import gather_evidence
from app.service.negotiation.strategy.strategy import (
    MEDIAN_PERCENTILE,
    NoEvidence,
    PriceEvidence,
    build_strategy,
    describe_changes,
)
from app.service.scopes.quote import NO_CURRENCY, QuoteClauses, ScopeQuote
from app.service.scopes.quote_store import load_quote
from app.service.scopes.scope_documents import find_document
from app.service.scopes.store import StoredScope, load_products
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class PlanningFacts:
    """What a strategy is made from. `quoted_amount` is what the scope states that it costs, which is a quote;
    `term_length` is None where nobody has said it; `quote` is the document behind the scope; `coverage_note`
    says how much of it the estimate covers, empty where it covers all."""

    market: SupplierMarket | None
    evidence: PriceEvidence | NoEvidence
    currency: str | None = None
    quoted_amount: Decimal | None = None
    term_length: int | None = None
    quote: ScopeQuote | None = None
    document_sha256: str | None = None
    coverage_note: str = ""
    end_date: date | None = None


def gather_facts(
    connection: Connection, row: NegotiationRow, scope: StoredScope | None, now: datetime
) -> PlanningFacts:
    """Read everything that the strategy is made from. `scope` is None when there is none."""
    company_id = find_supplier(connection, row.organisation_id, row.supplier) or _find_main_seller(
        connection, scope
    )
    market = load_supplier_market(connection, row.organisation_id, company_id) if company_id else None
    if scope is None or not scope.scope_terms:
        return PlanningFacts(market, NoEvidence("What is to be bought is not known yet."))
    quote = load_quote(connection, scope)
    document = None if quote else find_document(connection, scope.id)
    of_lines = quote.asked if quote else add_stated_prices(scope.product_terms)
    quoted, currency = scope.stated_total or of_lines, scope.stated_currency
    known = PlanningFacts(
        market,
        NoEvidence(NO_CURRENCY if currency is None else _explain_unknown_lines(quote)),
        currency,
        quoted if quoted and quoted > 0 and currency is not None else None,
        None if quote is not None and quote.is_term_assumed else scope.stated_months,
        quote,
        quote.sha256 if quote else document.sha256 if document else None,
        end_date=scope.scope_terms[-1].end_date,
    )
    if currency is None or not scope.product_terms:
        return known
    evidence, note = gather_evidence(connection, row.organisation_id, scope, quote, now)
    return replace(known, evidence=evidence, coverage_note=note)


def _explain_unknown_lines(quote: ScopeQuote | None) -> str:
    costing = [line for line in (quote.lines if quote else ()) if line.amount is None or line.amount > 0]
    if not costing:
        return "No product of the scope is in the catalog."
    if len(costing) == 1:
        return "The line of this quote matches no product in the catalog. You can add it in the review."
    return (
        f"None of the {len(costing)} lines of this quote matches a product in the catalog. You can add them"
        " in the review."
    )


def finish_planning(session: NegotiationSession, settings: Settings, facts: PlanningFacts) -> None:
    """Write the strategy and move the negotiation on."""
    market = facts.market
    if market is not None:
        known: SupplierRecord = {"companyId": market.company_id, "name": market.name}
        if market.domain:
            known["domain"] = market.domain
        session.update(company_id=market.company_id, supplier=known | session.row.supplier)
    if session.currency is None and facts.currency is not None:
        session.update(currency=facts.currency)
    update_scope_fit(session)
    evidence = _make_strategy(session, facts)
    session.expire_escalations(
        [row for row in session.load_open_escalations() if row.reason == "scope_needed"]
    )
    quoted_before = bool(session.offers)
    spoke_before = has_entry(session.connection, session.id, ["quote", "message"])
    session.add_entry(
        "planned", {"purchases": evidence.purchases if isinstance(evidence, PriceEvidence) else 0}
    )
    if (
        facts.quoted_amount is not None
        and session.currency == facts.currency
        and not _is_attached_already(session, facts)
    ):
        _record_scope_price(session, facts)
    session.move("pending")
    if session.strategy is not None:
        session.add_summary(executive_summaries.summarise_strategy(session.strategy))
    else:
        session.add_summary(executive_summaries.summarise_missing_numbers())
    _escalate_missing_evidence(session, evidence)
    if quoted_before:
        assess_newest_offer(session, add_summary=session.strategy is not None)
    session.restart_silence_timer()
    if spoke_before:
        session.move("active")
    elif not any(one.reading_status == "pending" for one in load_attachments(session.connection, session.id)):
        open_talks(session, settings)


def replan(
    session: NegotiationSession,
    facts: PlanningFacts,
    scope_id: str | None,
    because: str = "Recalculated from the evidence on record",
) -> None:
    """Set the numbers that follow from new evidence or another scope, and record on the timeline what they
    were and why they changed."""
    before = session.strategy
    if scope_id is not None and scope_id != session.row.scope_id:
        session.update(scope_id=scope_id)
        update_scope_fit(session)
        because = "The scope changed"
    elif facts.quoted_amount is not None:
        # The scope's own price is the first offer since the start, and may have been withdrawn, or corrected
        # to one for another term.
        first = find_first_offer(session.offers)
        facts = replace(facts, quoted_amount=first.amount if first is not None else None)
    evidence = _make_strategy(session, facts)
    session.expire_escalations(
        [row for row in session.load_open_escalations() if row.reason in {"no_estimate", "evidence_thin"}]
    )
    old, new = (one.numbers if one else None for one in (before, session.strategy))
    rests = f" ({evidence.purchases:,} purchases)" if isinstance(evidence, PriceEvidence) else ""
    what = describe_changes(old, new, session.currency or "") or "the numbers did not change"
    text = f"{because}{rests}: {what}."
    session.add_entry("strategy", {"from": old, "to": new, "text": text})
    _escalate_missing_evidence(session, evidence)
    if old != new and session.strategy is not None:
        session.add_summary(executive_summaries.summarise_changed_numbers(session.strategy))
    assess_newest_offer(session, add_summary=False, reopen=True)


def _newest_clauses(session: NegotiationSession) -> QuoteClauses | None:
    """Return the clauses of the newest offer that has any."""
    stated = (offer.clauses for offer in reversed(session.offers))
    return next((clauses for clauses in stated if clauses != QuoteClauses()), None)


def _make_strategy(session: NegotiationSession, facts: PlanningFacts) -> PriceEvidence | NoEvidence:
    """Set the levers and the numbers; those that a person typed before stay. Return the evidence."""
    evidence = facts.evidence
    if isinstance(evidence, PriceEvidence) and evidence.currency != session.currency:
        evidence = NoEvidence(
            f"The quotes are in {session.currency} and the scope is in {evidence.currency}."
        )
    levers = _find_levers(session, facts, evidence)
    session.update(levers=levers, coverage=facts.coverage_note or None)
    if isinstance(evidence, NoEvidence):
        session.update(unavailable=evidence.reason)
        if session.strategy is not None and not session.strategy.has_typed_number:
            session.update(strategy=None)
        return evidence
    # What the buyer has now for the scope: the quotes on record, and the price that the scope states.
    amounts = [offer.amount for offer in list_valid_offers(session.offers, session.now) if offer.fits_scope]
    if facts.quoted_amount is not None and session.currency == facts.currency:
        amounts.append(facts.quoted_amount)
    estimated = build_strategy(evidence, min(amounts, default=None))
    if session.strategy is not None and session.strategy.has_typed_number:
        opening, target, walk_away = session.strategy.positions
        estimated = replace(estimated, opening=opening, target=target, walk_away=walk_away)
    session.update(strategy=estimated, unavailable=None)
    return evidence


def _escalate_missing_evidence(session: NegotiationSession, evidence: PriceEvidence | NoEvidence) -> None:
    """Ask about what is missing in the evidence, unless a person typed numbers."""
    if session.strategy is not None and session.strategy.has_typed_number:
        return
    if isinstance(evidence, NoEvidence):
        session.escalate(escalation_drafts.draft_missing_estimate(evidence.reason))
    elif evidence.doubts:
        session.escalate(escalation_drafts.draft_thin_evidence(evidence.doubts))


def open_talks(session: NegotiationSession, settings: Settings) -> None:
    """Queue the first letter to the supplier, unless there is a quote to answer instead."""
    if not session.offers:
        counter = suggest_next_offer(session)
        opening = counter.amount if counter else None
        queue_mail(session, settings, "opening", amount=opening)


def find_supplier(connection: Connection, organisation_id: str, supplier: SupplierRecord) -> str | None:
    """Find the supplier among the companies that the organisation sees: by id, domain, name, or the host of
    its contact's address."""
    company_id = supplier.get("companyId")
    if company_id:
        return company_id
    mail_host = supplier.get("contactEmail", "").rpartition("@")[2]
    return find_company(
        connection, organisation_id, name=supplier.get("name"), domain=supplier.get("domain")
    ) or find_company(connection, organisation_id, domain=mail_host)


def _find_main_seller(connection: Connection, scope: StoredScope | None) -> str | None:
    """Return the company that sells most of a scope's products."""
    if scope is None:
        return None
    products = load_products(connection, scope.product_ids, scope.organisation_id)
    sellers = [known.company_id for known in products.values()]
    return max(sorted(set(sellers)), key=sellers.count, default=None)


def _is_attached_already(session: NegotiationSession, facts: PlanningFacts) -> bool:
    """Return whether the document behind the scope is, or will be, an offer as an attached file."""
    if session.row.scopes_tried:
        return True
    digest = facts.document_sha256
    return digest is not None and find_update(session.connection, session.id, FILE_SOURCE, digest) is not None


def _record_scope_price(session: NegotiationSession, facts: PlanningFacts) -> None:
    assert facts.quoted_amount is not None
    assert facts.currency is not None
    offer = Offer(
        entry_id="",
        # What the negotiation began with comes before everything that was said in it.
        happened_at=session.row.created_at,
        amount=facts.quoted_amount,
        currency=facts.currency,
        origin="scope",
        term_length=facts.term_length,
        valid_until=facts.quote.valid_until if facts.quote else None,
        clauses=facts.quote.clauses if facts.quote else QuoteClauses(),
        document_number=facts.quote.number if facts.quote else None,
    )
    if facts.document_sha256 is None:
        record_offer(session, offer, {"atStart": True})
    else:
        digest = facts.document_sha256
        record_offer(session, offer, {"atStart": True}, source=FILE_SOURCE, external_id=digest, digest=digest)


def _find_levers(
    session: NegotiationSession, facts: PlanningFacts, evidence: PriceEvidence | NoEvidence
) -> list[StrategyLever]:
    market, clauses = facts.market, _newest_clauses(session)
    # In another currency than the offers it says nothing of them.
    is_in_currency = facts.currency == session.currency
    return find_levers(
        market.purchases if market else PurchaseStats(()),
        market.competitors if market else (),
        fiscal_year_end=market.fiscal_year_end if market else None,
        clauses=clauses or (facts.quote.clauses if facts.quote else QuoteClauses()),
        today=session.now.date(),
        price=_price_at_stake(facts, evidence) if is_in_currency else None,
        end_date=facts.end_date,
        days=load_working_days(session.connection, session.organisation_id),
    )


def _price_at_stake(facts: PlanningFacts, evidence: PriceEvidence | NoEvidence) -> PriceAtStake | None:
    """Return the price that a lever's effect is applied to: the estimate's median, else the quote."""
    quote = facts.quote
    if isinstance(evidence, PriceEvidence):
        amount = evidence.percentiles[MEDIAN_PERCENTILE]
        return PriceAtStake(amount, evidence.currency, "the median estimate", facts.term_length, quote)
    if facts.quoted_amount is not None and facts.currency is not None:
        return PriceAtStake(facts.quoted_amount, facts.currency, "the quote", facts.term_length, quote)
    return None
