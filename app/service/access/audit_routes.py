"""The routes of the audit log, for admins and owners."""

from collections.abc import Iterable, Iterator
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import Response

from app.contract.audit import AuditEntry, AuditListQuery, AuditPage, AuditQuery
from app.contract.page import DEFAULT_LIMIT
from app.contract.values import wire_instant
from app.service.access.audit_log import follow_entries, load_entries
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.problems import bad_request
from app.service.http.query_parameters import Limit, query_parameters
from app.service.http.responses import NO_STORE, describe_download, download_response, json_response
from app.service.table_files.cells import escape_text
from app.service.table_files.writing import CSV_TYPE, Row, write_csv

router = APIRouter(prefix="/v1", tags=["People"], route_class=GuardedRoute)

MOST_IN_A_FILE = 10_000
HEADINGS = (
    *("at", "actor_kind", "actor_id", "actor_name", "action", "summary"),
    *("object_kind", "object_id", "object_name", "fields", "request_id", "id"),
    *("asked_by_kind", "asked_by_id", "asked_by_name"),
)

QueryDep = Annotated[AuditQuery, Depends(query_parameters(AuditQuery))]
ListQueryDep = Annotated[AuditListQuery, Depends(query_parameters(AuditListQuery))]


@router.get("/audit", **extension("audit.list", "List who changed what", AuditPage))
def entries(
    context: ContextDep, caller: CallerDep, query: ListQueryDep, limit: Limit = DEFAULT_LIMIT
) -> Response:
    """List the organisation's audit log, the newest entry first. Each change leaves one entry, which is never
    changed or deleted; so does a file, an export or a document of evidence that is read, and what the service
    does by itself in the background. With `after`, a program follows the log: an entry has its number a few
    seconds after its change, and none comes before one that was given out. Takes the role admin."""
    after = query.get("after")
    if after is not None:
        if query.get("before") is not None:
            raise bad_request("after", "must not be given together with before.")
        with context.database.reading() as connection:
            found = follow_entries(connection, caller.organisation_id, query, after, limit)
        last = found[-1].number if found else after
        return json_response(AuditPage(data=[*found], last=last), headers=NO_STORE)
    with context.database.reading() as connection:
        found, following = load_entries(connection, caller.organisation_id, query, limit)
    return json_response(AuditPage(data=[*found], next=following), headers=NO_STORE)


@router.get(
    "/audit.csv",
    **extension(
        "audit.exportCsv",
        "Download who changed what as CSV",
        response_class=Response,
        responses=describe_download(CSV_TYPE),
    ),
)
def csv_file(context: ContextDep, caller: CallerDep, query: QueryDep) -> Response:
    """Return the newest 10,000 entries of the list as a table. For older ones, name the last as `before`."""
    with context.database.reading() as connection:
        found, _ = load_entries(connection, caller.organisation_id, query, MOST_IN_A_FILE)
    return download_response(b"".join(write_csv(_make_rows(found))), "audit.csv", CSV_TYPE)


def _make_rows(found: Iterable[AuditEntry]) -> Iterator[Row]:
    yield HEADINGS
    for one in found:
        texts = (
            *(wire_instant(one.at) if one.at else "", one.actor.kind, one.actor.id, one.actor.name),
            *(one.action, one.summary, one.object.kind, one.object.id, one.object.name),
            *(" ".join(one.fields), one.request_id, one.id),
            *((one.asked_by.kind, one.asked_by.id, one.asked_by.name) if one.asked_by else (None,) * 3),
        )
        yield [escape_text(text) if text else None for text in texts]
