"""The routes of scopes, which are made by hand or read from a document in the background."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, get_args

import sqlalchemy as sa
from fastapi import APIRouter, Depends, Path, Query, Request
from sqlalchemy import ColumnElement, Connection
from starlette.datastructures import UploadFile
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from app.contract.page import PageRequest, Pagination
from app.contract.scope import (
    ConfirmDocument,
    DocumentReading,
    DocumentStatus,
    NewScope,
    NewScopeFromDocument,
    Scope,
    ScopeFromDocument,
    TakeListPrices,
)
from app.contract.scope_list import (
    ListedScope,
    ScopeChange,
    ScopePage,
    ScopeQuery,
    ScopeStatus,
    ScopeStatusCount,
)
from app.contract.values import Id
from app.service.access.caller import Caller
from app.service.access.capacity import WorkKind, counts_as
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.comments.naming_mail import tell_new_owners
from app.service.context import Context
from app.service.database.tables import scope, scope_document
from app.service.database.visibility import counted
from app.service.documents.faults import ReadingCancelled
from app.service.files.file_addresses import read_file_address
from app.service.files.store import StoredFile, find_file, save_upload
from app.service.http.dependencies import CallerLeftDep, ContextDep
from app.service.http.middleware import json_or_form
from app.service.http.operations import extension, json_or_file, operation, problem_responses
from app.service.http.problems import bad_request, not_found, require
from app.service.http.query_parameters import WITH_IDS, PageDep, query_parameters, read_ids
from app.service.http.responses import created_response, json_response
from app.service.scopes.confirming import confirm_document
from app.service.scopes.document_review import build_document_reading, collect_confirmed_lines, find_additions
from app.service.scopes.list_prices import find_taken_lines, take_list_prices
from app.service.scopes.listing import refresh_listing
from app.service.scopes.page_pictures import draw_page
from app.service.scopes.scope_documents import (
    ScopeDocument,
    begin_reading,
    find_document_behind,
    find_earlier_quotes,
    select_scopes_of_file,
)
from app.service.scopes.store import (
    StoredScope,
    build_scope,
    create_scope,
    find_scope,
    load_products,
    lock_scope,
    select_scopes,
)
from app.service.scopes.wire import listed_scope_record, scope_record
from app.service.second_opinion.asking import find_second_opinion
from app.service.values.folding import fold_text

router = APIRouter(prefix="/v1/scope", tags=["Scope"], route_class=GuardedRoute)

MAX_PAGE = 10_000

ScopeId = Annotated[Id, Path(alias="scopeId")]


@router.get("", **extension("scopes.list", "List scopes", ScopePage, openapi_extra=WITH_IDS))
def scopes(
    context: ContextDep,
    caller: CallerDep,
    query: Annotated[ScopeQuery, Depends(query_parameters(ScopeQuery, ids=read_ids))],
    page: PageDep,
) -> Response:
    """List the organisation's scopes, newest first, and count how many there are of each status.
    `documentSha256` finds the scopes that a file was read into before, by the SHA-256 of its content."""
    with context.database.reading() as connection:
        total, statuses, rows = _list_scopes(connection, caller.organisation_id, query, page)
        products = load_products(
            connection, {key for row in rows for key in row.product_ids}, caller.organisation_id
        )
    return json_response(
        ScopePage(
            data=[listed_scope_record(row, products) for row in rows],
            pagination=Pagination(total=total, limit=page.limit, offset=page.offset),
            statuses=[
                ScopeStatusCount(status=status, total=statuses[status])
                for status in get_args(ScopeStatus)
                if status in statuses
            ],
        )
    )


@router.get("/{scopeId}", **operation("scopes.read", "Read a scope", Scope, 404))
def read(scope_id: ScopeId, context: ContextDep, caller: CallerDep) -> Response:
    """Return one scope."""
    return json_response(_read(context, caller, scope_id))


@router.patch(
    "/{scopeId}",
    **extension("scopes.update", "Rename or archive a scope, or name its owners", ListedScope, 404),
)
def update(scope_id: ScopeId, body: ScopeChange, context: ContextDep, caller: CallerDep) -> Response:
    """Give a scope a name or owners, archive it, or take it back. New owners get a mail. Archiving stops
    nothing: a document is read to its end and a negotiation goes on, but the scope no longer waits for
    anybody."""
    with context.database.writing() as connection:
        before = require(find_scope(connection, caller.organisation_id, scope_id), "scope")
        _change_scope(connection, caller.organisation_id, scope_id, body, context.clock())
        tell_new_owners(
            connection, context, caller, "scope", scope_id, before=before.owners, after=body.owners
        )
        row = find_scope(connection, caller.organisation_id, scope_id)
        assert row is not None
        products = load_products(connection, row.product_ids, caller.organisation_id)
    return json_response(listed_scope_record(row, products))


@router.post("", **operation("scopes.create", "Make a scope", Scope, status_code=201))
def create(body: NewScope, context: ContextDep, caller: CallerDep) -> Response:
    """Make a scope by hand."""
    with context.database.writing() as connection:
        scope_id = create_scope(
            connection,
            caller.make_origin(context.clock()),
            scope_terms=body.scope_terms,
            product_terms=body.product_terms,
            currency=context.settings.currency,
            previous_scope_id=body.previous_scope_id,
        )
    return created_response(_read(context, caller, scope_id), f"/v1/scope/{scope_id}")


@router.post(
    "/from-document",
    **operation(
        "scopes.createFromDocument",
        "Make a scope from a document",
        ScopeFromDocument,
        status_code=201,
        openapi_extra=json_or_file(NewScopeFromDocument),
    ),
)
@counts_as(WorkKind.UPLOAD)
def create_from_document(
    request: Request,
    sent: Annotated[
        tuple[NewScopeFromDocument | None, UploadFile | None], Depends(json_or_form(NewScopeFromDocument))
    ],
    context: ContextDep,
    caller: CallerDep,
) -> Response:
    """Make a scope and read a document into it in the background; the event `scope.extracted` says when that
    is done. The document is an uploaded file (`fileUrl` is its `/v1/files/{id}`), a file at another address,
    or the form's `file` part."""
    body, upload = sent
    file_url = body.file_url if body is not None else None
    if upload is None and file_url is None:
        raise bad_request("/fileUrl", "A document is required: `fileUrl`, or a form with a `file` part.")
    stored: StoredFile | None = None
    if upload is not None:
        stored = save_upload(context, caller, upload.file, upload.filename)
    elif file_url is not None:
        stored = _find_uploaded_file(context, caller, file_url, str(request.base_url))
    with context.database.writing() as connection:
        scope_id = begin_reading(
            connection,
            caller.make_origin(context.clock()),
            currency=context.settings.currency,
            stored=stored,
            url=None if stored else file_url,
            purchase_type=body.purchase_type if body else None,
        )
    return created_response(ScopeFromDocument(scope_id=scope_id), f"/v1/scope/{scope_id}")


@router.get(
    "/{scopeId}/document",
    **extension("scopeDocuments.read", "Read what a scope's document says", DocumentReading, 404),
)
def read_document(scope_id: ScopeId, context: ContextDep, caller: CallerDep) -> Response:
    """Return every value that was read from the scope's document, with its page, box and confidence, and
    every line of the document. For a scope that follows another, it is the document of the earlier scope,
    with its lines as they were confirmed. `duplicateOf` names the scopes that were read from the same quote
    before: from the same file, or a document with the same number of the same supplier. A line that had no
    product has the one that your organisation added to the catalog for it since."""
    with context.database.reading() as connection:
        row = require(find_scope(connection, caller.organisation_id, scope_id), "document")
        products = load_products(connection, row.product_ids, caller.organisation_id)
    document = _require_document(context, caller, scope_id)
    with context.database.reading() as connection:
        earlier = find_earlier_quotes(connection, caller.organisation_id, document.scope_id)
        second_opinion = find_second_opinion(connection, document.scope_id)
        assert document.reading is not None
        added = find_additions(connection, caller.organisation_id, document.reading)
        listed = find_taken_lines(connection, document.scope_id)
    confirmed = None if document.scope_id == row.id else collect_confirmed_lines(row, products)
    return json_response(
        build_document_reading(document, row, confirmed, earlier, second_opinion, added, listed)
    )


@router.post(
    "/{scopeId}/document/confirm",
    **extension(
        "scopeDocuments.confirm", "Confirm the lines of a scope's document", Scope, 404, status_code=201
    ),
)
def confirm(scope_id: ScopeId, body: ConfirmDocument, context: ContextDep, caller: CallerDep) -> Response:
    """Make the scope that follows the scope of a document. Each line is what a person says it is: a product,
    no product, or left aside. The new scope keeps the quote, and its prices are stored as quoted prices."""
    document = _require_document(context, caller, scope_id)
    with context.database.writing() as connection:
        row = require(lock_scope(connection, caller.organisation_id, document.scope_id), "document")
        made = confirm_document(
            connection, row, body, follows=scope_id, now=context.clock(), end_user=caller.end_user.record()
        )
    return created_response(_read(context, caller, made), f"/v1/scope/{made}")


@router.post(
    "/{scopeId}/document/list-prices",
    **extension(
        "listPrices.take",
        "Take the prices of a price list into the catalog",
        None,
        404,
        422,
        status_code=204,
        response_class=Response,
    ),
)
def take_prices(scope_id: ScopeId, body: TakeListPrices, context: ContextDep, caller: CallerDep) -> Response:
    """Take the prices of a price list as list prices of products, which your organisation alone sees: with
    what each is for, its unit, and the quantities for which it holds. Prices that were taken from the same
    document before are replaced; an empty list takes them back."""
    document = _require_document(context, caller, scope_id)
    assert document.reading is not None
    with context.database.writing() as connection:
        row = require(lock_scope(connection, caller.organisation_id, document.scope_id), "document")
        take_list_prices(connection, row, document.reading, body.lines, context.clock())
    return Response(status_code=204)


@router.get(
    "/{scopeId}/document/pages/{page}",
    **extension(
        "scopeDocuments.drawPage",
        "Draw a page of a scope's document",
        response_class=Response,
        responses={
            200: {"description": "The page as a picture.", "content": {"image/png": {}, "image/svg+xml": {}}},
            **problem_responses(404, 422),
        },
    ),
)
@counts_as(WorkKind.DRAWING)
def document_page(
    scope_id: ScopeId,
    page: Annotated[int, Path(ge=1, le=MAX_PAGE)],
    context: ContextDep,
    caller: CallerDep,
    caller_left: CallerLeftDep,
    width: Annotated[int, Query(ge=100, le=3000, description="Pixels.")] = 1000,
) -> Response:
    """Return a page of the scope's document as PNG; as SVG the text of a file without pages, as it was
    read."""
    document = _require_document(context, caller, scope_id)
    try:
        picture = draw_page(context, document, page, width, cancelled=caller_left)
    except ReadingCancelled:
        raise ClientDisconnect from None
    kind = "image/svg+xml" if picture.startswith(b"<svg") else "image/png"
    return Response(picture, media_type=kind, headers={"Cache-Control": "private, max-age=3600"})


def _require_document(context: Context, caller: Caller, scope_id: str) -> ScopeDocument:
    """Find the document behind a scope. Raises ApiProblem 404 for a document of another organisation, and for
    one that was not read, or not yet."""
    with context.database.reading() as connection:
        document = find_document_behind(connection, scope_id)
    if document is None or document.organisation_id != caller.organisation_id or not document.reading:
        raise not_found("document")
    return document


def _find_uploaded_file(context: Context, caller: Caller, url: str, base_url: str) -> StoredFile | None:
    """Find the uploaded file that `url` names; None where it is a foreign address. Raises ApiProblem 400."""
    settings = context.settings
    own_addresses = (settings.public_url, *settings.public_aliases, base_url)
    file_id = read_file_address(url, own_addresses, "/fileUrl")
    if file_id is None:
        return None
    with context.database.reading() as connection:
        stored = find_file(connection, caller.organisation_id, file_id)
    if stored is None:
        raise bad_request("/fileUrl", "There is no such file.")
    return stored


def _read(context: Context, caller: Caller, scope_id: str) -> Scope:
    with context.database.reading() as connection:
        row = require(find_scope(connection, caller.organisation_id, scope_id), "scope")
        return scope_record(row, load_products(connection, row.product_ids, caller.organisation_id))


def _list_scopes(
    connection: Connection, organisation_id: str, query: ScopeQuery, page: PageRequest
) -> tuple[int, dict[str, int], Sequence[StoredScope]]:
    """Return how many scopes match the query, how many of each status match the rest of it, and one page of
    them, newest first."""
    conditions = _build_conditions(organisation_id, query)
    statuses = _count_statuses(connection, conditions)
    status = query.get("status")
    if status is None:
        total = sum(statuses.values())
    elif status in get_args(DocumentStatus):
        conditions.append(_OF_DOCUMENT.where(scope_document.c.status == status).exists())
        total = sum(_count_statuses(connection, conditions).values())
    else:
        conditions.append(scope.c.status == status)
        total = statuses.get(status, 0)
    if page.offset >= total:
        return total, statuses, ()
    newest = (scope.c.created_on.desc(), scope.c.id.desc())
    # The ids are found in an index alone; PostgreSQL would else fetch each scope to look at its name. The
    # search ends with the last match.
    most = min(page.limit, total - page.offset)
    chosen = sa.select(scope.c.id).where(*conditions).order_by(*newest).limit(most).offset(page.offset)
    listing = select_scopes().where(scope.c.id.in_(sa.select(chosen.subquery().c.id))).order_by(*newest)
    rows = connection.execute(listing).mappings()
    return total, statuses, [build_scope(row) for row in rows]


def _change_scope(
    connection: Connection, organisation_id: str, scope_id: str, change: ScopeChange, now: datetime
) -> None:
    """Give a scope another name or owners, archive it or take it back, in one statement, so that of two
    changes at once neither undoes a part of the other. One that is archived already keeps its date."""
    values: dict[str, Any] = {}
    if "name" in change.model_fields_set:
        values["name"] = change.name
    if "archived" in change.model_fields_set:
        values["archived_at"] = sa.func.coalesce(scope.c.archived_at, now) if change.archived else None
    if "owners" in change.model_fields_set:
        values["owners"] = [one.wire() for one in change.owners or ()] or None
    own = scope.c.id == scope_id, scope.c.organisation_id == organisation_id
    connection.execute(scope.update().where(*own).values(**values))
    if "name" in values:
        refresh_listing(connection, scope_id)


_OF_DOCUMENT = (
    sa.select(scope_document.c.scope_id).where(scope_document.c.scope_id == scope.c.id).correlate(scope)
)


def _build_conditions(organisation_id: str, query: ScopeQuery) -> list[ColumnElement[bool]]:
    """Build the conditions of all filters but the status."""
    conditions = [scope.c.organisation_id == organisation_id]
    if source := query.get("source"):
        conditions.append(scope.c.source == source)
    if company_id := query.get("company_id"):
        conditions.append(scope.c.company_id == company_id)
    if part := fold_text(query.get("name") or ""):
        conditions.append(scope.c.search_text.contains(part, autoescape=True))
    if sha256 := query.get("document_sha256"):
        conditions.append(scope.c.id.in_(select_scopes_of_file(organisation_id, sha256)))
    archived = query.get("archived")
    if archived is not None:
        conditions.append(scope.c.archived_at.is_not(None) if archived else scope.c.archived_at.is_(None))
    ids = query.get("ids")
    conditions.append(counted(scope.c, organisation_id) if ids is None else scope.c.id.in_(ids))
    return conditions


def _count_statuses(connection: Connection, conditions: Sequence[ColumnElement[bool]]) -> dict[str, int]:
    counted = (
        sa.select(scope.c.status, sa.func.count().label("total")).where(*conditions).group_by(scope.c.status)
    )
    return {row.status: row.total for row in connection.execute(counted)}
