"""The routes of agreements as files: a table that the import reads back, and releases of OCDS.

A file is written whole before it is sent, from some agreements at a time: it shows one moment, none ends in
the middle, and it is compressed like any other text."""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime
from io import BytesIO
from itertools import chain
from typing import IO, Annotated

import sqlalchemy as sa
from fastapi import APIRouter, Depends
from pydantic_core import to_json
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from app.contract.agreements import Agreement, AgreementQuery
from app.contract.values import wire_instant
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.agreements.files.ocds import VERSION, Buyer, build_release
from app.service.agreements.files.table import HEADINGS, make_agreement_rows
from app.service.agreements.listing import find_agreement_ids
from app.service.agreements.store import load_agreements
from app.service.agreements.wire import agreement_record
from app.service.agreements.working_calendar import load_working_days
from app.service.context import Context
from app.service.database.rows import batched
from app.service.database.tables import organisation
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.query_parameters import WITH_IDS, query_parameters, read_ids
from app.service.http.responses import describe_download, download_response
from app.service.table_files.writing import CSV_TYPE, XLSX_TYPE, Row, write_csv, write_workbook

AT_ONCE = 500

router = APIRouter(prefix="/v1", tags=["Agreements"], route_class=GuardedRoute)

Query = Annotated[AgreementQuery, Depends(query_parameters(AgreementQuery, ids=read_ids))]
Write = Callable[[Iterable[Agreement], IO[bytes]], None]


@router.get(
    "/agreements.csv",
    **extension(
        "agreements.exportCsv",
        "Download agreements as CSV",
        **describe_download(CSV_TYPE),
        openapi_extra=WITH_IDS,
    ),
)
def csv_file(context: ContextDep, caller: CallerDep, query: Query) -> Response:
    """Return the agreements of a list as a table, a row for each line, which `POST /v1/imports` reads back.
    References to other records of the organisation are left out."""

    def write(agreements: Iterable[Agreement], out: IO[bytes]) -> None:
        out.writelines(write_csv(_make_rows(agreements)))

    return _send_file(context, caller.organisation_id, query, write, "agreements.csv", CSV_TYPE)


@router.get(
    "/agreements.xlsx",
    **extension(
        "agreements.exportXlsx",
        "Download agreements as a workbook",
        **describe_download(XLSX_TYPE),
        openapi_extra=WITH_IDS,
    ),
)
def workbook(context: ContextDep, caller: CallerDep, query: Query) -> Response:
    """Return the same table as `GET /v1/agreements.csv` as a workbook, with its dates and numbers as such."""

    def write(agreements: Iterable[Agreement], out: IO[bytes]) -> None:
        write_workbook(out, "Agreements", _make_rows(agreements), context.clock())

    return _send_file(context, caller.organisation_id, query, write, "agreements.xlsx", XLSX_TYPE)


@router.get(
    "/agreements.ocds.json",
    **extension(
        "agreements.exportOcds",
        "Download agreements as OCDS releases",
        **describe_download(
            "application/json",
            "A release package of the Open Contracting Data Standard 1.1.",
            {"type": "object"},
        ),
        openapi_extra=WITH_IDS,
    ),
)
def releases(request: Request, context: ContextDep, caller: CallerDep, query: Query) -> Response:
    """Return the agreements of a list as a release package of the Open Contracting Data Standard 1.1: a
    release for each, with its buyer, supplier, award and contract. The setting `PARLEY_OCID_PREFIX` begins
    the ids of the contracting processes."""
    with context.database.reading() as connection:
        is_own = organisation.c.id == caller.organisation_id
        name = connection.scalar(sa.select(organisation.c.name).where(is_own)) or ""
    buyer = Buyer(caller.organisation_id, name, context.settings.ocid_prefix)
    question = f"?{request.url.query}" if request.url.query else ""
    uri = f"{context.settings.public_url}{request.url.path}{question}"

    def write(agreements: Iterable[Agreement], out: IO[bytes]) -> None:
        _write_package(agreements, buyer, uri, context.clock(), out)

    return _send_file(
        context, caller.organisation_id, query, write, "agreements.ocds.json", "application/json"
    )


def _write_package(
    agreements: Iterable[Agreement], buyer: Buyer, uri: str, now: datetime, out: IO[bytes]
) -> None:
    """Write a release package. Made on demand, it is of the day of the latest change."""
    changed: datetime | None = None
    out.write(b'{"releases":[')
    for at, one in enumerate(agreements):
        out.write(b"," if at else b"")
        out.write(to_json(build_release(one, buyer)))
        changed = max(filter(None, (changed, one.updated_at)), default=None)
    rest = {
        "uri": uri,
        "version": VERSION,
        "publishedDate": wire_instant(changed or now.astimezone(UTC)),
        "publisher": {"name": buyer.name},
    }
    out.write(b"]," + to_json(rest)[1:])


def _make_rows(agreements: Iterable[Agreement]) -> Iterator[Row]:
    return chain([HEADINGS], (row for one in agreements for row in make_agreement_rows(one)))


def _send_file(
    context: Context, organisation_id: str, query: AgreementQuery, write: Write, name: str, media_type: str
) -> Response:
    as_of = query.get("as_of") or context.clock().date()
    out = BytesIO()
    with context.database.reading() as connection:
        write(_load_agreements(connection, organisation_id, query, as_of), out)
    return download_response(out.getvalue(), name, media_type)


def _load_agreements(
    connection: Connection, organisation_id: str, query: AgreementQuery, as_of: date
) -> Iterator[Agreement]:
    """Yield the agreements of a list in its order."""
    days = load_working_days(connection, organisation_id)
    for ids in batched(find_agreement_ids(connection, organisation_id, query, as_of, days), AT_ONCE):
        loaded = load_agreements(connection, ids)
        for agreement_id in ids:
            one = loaded[agreement_id]
            yield agreement_record(one, one.dates.find_position(as_of, days), as_of, days)
