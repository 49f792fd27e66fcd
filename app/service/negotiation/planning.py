"""Makes a negotiation's strategy: the supplier, the scope, the estimate, the three numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from app.service.catalog.matching import find_company
from app.service.database.tables.files import file
from app.service.database.tables.scopes import scope_document
from app.service.negotiation.assessment.document_offer import clauses_of
from app.service.negotiation.assessment.offer_assessment import (
    counter_at_hand,
    mark_offers,
    record_offer,
    weigh,
)
from app.service.negotiation.mail.outgoing_mail import write_to_supplier
from app.service.negotiation.market.purchase_stats import Deals
from app.service.negotiation.market.supplier_market import Market, market_of
from app.service.negotiation.offers.offer import FROM_FILE, Offer, in_hand
from app.service.negotiation.session import escalation_drafts, executive_summaries
from app.service.negotiation.session.negotiation_session import Case
from app.service.negotiation.store import attachments_of, entries_of, update_of
from app.service.negotiation.strategy.levers import Lever, Price, levers_of
from app.service.negotiation.strategy.scope_evidence import evidence_for
from app.service.negotiation.strategy.strategy import MEDIAN_AT, Evidence, NoEvidence, changes, strategy_from
from app.service.scopes.quote import ScopeQuote
from app.service.scopes.quote_store import quote_behind
from app.service.scopes.store import products_of
from app.service.scopes.stored_scope import StoredScope
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class Findings:
    """What planning found out. `quoted` is the scope's own final price: a quote in hand; `quote` the document
    behind the scope; `coverage` says how much of it the estimate is for, empty where it is all."""

    market: Market | None
    evidence: Evidence | NoEvidence
    currency: str | None = None
    quoted: Decimal | None = None
    term_length: int | None = None
    quote: ScopeQuote | None = None
    sha256: str | None = None
    coverage: str = ""
    ends: date | None = None


def look_up(connection: Connection, row: Row[Any], scope: StoredScope | None, now: datetime) -> Findings:
    """Reads everything that the strategy rests on. `scope` is None when there is none."""
    company_id = supplier_in_catalog(connection, row.organisation_id, row.supplier) or _seller_of(
        connection, scope
    )
    market = market_of(connection, row.organisation_id, company_id) if company_id else None
    if scope is None or not scope.scope_terms:
        return Findings(market, NoEvidence("It is not known what is to be bought."))
    quote = quote_behind(connection, scope)
    known = Findings(
        market,
        NoEvidence(_nothing_known(quote)),
        scope.currency,
        _final_price(scope),
        scope.months,
        quote,
        quote.sha256 if quote else _digest_of_document(connection, scope.id),
        ends=scope.scope_terms[-1].end_date,
    )
    if not scope.product_terms:
        return known
    found = evidence_for(connection, row.organisation_id, scope, quote, now)
    return replace(known, evidence=found.found, coverage=found.covered)


def _nothing_known(quote: ScopeQuote | None) -> str:
    costing = [line for line in (quote.lines if quote else ()) if line.amount is None or line.amount > 0]
    if not costing:
        return "No product of the scope is known."
    if len(costing) == 1:
        return "The line of this quote is for no product of the catalog: it can be added in the review."
    return (
        f"None of the {len(costing)} lines of this quote is for a product of the catalog: they can be added"
        " in the review."
    )


def conclude(case: Case, settings: Settings, found: Findings) -> None:
    """Writes the strategy and moves the negotiation on."""
    market = found.market
    if market is not None:
        case.set(company_id=market.company_id, supplier=_completed(case.row.supplier, market))
    if case.currency is None and found.currency is not None:
        case.set(currency=found.currency)
    mark_offers(case)
    evidence = _make_strategy(case, found)
    case.expire([row for row in case.open_escalations() if row.reason == "scope_needed"])
    quoted_before = bool(case.offers)
    spoke_before = _spoke_before(case)
    case.record("planned", {"purchases": evidence.purchases if isinstance(evidence, Evidence) else 0})
    if found.quoted is not None and case.currency == found.currency and not _read_already(case, found):
        _record_scope_price(case, found)
    case.move("pending")
    if case.strategy is not None:
        case.summarise(executive_summaries.planned(case.strategy))
    else:
        case.summarise(executive_summaries.planned_without_numbers())
    _ask_about(case, evidence)
    if quoted_before:
        weigh(case, news=case.strategy is not None)
    case.wait_for_supplier()
    if spoke_before:
        case.move("active")
    elif not any(one.reading_status == "pending" for one in attachments_of(case.connection, case.id)):
        open_talks(case, settings)


def plan_anew(case: Case, found: Findings, scope_id: str | None) -> None:
    """New evidence, or another scope: sets the numbers that follow from it, and says on the timeline what
    they were and why they changed."""
    before = case.strategy
    another = scope_id is not None and scope_id != case.row.scope_id
    if another:
        case.set(scope_id=scope_id)
        mark_offers(case)
    evidence = _make_strategy(case, found)
    case.expire([row for row in case.open_escalations() if row.reason in {"no_estimate", "evidence_thin"}])
    old, new = (one.numbers if one else None for one in (before, case.strategy))
    because = "The scope changed" if another else "Made anew from the evidence on record"
    rests = f" ({evidence.purchases:,} purchases)" if isinstance(evidence, Evidence) else ""
    what = changes(old, new, case.currency or "") or "the numbers stay as they were"
    text = f"{because}{rests}: {what}."
    case.record("strategy", {"from": old, "to": new, "text": text})
    _ask_about(case, evidence)
    if old != new and case.strategy is not None:
        case.summarise(executive_summaries.numbers_changed(case.strategy))
    weigh(case, news=False, again=True)


def _clauses_seen(case: Case) -> Mapping[str, Any]:
    """Those of the newest offer that has any."""
    seen = [offer.clauses for offer in case.offers if offer.clauses]
    return seen[-1] if seen else {}


def _make_strategy(case: Case, found: Findings) -> Evidence | NoEvidence:
    """Sets the levers and the numbers; those that a person typed before stand. Returns what they rest on."""
    evidence = found.evidence
    if isinstance(evidence, Evidence) and evidence.currency != case.currency:
        evidence = NoEvidence(f"The quotes are in {case.currency} and the scope is in {evidence.currency}.")
    levers = _levers(found, _clauses_seen(case), evidence, case.now)
    case.set(levers=[lever.record() for lever in levers], coverage=found.coverage or None)
    if isinstance(evidence, NoEvidence):
        case.set(unavailable=evidence.reason)
        if case.strategy is not None and not case.strategy.is_typed:
            case.set(strategy=None)
        return evidence
    estimated = strategy_from(evidence, levers, _lowest_in_hand(case, found))
    if case.strategy is not None and case.strategy.is_typed:
        estimated = replace(case.strategy, median=estimated.median)
    case.set(strategy=estimated.record(), unavailable=None)
    return evidence


def _ask_about(case: Case, evidence: Evidence | NoEvidence) -> None:
    """What is missing in the evidence, unless a person's own numbers stand."""
    if case.strategy is not None and case.strategy.is_typed:
        return
    if isinstance(evidence, NoEvidence):
        case.ask(escalation_drafts.no_estimate(evidence.reason))
    elif evidence.doubts:
        case.ask(escalation_drafts.thin_evidence(evidence.doubts))


def _lowest_in_hand(case: Case, found: Findings) -> Decimal | None:
    """Of the quotes for what is asked that the buyer has now: those on record, and the price that the scope
    states."""
    amounts = [offer.amount for offer in in_hand(case.offers, case.now) if offer.fits]
    if found.quoted is not None and case.currency == found.currency:
        amounts.append(found.quoted)
    return min(amounts, default=None)


def open_talks(case: Case, settings: Settings) -> None:
    """The first message to the supplier, unless there is a quote to answer instead."""
    if not case.offers:
        counter = counter_at_hand(case)
        opening = counter.amount if counter else None
        write_to_supplier(case, settings, "opening", amount=opening)


def supplier_in_catalog(
    connection: Connection, organisation_id: str, supplier: Mapping[str, Any]
) -> str | None:
    """The company that a supplier is, among those that the organisation sees: by id, domain, name, or the
    host of its contact's address."""
    if supplier.get("companyId"):
        return str(supplier["companyId"])
    given: str | None = supplier.get("name")
    mail_host = str(supplier.get("contactEmail") or "").rpartition("@")[2]
    return find_company(
        connection, organisation_id, name=given, domain=supplier.get("domain")
    ) or find_company(connection, organisation_id, domain=mail_host)


def _seller_of(connection: Connection, scope: StoredScope | None) -> str | None:
    """Who sells most of a scope's products."""
    if scope is None:
        return None
    products = products_of(connection, scope.product_ids, scope.organisation_id)
    sellers = [known.company_id for known in products.values()]
    return max(sorted(set(sellers)), key=sellers.count, default=None)


def _final_price(scope: StoredScope) -> Decimal | None:
    """The price that the scope states for the whole: of its terms, else of all its products."""
    for terms in (scope.scope_terms, scope.product_terms):
        prices = [term.final_price for term in terms if term.final_price is not None]
        if prices and len(prices) == len(terms) and sum(prices) > 0:
            return sum(prices, Decimal(0))
    return None


def _digest_of_document(connection: Connection, scope_id: str) -> str | None:
    """The SHA-256 of the file that a scope was read from."""
    return connection.scalar(
        sa.select(file.c.sha256)
        .join(scope_document, scope_document.c.file_id == file.c.id)
        .where(scope_document.c.scope_id == scope_id)
    )


def _read_already(case: Case, found: Findings) -> bool:
    """Whether the document that the scope was read from is, or will be, an offer as an attached file."""
    if case.row.scopes_tried:
        return True
    digest = found.sha256
    return digest is not None and update_of(case.connection, case.id, FROM_FILE, digest) is not None


def _record_scope_price(case: Case, found: Findings) -> None:
    assert found.quoted is not None
    assert found.currency is not None
    offer = Offer(
        entry_id="",
        # What the negotiation began with comes before everything that was said in it.
        happened_at=case.row.created_at,
        amount=found.quoted,
        currency=found.currency,
        origin="scope",
        term_length=found.term_length,
        valid_until=found.quote.valid_until if found.quote else None,
        clauses=clauses_of(found.quote.clauses) if found.quote else {},
        number=found.quote.number if found.quote else None,
    )
    if found.sha256 is None:
        record_offer(case, offer, {"atStart": True})
    else:
        digest = found.sha256
        record_offer(case, offer, {"atStart": True}, source=FROM_FILE, external_id=digest, digest=digest)


def _spoke_before(case: Case) -> bool:
    """Whether the supplier has answered while the strategy was being made."""
    return any(
        row.kind in {"quote", "message"} and not row.content.get("atStart")
        for row in entries_of(case.connection, case.id)
    )


def _levers(
    found: Findings, clauses: Mapping[str, Any], evidence: Evidence | NoEvidence, now: datetime
) -> list[Lever]:
    market = found.market
    return levers_of(
        market.deals if market else Deals(()),
        market.rivals if market else (),
        fiscal_year_end=market.fiscal_year_end if market else None,
        clauses=clauses or (clauses_of(found.quote.clauses) if found.quote else {}),
        today=now.date(),
        price=_price(found, evidence),
        ends=found.ends,
    )


def _price(found: Findings, evidence: Evidence | NoEvidence) -> Price | None:
    """What a lever's effect is reckoned on: the estimate's median, else the price in hand."""
    if isinstance(evidence, Evidence):
        amount = evidence.percentiles[MEDIAN_AT]
        return Price(amount, evidence.currency, "the middle of the estimate", found.term_length, found.quote)
    if found.quoted is not None and found.currency is not None:
        return Price(found.quoted, found.currency, "the quote", found.term_length, found.quote)
    return None


def _completed(supplier: Mapping[str, Any], market: Market) -> dict[str, Any]:
    found = {"companyId": market.company_id, "name": market.name}
    if market.domain:
        found["domain"] = market.domain
    return {**found, **{key: value for key, value in supplier.items() if value is not None}}
