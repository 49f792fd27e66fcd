"""Makes a negotiation's strategy: the supplier, the scope, the estimate, the three numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from app.contract.pricing import PERCENTILES
from app.service.catalog.names import company_key
from app.service.database.tables.catalog import company
from app.service.negotiation import questions, summaries
from app.service.negotiation.amounts import amount_of
from app.service.negotiation.case import Case
from app.service.negotiation.deals import Deals
from app.service.negotiation.effects import record_offer, weigh
from app.service.negotiation.letters import write_to_supplier
from app.service.negotiation.levers import Lever, levers_of
from app.service.negotiation.market import Market, market_of
from app.service.negotiation.offers import Offer
from app.service.negotiation.store import entries_of
from app.service.negotiation.strategy import Evidence, NoEvidence, strategy_from
from app.service.pricing.distribution import NotEstimable
from app.service.pricing.estimating import estimate_scope
from app.service.scopes.store import products_of
from app.service.scopes.wire import product_ids
from app.settings import Settings

CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Findings:
    """What planning found out. `quoted` is the scope's own final price: a quote in hand."""

    market: Market | None
    evidence: Evidence | NoEvidence
    currency: str | None
    quoted: Decimal | None
    term_length: int | None


def look_up(connection: Connection, row: Row[Any], scope: Row[Any] | None, now: datetime) -> Findings:
    """Reads everything that the strategy rests on. `scope` is the scope's row, None when there is none."""
    company_id = supplier_in_catalog(connection, row.supplier) or _seller_of(connection, scope)
    market = market_of(connection, row.organisation_id, company_id) if company_id else None
    if scope is None or not scope.product_terms or not scope.scope_terms:
        return Findings(market, NoEvidence("No product of the scope is known."), None, None, None)
    return Findings(
        market,
        _evidence(connection, row.organisation_id, scope, now),
        scope.currency,
        _final_price(scope),
        sum(int(term["termLength"]) for term in scope.scope_terms),
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
    if found.quoted is not None and case.currency == found.currency and not _in_hand(case, found.quoted):
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
    elif not case.offers:
        opening = case.strategy.opening.amount if case.strategy else None
        write_to_supplier(case, settings, "opening", amount=opening)


def supplier_in_catalog(connection: Connection, supplier: Mapping[str, Any]) -> str | None:
    """The catalog's company that a supplier names: by id, else by domain, else by name if only one has it."""
    if supplier.get("companyId"):
        return str(supplier["companyId"])
    domain = str(supplier.get("domain") or "").lower().removeprefix("www.")
    by_mail = str(supplier.get("contactEmail") or "").rpartition("@")[2].lower()
    for wanted in (domain, by_mail):
        if wanted:
            ids = connection.scalars(sa.select(company.c.id).where(company.c.domain == wanted).limit(2)).all()
            if len(ids) == 1:
                return ids[0]
    key = company_key(str(supplier.get("name") or ""))
    if not key:
        return None
    ids = connection.scalars(sa.select(company.c.id).where(company.c.name_key == key).limit(2)).all()
    return ids[0] if len(ids) == 1 else None


def _seller_of(connection: Connection, scope: Row[Any] | None) -> str | None:
    """Who sells most of a scope's products."""
    if scope is None:
        return None
    sellers = [known.company_id for known in products_of(connection, product_ids(scope)).values()]
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


def _in_hand(case: Case, quoted: Decimal) -> bool:
    return any(offer.amount == quoted for offer in case.offers)


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
    record_offer(case, offer, {})


def _spoke_before(case: Case) -> bool:
    """Whether the supplier has answered while the strategy was being made."""
    return any(
        row.kind in {"quote", "message"} and row.source is not None
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
