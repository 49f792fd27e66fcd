"""The route of what is not known of agreements."""

from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import Response

from app.contract.missing_details import MissingDetailsPage, MissingDetailsQuery
from app.contract.page import Pagination
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.agreements.missing_details import list_missing_details
from app.service.agreements.wire import agreement_record
from app.service.agreements.working_calendar import load_working_days
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.pagination import PageDep
from app.service.http.query_parameters import query_parameters
from app.service.http.responses import json_response

router = APIRouter(prefix="/v1", tags=["Agreements"], route_class=GuardedRoute)


@router.get(
    "/missing-details",
    **extension("missingDetails.list", "List what is not known of agreements", MissingDetailsPage),
)
def missing_details(
    context: ContextDep,
    caller: CallerDep,
    query: Annotated[MissingDetailsQuery, Depends(query_parameters(MissingDetailsQuery))],
    page: PageDep,
) -> Response:
    """List the agreements of which something is not known that their dates, a reminder or a comparison need,
    those that cost most each year first. Counts which fields are missing, and how many deadlines cannot be
    computed because of that."""
    as_of = query.get("as_of") or context.clock().date()
    with context.database.reading() as connection:
        days = load_working_days(connection, caller.organisation_id)
        found = list_missing_details(
            connection,
            caller.organisation_id,
            query.get("field"),
            as_of,
            days,
            context.settings.currency,
            page,
        )
    return json_response(
        MissingDetailsPage(
            data=[agreement_record(one.agreement, one.position, as_of, days) for one in found.agreements],
            pagination=Pagination(total=found.total, limit=page.limit, offset=page.offset),
            fields=[*found.fields],
            without_deadline=found.without_deadline,
        )
    )
