"""The routes of agreements against the market, and of spend."""

from datetime import date
from typing import Annotated, cast

from fastapi import APIRouter, Depends
from starlette.responses import Response

from app.contract.agreement_market import (
    AgreementMarket,
    AgreementMarketPage,
    MarketLine,
    MarketQuery,
)
from app.contract.agreements import EARLIEST_DAY, LATEST_DAY
from app.contract.page import Pagination
from app.contract.spend import MAX_SPEND_MONTHS, SpendQuery, SpendReport
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.market.market_prices import (
    MarketRow,
    count_waiting,
    list_market,
)
from app.service.agreements.market.renewal_cost import find_renewal_cost
from app.service.agreements.spend import build_spend_report
from app.service.agreements.working_calendar import load_working_days
from app.service.charges.months import add_months, months_between
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.problems import ApiProblem, InvalidField
from app.service.http.query_parameters import PageDep, query_parameters
from app.service.http.responses import json_response

router = APIRouter(prefix="/v1", tags=["Agreements"], route_class=GuardedRoute)


@router.get(
    "/market", **extension("agreementMarket.list", "List agreements against the market", AgreementMarketPage)
)
def market(
    context: ContextDep,
    caller: CallerDep,
    query: Annotated[MarketQuery, Depends(query_parameters(MarketQuery))],
    page: PageDep,
) -> Response:
    """List the agreements that have not ended, and that no other follows, with what they would cost today,
    first those where most can be saved and soonest. They are priced in the background, seconds after a change
    and anew each week; `waiting` counts those that still are to be."""
    now = context.clock()
    with context.database.reading() as connection:
        rows, sums = list_market(connection, caller.organisation_id, query, page)
        days = load_working_days(connection, caller.organisation_id)
        waiting = count_waiting(connection, caller.organisation_id, now)
    today = now.date()
    total = sum(one.agreements for one in sums)
    return json_response(
        AgreementMarketPage(
            data=[_build_record(row, today, days) for row in rows],
            pagination=Pagination(total=total, limit=page.limit, offset=page.offset),
            sums=[one for one in sums if one.currency],
            waiting=waiting,
        )
    )


def _build_record(row: MarketRow, today: date, days: WorkingDays) -> AgreementMarket:
    one = row.agreement
    position = one.dates.find_position(today, days)
    return AgreementMarket.model_validate(
        {
            **row.content,
            "agreementId": one.id,
            "name": one.agreed.name,
            "supplierName": one.agreed.supplier_name,
            "status": position.status,
            "actBy": position.act_by,
            "currency": one.agreed.currency,
            "renewal": find_renewal_cost(one.agreed, one.dates.terms, position, today),
            "lines": [MarketLine.model_validate(line) for line in cast(list[object], row.content["lines"])],
            "pricedAt": row.priced_at,
        }
    )


@router.get("/spend", **extension("spend.read", "Read what is spent", SpendReport))
def spend(
    context: ContextDep,
    caller: CallerDep,
    query: Annotated[SpendQuery, Depends(query_parameters(SpendQuery))],
) -> Response:
    """Return what agreements cost in some months, by supplier, category, owner, cost centre or month. The
    price of a term is spread over its days; later terms count as if nobody acted, at the price on record."""
    first, last = find_months(query, context.clock().date())
    with context.database.reading() as connection:
        report = build_spend_report(
            connection, caller.organisation_id, query.get("by") or "supplier", first, last
        )
    return json_response(report)


def find_months(query: SpendQuery, today: date) -> tuple[date, date]:
    """Return the first days of the first and the last month. Raises ApiProblem 400 for an order or a number
    of months that cannot be."""
    stated_first, stated_last = query.get("first"), query.get("last")
    first = _read_month(stated_first) if stated_first else None
    last = _read_month(stated_last) if stated_last else None
    if first is None:
        first = date(today.year, 1, 1) if last is None else max(add_months(last, -11), EARLIEST_DAY)
    last = last or min(add_months(first, 11), LATEST_DAY.replace(day=1))
    if not 0 <= months_between(first, last) < MAX_SPEND_MONTHS:
        detail = f"must be the first month or at most {MAX_SPEND_MONTHS - 1} months after it"
        raise ApiProblem(400, "The months are not valid.", errors=[InvalidField("last", detail)])
    return first, last


def _read_month(text: str) -> date:
    return date.fromisoformat(f"{text}-01")
