"""The routes of what an agreement's lines became as purchases, and of what was paid over time."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import APIRouter, Path, Query
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.agreement_purchases import (
    AgreementPurchase,
    DecidedPurchase,
    PriceHistory,
    PurchaseDecision,
    RecordedPurchase,
)
from app.contract.page import ListPage
from app.contract.values import Id
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.agreements.learning.decided_purchases import decide_purchase
from app.service.agreements.price_history import load_agreement_history, load_supplier_history
from app.service.agreements.store import require_agreement
from app.service.agreements.stored_agreement import StoredAgreement
from app.service.catalog.store import company_exists
from app.service.comments.people import name_decider
from app.service.database.rows import batched
from app.service.database.tables import agreement_purchase, purchase, same_purchase
from app.service.database.visibility import owned_by
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.problems import bad_request, not_found
from app.service.http.query_parameters import PageDep, page_response
from app.service.http.responses import json_response
from app.service.pricing.product_prices import round_unit_price

AgreementId = Annotated[Id, Path(alias="agreementId")]
_AT_ONCE = 500

router = APIRouter(prefix="/v1/agreements", tags=["Agreements"], route_class=GuardedRoute)
history_router = APIRouter(prefix="/v1", tags=["Agreements"], route_class=GuardedRoute)

OfAgreement = Annotated[
    Id | None, Query(alias="agreementId", description="The agreement, with those before and after it.")
]
OfCompany = Annotated[Id | None, Query(alias="companyId", description="The supplier.")]


@router.get(
    "/{agreementId}/purchases",
    **extension(
        "agreementPurchases.list",
        "List what an agreement's lines became as purchases",
        ListPage[AgreementPurchase],
        404,
    ),
)
def purchases(agreement_id: AgreementId, context: ContextDep, caller: CallerDep, page: PageDep) -> Response:
    """List the lines of an agreement with the purchase of the organisation that each is, which the next
    estimate of its product knows; also what may be the same purchase but is not surely so, and why a line is
    none."""
    with context.database.reading() as connection:
        one = require_agreement(connection, caller.organisation_id, agreement_id)
        records = list(_build_records(connection, one))
    return page_response(records[page.offset : page.end], len(records), page)


@router.post(
    "/{agreementId}/purchases/decision",
    **extension(
        "agreementPurchases.decide",
        "Decide whether a purchase is that of an agreement's line",
        AgreementPurchase,
        404,
    ),
)
def decide(
    agreement_id: AgreementId, body: PurchaseDecision, context: ContextDep, caller: CallerDep
) -> Response:
    """Decide of a purchase that may be that of a line (`alike`) whether it is. The same counts once from then
    on, seconds later; others both count, and nobody is asked again."""
    with context.database.writing() as connection:
        one = require_agreement(connection, caller.organisation_id, agreement_id, to_change=True)
        if body.line >= len(one.agreed.lines or ()):
            raise bad_request("/line", f"The agreement has {len(one.agreed.lines or ())} lines, from 0 on.")
        decided_by = name_decider(connection, caller)
        decide_purchase(connection, one, body, now=context.clock(), decided_by=decided_by)
        record = list(_build_records(connection, one))[body.line]
    return json_response(record)


@history_router.get(
    "/price-history",
    **extension("priceHistory.read", "Read what was paid for a unit over time", PriceHistory, 404),
)
def price_history(
    context: ContextDep, caller: CallerDep, agreement_id: OfAgreement = None, company_id: OfCompany = None
) -> Response:
    """Return the prices that the organisation paid for a unit, of a supplier or of the products of an
    agreement and of those before and after it: a line for each supplier, product, unit and currency. It says
    where two purchases may not be of the same thing."""
    if (agreement_id is None) == (company_id is None):
        raise bad_request("agreementId", "Name an agreement (agreementId) or a supplier (companyId).")
    with context.database.reading() as connection:
        if company_id is not None:
            if not company_exists(connection, caller.organisation_id, company_id):
                raise not_found("company")
            history = load_supplier_history(connection, caller.organisation_id, company_id)
        else:
            one = require_agreement(connection, caller.organisation_id, agreement_id or "")
            history = load_agreement_history(connection, one)
    return json_response(history)


def _build_records(connection: Connection, one: StoredAgreement) -> Iterator[AgreementPurchase]:
    links = {
        row.line: row
        for row in connection.execute(
            sa.select(agreement_purchase).where(agreement_purchase.c.agreement_id == one.id)
        )
    }
    decisions: defaultdict[int, dict[str, Any]] = defaultdict(dict)
    of_agreement = same_purchase.c.agreement_id == one.id
    for row in connection.execute(sa.select(same_purchase).where(of_agreement)):
        decisions[row.line][row.purchase_id] = row
    named = {row.purchase_id for row in links.values()} | {key for row in links.values() for key in row.alike}
    named |= {key for rows in decisions.values() for key in rows}
    known = _load_purchases(connection, one.organisation_id, sorted(key for key in named if key is not None))
    for at, line in enumerate(one.agreed.lines or ()):
        link = links.get(at)
        if link is None:
            yield AgreementPurchase(
                line=at,
                description=line.description,
                product_id=line.product_id,
                state="pending",
                alike=[],
            )
            continue
        bought = known.get(link.purchase_id)
        learned = "learned" if link.own else "same"
        yield AgreementPurchase(
            line=at,
            description=line.description,
            product_id=line.product_id,
            state=learned if bought is not None else "not_learned" if link.reason else "pending",
            reason=link.reason,
            purchase=bought,
            alike=[known[key] for key in link.alike if key in known and key not in decisions[at]],
            decided=[
                DecidedPurchase(
                    purchase=known[key],
                    same=row.same,
                    decided_at=row.decided_at,
                    decided_by=row.decided_by,
                )
                for key, row in decisions[at].items()
                if key in known
            ]
            or None,
        )


def _load_purchases(
    connection: Connection, organisation_id: str, ids: list[str]
) -> dict[str, RecordedPurchase]:
    loaded: dict[str, RecordedPurchase] = {}
    for some in batched(ids, _AT_ONCE):
        owned = owned_by(purchase.c, organisation_id)
        for row in connection.execute(sa.select(purchase).where(owned, purchase.c.id.in_(some))):
            loaded[row.id] = RecordedPurchase.build_from(row, unit_price=round_unit_price(row.unit_price))
    return loaded
