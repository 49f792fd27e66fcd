"""Makes a negotiation's strategy: the supplier, the scope, the estimate, the three numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from app.contract.pricing import PERCENTILES
from app.service.catalog.matching import find_company
from app.service.database.tables.files import file
from app.service.database.tables.scopes import scope_document
from app.service.negotiation import questions, summaries
from app.service.negotiation.amounts import amount_of
from app.service.negotiation.case import Case
from app.service.negotiation.deals import Deals
from app.service.negotiation.effects import record_offer, weigh
from app.service.negotiation.letters import write_to_supplier
from app.service.negotiation.levers import Lever, levers_of
from app.service.negotiation.market import Market, market_of
from app.service.negotiation.offers import FROM_FILE, Offer
from app.service.negotiation.store import attachments_of, entries_of, update_of
from app.service.negotiation.strategy import Evidence, NoEvidence, strategy_from
from app.service.pricing.distribution import NotEstimable
from app.service.pricing.estimating import estimate_scope
from app.service.scopes.store import products_of
from app.service.scopes.wire import product_ids
from app.settings import Settings

CENT = Decimal("0.01")


MOST_UNKNOWN = 0.1
"""A quote of which more is for unknown products cannot be held against an estimate of the known ones."""


@dataclass(frozen=True, slots=True)
class Document:
    """What a scope was read from: the file's digest, and the share of its price for unknown products."""

    sha256: str | None
    unknown_share: float


@dataclass(frozen=True, slots=True)
class Findings:
    """What planning found out. `quoted` is the scope's own final price: a quote in hand."""

    market: Market | None
    evidence: Evidence | NoEvidence
    currency: str | None = None
    quoted: Decimal | None = None
    term_length: int | None = None
    document: Document | None = None


def look_up(connection: Connection, row: Row[Any], scope: Row[Any] | None, now: datetime) -> Findings:
    """Reads everything that the strategy rests on. `scope` is the scope's row, None when there is none."""
    company_id = supplier_in_catalog(connection, row.organisation_id, row.supplier) or _seller_of(
        connection, scope
    )
    market = market_of(connection, row.organisation_id, company_id) if company_id else None
    if scope is None or not scope.product_terms or not scope.scope_terms:
        return Findings(market, NoEvidence("No product of the scope is known."))
    document = _document(connection, scope.id)
    if document is not None and document.unknown_share > MOST_UNKNOWN:
        evidence = NoEvidence("Much of the document's price is for products that are not in the catalog.")
    else:
        evidence = _evidence(connection, row.organisation_id, scope, now)
    return Findings(
        market,
        evidence,
        scope.currency,
        _final_price(scope),
        sum(int(term["termLength"]) for term in scope.scope_terms),
        document,
    )


def conclude(case: Case, settings: Settings, found: Findings, clauses: Mapping[str, Any]) -> None:
    """Writes the strategy and moves the negotiation on. `clauses` are those seen in attached documents."""
    market, evidence = found.market, found.evidence
    if market is not None:
        case.set(company_id=market.company_id, supplier=_completed(case.row.supplier, market))
    if case.currency is None and found.currency is not None:
        case.set(currency=found.currency)
    if isinstance(evidence, Evidence) and evidence.currency != case.currency:
        evidence = NoEvidence(f"The quotes are in {case.currency} and the scope is in {evidence.currency}.")
    levers = _levers(market, clauses, case.now)
    case.set(levers=[lever.record() for lever in levers])
    if isinstance(evidence, Evidence):
        case.set(strategy=strategy_from(evidence, levers).record(), unavailable=None)
    else:
        case.set(strategy=None, unavailable=evidence.reason)
    case.expire([row for row in case.open_escalations() if row.reason == "scope_needed"])
    quoted_before = bool(case.offers)
    spoke_before = _spoke_before(case)
    if found.quoted is not None and case.currency == found.currency and not _read_already(case, found):
        _record_scope_price(case, found)
    case.record("planned", {"purchases": evidence.purchases if isinstance(evidence, Evidence) else 0})
    case.move("pending")
    if isinstance(evidence, Evidence):
        strategy = case.strategy
        assert strategy is not None
        case.summarise(summaries.planned(strategy))
    else:
        case.summarise(summaries.planned_without_numbers())
        case.ask(questions.no_estimate(evidence.reason))
    if quoted_before:
        weigh(case, news=True)
    case.wait_for_supplier()
    if spoke_before:
        case.move("active")
    elif not any(one.reading_status == "pending" for one in attachments_of(case.connection, case.id)):
        open_talks(case, settings)


def open_talks(case: Case, settings: Settings) -> None:
    """The first message to the supplier, unless there is a quote to answer instead."""
    if not case.offers:
        opening = case.strategy.opening.amount if case.strategy else None
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


def _seller_of(connection: Connection, scope: Row[Any] | None) -> str | None:
    """Who sells most of a scope's products."""
    if scope is None:
        return None
    products = products_of(connection, product_ids(scope), scope.organisation_id)
    sellers = [known.company_id for known in products.values()]
    return max(sorted(set(sellers)), key=sellers.count, default=None)


def _evidence(
    connection: Connection, organisation_id: str, scope: Row[Any], now: datetime
) -> Evidence | NoEvidence:
    priced = estimate_scope(
        connection,
        organisation_id=organisation_id,
        scope_terms=scope.scope_terms,
        product_terms=scope.product_terms,
        currency=scope.currency,
        today=now.date(),
    )
    unpriced = [part for part in priced.products if isinstance(part.price, NotEstimable)]
    if priced.total is None or unpriced:
        # Numbers for a part of the scope would be held against a quote for the whole.
        names = ", ".join(part.product.name for part in unpriced)
        return NoEvidence(f"There are too few comparable purchases of: {names}.")
    total = priced.total
    return Evidence(
        {
            percent: Decimal(repr(total.quantile(percent / 100))).quantize(CENT, ROUND_HALF_UP)
            for percent in PERCENTILES
        },
        sum(price.purchases for _, price in priced.priced),
        priced.currency,
    )


def _final_price(scope: Row[Any]) -> Decimal | None:
    """The price that the scope states for the whole: of its terms, else of all its products."""
    for terms in (scope.scope_terms, scope.product_terms):
        prices = [amount_of(term["finalPrice"]) for term in terms if "finalPrice" in term]
        if prices and len(prices) == len(terms) and sum(prices) > 0:
            return sum(prices, Decimal(0))
    return None


def _document(connection: Connection, scope_id: str) -> Document | None:
    row = connection.execute(
        sa.select(file.c.sha256, scope_document.c.reading)
        .outerjoin(file, file.c.id == scope_document.c.file_id)
        .where(scope_document.c.scope_id == scope_id)
    ).first()
    if row is None or row.reading is None:
        return None
    whole = unknown = 0.0
    for line, match in zip(row.reading["line_items"], row.reading["matches"], strict=True):
        if not line.get("optional"):
            amount = max(float(line.get("amount") or 0), 0.0)
            whole += amount
            unknown += 0.0 if match is not None else amount
    return Document(row.sha256, unknown / whole if whole else 0.0)


def _read_already(case: Case, found: Findings) -> bool:
    """Whether the document that the scope was read from is, or will be, an offer as an attached file."""
    if case.row.scopes_tried:
        return True
    digest = found.document.sha256 if found.document else None
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
    )
    if found.document is None or found.document.sha256 is None:
        record_offer(case, offer, {"atStart": True})
    else:
        digest = found.document.sha256
        record_offer(case, offer, {"atStart": True}, source=FROM_FILE, external_id=digest, digest=digest)


def _spoke_before(case: Case) -> bool:
    """Whether the supplier has answered while the strategy was being made."""
    return any(
        row.kind in {"quote", "message"} and not row.content.get("atStart")
        for row in entries_of(case.connection, case.id)
    )


def _levers(market: Market | None, clauses: Mapping[str, Any], now: datetime) -> list[Lever]:
    return levers_of(
        market.deals if market else Deals(()),
        market.rivals if market else (),
        fiscal_year_end=market.fiscal_year_end if market else None,
        clauses=clauses,
        today=now.date(),
    )


def _completed(supplier: Mapping[str, Any], market: Market) -> dict[str, Any]:
    found = {"companyId": market.company_id, "name": market.name}
    if market.domain:
        found["domain"] = market.domain
    return {**found, **{key: value for key, value in supplier.items() if value is not None}}
