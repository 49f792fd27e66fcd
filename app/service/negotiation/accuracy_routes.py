"""The route of how right the estimates of negotiations were."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, time
from decimal import ROUND_HALF_UP, Decimal
from statistics import median

import sqlalchemy as sa
from fastapi import APIRouter
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.pricing import MIN_PURCHASES
from app.contract.savings import DealAccuracy, DealEstimate, UncountedDeals
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.database.tables import entry
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.responses import json_response
from app.service.negotiation.agreed_prices import AgreedNegotiationRow, load_counted_negotiations
from app.service.scopes.store import find_scope

router = APIRouter(prefix="/v1/negotiation", tags=["Negotiation"], route_class=GuardedRoute)


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
