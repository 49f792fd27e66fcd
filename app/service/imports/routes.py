"""The routes of imports: a file is checked, confirmed, imported in the background, and undone for a day."""

import logging
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import Annotated

from fastapi import APIRouter, Depends, Path
from starlette.responses import Response

from app.contract.imports import MAX_DRY_ROWS, UNDO_TIME, Import, ImportQuery, ImportRows, NewImport
from app.contract.page import ListPage
from app.contract.values import Id
from app.service.access.caller import Caller
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.context import Context
from app.service.files.store import find_file
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.problems import ApiProblem, bad_request, require
from app.service.http.query_parameters import PageDep, page_response, query_parameters
from app.service.http.responses import created_response, json_response
from app.service.imports import store
from app.service.imports.dry_run import read_dry
from app.service.imports.file_kinds import FILE_KINDS
from app.service.imports.store import StoredImport, require_text_room
from app.service.storage.file_storage import DamagedFile
from app.service.table_files.isolated_reading import open_table_isolated
from app.service.tables.table import Table, UnreadableTable

router = APIRouter(prefix="/v1/imports", tags=["Imports"], route_class=GuardedRoute)

ImportId = Annotated[Id, Path(alias="importId")]


@router.get("", **extension("imports.list", "List imports", ListPage[Import]))
def list_imports(
    context: ContextDep,
    caller: CallerDep,
    query: Annotated[ImportQuery, Depends(query_parameters(ImportQuery))],
    page: PageDep,
) -> Response:
    """List the organisation's imports, newest first."""
    with context.database.reading() as connection:
        total, rows = store.list_imports(connection, caller.organisation_id, query, page)
    return page_response([import_record(row) for row in rows], total, page)


@router.post("", **extension("imports.create", "Check a file to import", Import, status_code=201))
def create_import(body: NewImport, context: ContextDep, caller: CallerDep) -> Response:
    """Check an uploaded file (CSV, CSV.gz, XLSX, XLS, ODS or Parquet) of purchases, catalog entries,
    exchange rates or agreements in the background: recognise what it holds and its columns, show its
    first rows, and count those that would be imported and refused. Nothing of it is imported before it is
    confirmed."""
    with context.database.writing() as connection:
        if find_file(connection, caller.organisation_id, body.file_id) is None:
            raise bad_request("/fileId", "There is no such file.")
        import_id = store.create_import(
            connection,
            body,
            caller.make_origin(context.clock()),
            max_imports=context.settings.max_imports,
        )
    return created_response(import_record(_require(context, caller, import_id)), f"/v1/imports/{import_id}")


@router.get("/{importId}", **extension("imports.read", "Read an import", Import, 404))
def read_import(import_id: ImportId, context: ContextDep, caller: CallerDep) -> Response:
    """Return one import: what its check found, how far it is, and what it brought."""
    return json_response(import_record(_require(context, caller, import_id)))


@router.get(
    "/{importId}/rows",
    **extension("imports.rows", "List what an import would put on record", ImportRows, 404, 422),
)
def list_rows(import_id: ImportId, context: ContextDep, caller: CallerDep) -> Response:
    """Read the file of an import again and return the values of its first rows (1,000 at most), as they would
    be on record, and what the file does not say. Nothing is stored."""
    one = _require(context, caller, import_id)
    try:
        with open_import_file(context, one) as table:
            found = read_dry(table, one.options, context.settings, one.kind, most=MAX_DRY_ROWS)
    except UnreadableTable as error:
        raise ApiProblem(422, f"{error}.") from None
    return json_response(found)


@router.post("/{importId}/confirm", **extension("imports.confirm", "Import a checked file", Import, 404))
def confirm_import(import_id: ImportId, context: ContextDep, caller: CallerDep) -> Response:
    """Import the rows of a checked file in the background. What they bring is seen by the caller's
    organisation alone."""
    one = _require(context, caller, import_id)
    with context.database.writing() as connection:
        if one.kind is not None:
            FILE_KINDS[one.kind].quota.require_room(connection, context.settings, one)
            require_text_room(connection, context.settings, one)
        store.confirm_import(connection, one, context.clock())
    return json_response(import_record(_require(context, caller, import_id)))


@router.delete("/{importId}", **extension("imports.withdraw", "Cancel or undo an import", Import, 404, 409))
def withdraw_import(import_id: ImportId, context: ContextDep, caller: CallerDep) -> Response:
    """Cancel an import that is not completed, or undo one within a day after it was. Its rows are taken back
    in the background; what another import brought too, or other data refers to, stays (`removal`)."""
    with context.database.writing() as connection:
        store.withdraw_import(connection, _require(context, caller, import_id), context.clock())
    return json_response(import_record(_require(context, caller, import_id)))


def _require(context: Context, caller: Caller, import_id: str) -> StoredImport:
    """Find an import. Raises ApiProblem 404 for one of another organisation."""
    with context.database.reading() as connection:
        one = store.find_import(connection, import_id)
    return require(one if one and one.organisation_id == caller.organisation_id else None, "import")


def import_record(one: StoredImport) -> Import:
    """Return the record; `undoUntil` only while the import can be undone."""
    removal = None if one.status == "undoing" else one.removal
    can_be_undone = one.status == "completed" and one.completed_at is not None
    return Import.build_from(
        one,
        **{name: getattr(one.options, name) for name in store.ANSWERS},
        ignore=one.ignored_columns,
        removal=removal,
        undo_until=one.completed_at + UNDO_TIME if can_be_undone and one.completed_at else None,
    )


_log = logging.getLogger(__name__)


@contextmanager
def open_import_file(context: Context, one: StoredImport) -> Generator[Table]:
    """Open the table that the import's options name. Raises UnreadableTable."""
    with ExitStack() as stack:
        try:
            path = stack.enter_context(context.files.local_copy(one.file_id, one.sha256))
        except FileNotFoundError:
            raise UnreadableTable("the uploaded file no longer exists") from None
        except DamagedFile as damage:
            _log.error("%s", damage)
            raise UnreadableTable(
                "the stored file is damaged: its bytes are not those that were uploaded"
            ) from None
        yield stack.enter_context(open_table_isolated(path, one.options))
