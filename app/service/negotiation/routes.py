"""Routes of negotiations with suppliers: start, follow, decide, and how right their estimates were."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, time
from decimal import ROUND_HALF_UP, Decimal
from statistics import median
from typing import Annotated

import sqlalchemy as sa
from fastapi import APIRouter, Depends, Path
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.negotiation import (
    Escalation,
    EscalationQuery,
    EscalationRead,
    Faqs,
    ListedNegotiation,
    NegotiationChange,
    NegotiationDocument,
    NegotiationParticipant,
    NegotiationQuery,
    NegotiationSummary,
    StartedNegotiation,
    StartNegotiation,
    Timeline,
)
from app.contract.page import MAX_LIMIT, ListPage, PageRequest, Pagination
from app.contract.pricing import MIN_PURCHASES
from app.contract.savings import DealAccuracy, DealEstimate, SavingsReport, UncountedDeals
from app.contract.strategy import PreviousPrice
from app.contract.values import Id, json_number, wire_instant
from app.service.access.guard import CallerDep, GuardedRoute, PlainGuardedRoute
from app.service.agreements.store import find_agreement_of
from app.service.comments.naming_mail import tell_new_owners
from app.service.database.tables import agreement, entry
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension, operation
from app.service.http.problems import require
from app.service.http.query_parameters import Limit, Offset, PageDep, page_response, query_parameters
from app.service.http.responses import created_response, json_response
from app.service.negotiation import entries, negotiation_start, store, wire
from app.service.negotiation.agreed_prices import AgreedNegotiationRow, load_counted_negotiations
from app.service.negotiation.market import build_faqs, load_supplier_market
from app.service.negotiation.offers.offer import find_best_amount
from app.service.negotiation.offers.scope_requirements import load_requirements
from app.service.negotiation.previous_price import find_previous_price
from app.service.negotiation.renewals import find_days_to_act
from app.service.negotiation.rows import NegotiationRow
from app.service.negotiation.savings_report import build_savings_report
from app.service.negotiation.store import require_negotiation
from app.service.scopes.store import find_scope, load_products

NegotiationId = Annotated[Id, Path(alias="negotiationId")]
EscalationId = Annotated[Id, Path(alias="escalationId")]
CompanyId = Annotated[Id, Path(alias="companyId")]


async def _timeline_page(limit: Limit = MAX_LIMIT, offset: Offset = 0) -> PageRequest:
    return PageRequest(limit, offset)


TimelinePageDep = Annotated[PageRequest, Depends(_timeline_page)]
"""Which of the newest entries are asked for; more by default than in other lists."""

start_router = APIRouter(prefix="/v1/negotiation", tags=["Negotiation"], route_class=PlainGuardedRoute)
router = APIRouter(prefix="/v1/negotiation", tags=["Negotiation"], route_class=GuardedRoute)


@start_router.post(
    "/start", **operation("negotiations.start", "Start a negotiation", StartedNegotiation, status_code=201)
)
def start(body: StartNegotiation, context: ContextDep, caller: CallerDep) -> Response:
    """Starts a negotiation. Its strategy is made in the background."""
    with context.database.writing() as connection:
        negotiation_id = negotiation_start.start_negotiation(connection, context, caller, body)
    return created_response(
        StartedNegotiation(negotiation_id=negotiation_id), f"/v1/negotiation/{negotiation_id}/summary"
    )


# Paths with a fixed second part stand before those that take an id there.


@router.get("", **extension("negotiations.list", "List negotiations", ListPage[ListedNegotiation]))
def negotiations(
    context: ContextDep,
    caller: CallerDep,
    query: Annotated[NegotiationQuery, Depends(query_parameters(NegotiationQuery))],
    page: PageDep,
) -> Response:
    """The caller's own negotiations, newest first."""
    with context.database.reading() as connection:
        total, rows = store.list_negotiations(connection, caller.organisation_id, query, page)
        records = _build_listed(connection, rows, context.clock())
    return page_response(records, total, page)


@router.get("/savings", **extension("savings.read", "Read the savings of all agreed prices", SavingsReport))
def savings(context: ContextDep, caller: CallerDep) -> Response:
    """Returns the savings of all agreements: in total, by supplier, month and category."""
    with context.database.reading() as connection:
        agreements = load_counted_negotiations(connection, caller.organisation_id)
    return json_response(build_savings_report(agreements))


@router.get(
    "/faqs/{companyId}", **operation("faqs.list", "List questions and answers about a supplier", Faqs, 404)
)
def faqs(company_id: CompanyId, context: ContextDep, caller: CallerDep) -> Response:
    """Returns questions about a supplier with answers from purchases on record, at least five for each."""
    with context.database.reading() as connection:
        market = require(load_supplier_market(connection, caller.organisation_id, company_id), "company")
    return json_response(Faqs(faqs=[*build_faqs(market)], last_updated_at=market.last_updated_at))


@router.patch(
    "/{negotiationId}",
    **extension("negotiations.update", "Name the owners of a negotiation", ListedNegotiation, 404),
)
def update(
    negotiation_id: NegotiationId, body: NegotiationChange, context: ContextDep, caller: CallerDep
) -> Response:
    """Name who looks after a negotiation. New owners with an address get a mail, where there is a mail
    server."""
    with context.database.writing() as connection:
        before = require_negotiation(connection, caller, negotiation_id)
        store.save_owners(connection, negotiation_id, body.owners or ())
        tell_new_owners(
            connection,
            context,
            caller,
            "negotiation",
            negotiation_id,
            before=before.owners,
            after=body.owners,
        )
        row = require_negotiation(connection, caller, negotiation_id)
        [record] = _build_listed(connection, [row], context.clock())
    return json_response(record)


@router.get(
    "/{negotiationId}/summary",
    **operation("negotiations.read", "Read the summary of a negotiation", NegotiationSummary, 404),
)
def summary(negotiation_id: NegotiationId, context: ContextDep, caller: CallerDep) -> Response:
    """Returns the current state of a negotiation."""
    with context.database.reading() as connection:
        row = require_negotiation(connection, caller, negotiation_id)
        scope = find_scope(connection, caller.organisation_id, row.scope_id) if row.scope_id else None
        escalations = store.load_listed_escalations(connection, negotiation_id)
        summaries = store.load_summaries(connection, negotiation_id)
        products = load_products(connection, scope.product_ids, caller.organisation_id) if scope else {}
    # JSON types: with hundreds of updates, making the record and then its JSON takes several times as long.
    record = {
        "id": row.id,
        "status": row.status,
        "createdAt": wire_instant(row.created_at),
        "updatedAt": wire_instant(row.updated_at),
        "url": f"{context.settings.dashboard_url}/negotiation?id={row.id}",
        "escalations": [
            wire.build_escalation_record(one, wire.parse_options(one.options)) for one in escalations
        ],
        "supplier": wire.build_supplier(row).wire(),
        "executiveSummaries": [
            {
                "createdAt": wire_instant(one.created_at),
                "title": one.title,
                "text": one.text,
                "figures": {
                    wire.FIGURES[name]: json_number(Decimal(value)) for name, value in one.figures.items()
                },
            }
            for one in summaries
        ],
        "scope": wire.build_scope(scope, products).wire() if scope is not None else {},
    }
    return json_response(record)


@router.get(
    "/{negotiationId}/timeline",
    **extension("timelines.read", "Read the timeline of a negotiation", Timeline, 404),
)
def timeline(
    negotiation_id: NegotiationId, context: ContextDep, caller: CallerDep, page: TimelinePageDep
) -> Response:
    """Returns what is on record, with a page of the newest entries in the order in which they happened. Each
    has the three numbers in force when it was recorded."""
    with context.database.reading() as connection:
        row = require_negotiation(connection, caller, negotiation_id)
        offers = store.load_offers(connection, [negotiation_id]).get(negotiation_id, [])
        scope = find_scope(connection, caller.organisation_id, row.scope_id) if row.scope_id else None
        known = scope if scope is not None and scope.product_terms else None
        now = context.clock()
        total, rows = entries.load_entries(connection, negotiation_id, page)
        corrections = entries.load_corrections(connection, negotiation_id)
        bought = load_requirements(connection, known) if known is not None else None
        previous = None
        if row.agreement is not None:  # what was paid last is what was agreed
            previous = wire.find_measured_price(row.agreement)
        elif known is not None:
            found = find_previous_price(
                connection, caller.organisation_id, known, row.currency, known.stated_months, now
            )
            previous = PreviousPrice.build_from(found) if found else None
        record = Timeline.build_from(
            row,
            negotiation_id=row.id,
            renews_agreement_id=row.agreement_id,
            agreement_id=None
            if row.agreement is None
            else find_agreement_of(connection, agreement.c.negotiation_id, negotiation_id),
            act_by=find_days_to_act(connection, caller.organisation_id, [row])[negotiation_id],
            owners=[*row.owners] or None,
            strategy=wire.build_strategy(row),
            best_offer=find_best_amount(offers, now),
            measures=wire.build_measures(row.agreement.measures if row.agreement else ()),
            unmeasured=row.agreement.unmeasured if row.agreement else None,
            quantity=bought.quantity if bought else None,
            term_months=bought.term_length if bought else None,
            previous=previous,
            entries=[wire.build_entry(one, corrections.get(one.id)) for one in rows],
            pagination=Pagination(total=total, limit=page.limit, offset=page.offset),
            documents=[
                NegotiationDocument.build_from(one, status=one.reading_status)
                for one in store.load_attachments(connection, negotiation_id)
            ],
            participants=[
                NegotiationParticipant(name=one["name"], email=one["email"], role=one.get("role"))
                for one in row.participants
            ],
            mails=[wire.build_mail(one) for one in store.load_mails(connection, negotiation_id)],
        )
    return json_response(record)


@router.get(
    "/{negotiationId}/escalations",
    **operation("escalations.list", "List the escalations of a negotiation", ListPage[Escalation], 404),
)
def escalations(
    negotiation_id: NegotiationId,
    context: ContextDep,
    caller: CallerDep,
    query: Annotated[EscalationQuery, Depends(query_parameters(EscalationQuery))],
    page: PageDep,
) -> Response:
    """Returns the decisions that a person must take, or had to take, newest first."""
    with context.database.reading() as connection:
        require_negotiation(connection, caller, negotiation_id)
        total, rows = store.list_escalations(connection, negotiation_id, query, page)
    return page_response([wire.build_escalation(row) for row in rows], total, page)


@router.get(
    "/{negotiationId}/escalations/{escalationId}",
    **operation("escalations.read", "Read an escalation", EscalationRead, 404),
)
def escalation(
    negotiation_id: NegotiationId, escalation_id: EscalationId, context: ContextDep, caller: CallerDep
) -> Response:
    """Returns one decision with its options and their consequences."""
    with context.database.reading() as connection:
        require_negotiation(connection, caller, negotiation_id)
        row = require(store.find_escalation(connection, negotiation_id, escalation_id), "escalation")
    return json_response(EscalationRead(escalation=wire.build_escalation(row)))


def _build_listed(
    connection: Connection, rows: Sequence[NegotiationRow], now: datetime
) -> list[ListedNegotiation]:
    ids = [row.id for row in rows]
    offers = store.load_offers(connection, ids)
    waiting = store.count_open_escalations(connection, ids)
    drafts = store.count_draft_mails(connection, ids)
    names = store.load_product_names(connection, [row.scope_id for row in rows if row.scope_id])
    act_by = find_days_to_act(connection, rows[0].organisation_id, rows) if rows else {}
    listed: list[ListedNegotiation] = []
    for row in rows:
        made = offers.get(row.id, [])
        agreed, strategy = row.agreement, row.strategy
        main = agreed.savings if agreed else None
        listed.append(
            ListedNegotiation.build_from(
                row,
                supplier=wire.build_supplier(row),
                product_names=names.get(row.scope_id or "") or None,
                open_escalations=waiting.get(row.id, 0),
                first_quoted=made[0].amount if made else None,
                quoted=made[-1].amount if made else None,
                best_offer=find_best_amount(made, now),
                target=strategy.target.amount if strategy else None,
                walk_away=strategy.walk_away.amount if strategy else None,
                agreed=agreed.amount if agreed else None,
                savings=main.saved if main else None,
                savings_rate=main.rate if main else None,
                measures=wire.build_measures(agreed.measures if agreed else ()),
                drafts=drafts.get(row.id, 0),
                renews_agreement_id=row.agreement_id,
                act_by=act_by[row.id],
                owners=[*row.owners] or None,
            )
        )
    return listed


@router.get(
    "/accuracy",
    **extension("dealAccuracy.read", "Read how right the estimates of negotiations were", DealAccuracy),
)
def accuracy(context: ContextDep, caller: CallerDep) -> Response:
    """Compare each agreed price with what was estimated before it was agreed, of the same scope and term.
    What cannot be compared is counted with the reason."""
    with context.database.reading() as connection:
        return json_response(_measure_deals(connection, caller.organisation_id))


_MIN_DEALS = MIN_PURCHASES
_STEP = Decimal("0.0001")


def _measure_deals(connection: Connection, organisation_id: str) -> DealAccuracy:
    """Compare what was estimated with what was paid, deal by deal, the newest first."""
    deals = load_counted_negotiations(connection, organisation_id)
    estimated = _load_days(connection, [deal.negotiation_id for deal in deals])
    compared: list[DealEstimate] = []
    uncounted: Counter[str] = Counter()
    for deal in deals:
        one = _compare(connection, deal, estimated.get(deal.negotiation_id))
        if isinstance(one, str):
            uncounted[one] += 1
        else:
            compared.append(one)
    errors = [one.error for one in compared]
    known = [one.within80 for one in compared if one.within80 is not None]
    return DealAccuracy(
        deals=len(compared),
        mdape=_round(median(abs(error) for error in errors)) if errors else None,
        bias=_round(median(errors)) if errors else None,
        coverage80=_round(Decimal(sum(known)) / len(known)) if known else None,
        statement=_describe(len(compared), len(deals)),
        compared=sorted(compared, key=lambda one: (one.signed_at, one.negotiation_id), reverse=True),
        uncounted=[UncountedDeals(reason=reason, total=total) for reason, total in uncounted.most_common()],
    )


def _compare(
    connection: Connection, deal: AgreedNegotiationRow, estimated_at: datetime | None
) -> DealEstimate | str:
    """Return the comparison of one deal, or why there is none."""
    if deal.sample:
        return "It is of sample data, whose prices are invented."
    row = deal.row
    agreed, strategy = row.agreement, row.strategy
    if agreed is None or strategy is None or strategy.median is None or estimated_at is None:
        return "There was no estimate."
    if strategy.quoted_part:
        return "The estimate covered only a part of the lines."
    if row.currency != strategy.currency:
        return "The price was agreed in another currency."
    if not _is_before(estimated_at, agreed.signed_at):
        return "The estimate was not surely made before the price was agreed."
    scope = find_scope(connection, row.organisation_id, row.scope_id) if row.scope_id else None
    if agreed.term_length is not None and scope is not None and agreed.term_length != scope.months:
        return "The price was agreed for another term."
    if agreed.other_offer is not None:
        return "The price was agreed for other quantities or products."
    low, high = strategy.low, strategy.high
    return DealEstimate(
        negotiation_id=row.id,
        supplier=deal.supplier,
        estimated_at=estimated_at,
        signed_at=agreed.signed_at,
        currency=strategy.currency,
        median=strategy.median,
        low=low,
        high=high,
        paid=agreed.amount,
        error=_round((strategy.median - agreed.amount) / agreed.amount),
        within80=None if low is None or high is None else low <= agreed.amount <= high,
    )


def _is_before(estimated_at: datetime, signed_at: datetime) -> bool:
    """Say whether the estimate came first. Of a day alone nobody knows the hour: the estimate must be of an
    earlier day."""
    if signed_at.time() == time():
        return estimated_at.date() < signed_at.date()
    return estimated_at < signed_at


def _load_days(connection: Connection, negotiation_ids: Sequence[str]) -> dict[str, datetime]:
    """Return when the estimate of each negotiation was last made."""
    rows = connection.execute(
        sa.select(entry.c.negotiation_id, sa.func.max(entry.c.recorded_at, type_=entry.c.recorded_at.type))
        .where(entry.c.negotiation_id.in_(negotiation_ids), entry.c.kind.in_(("planned", "strategy")))
        .group_by(entry.c.negotiation_id)
    )
    return {row[0]: row[1] for row in rows}


def _describe(deals: int, agreed: int) -> str:
    if not agreed:
        return "No price has been agreed in a negotiation yet."
    compared = "1 deal" if deals == 1 else f"{deals:,} deals"
    if not deals:
        return "None of the agreed prices had an estimate before it that can be compared."
    if deals < _MIN_DEALS:
        return (
            f"Only {compared} can be compared: too few to say how right estimates are before a deal. At least"
            f" {_MIN_DEALS} are needed."
        )
    return (
        f"{compared} out of {agreed:,} are compared: each estimate was made before its price was agreed, of"
        " the same scope and term. A negotiation that used the estimate may have moved the price towards it."
    )


def _round(share: Decimal) -> Decimal:
    return share.quantize(_STEP, ROUND_HALF_UP)
