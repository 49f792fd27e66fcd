"""Background work of scopes: a document is fetched if need be, read, matched and written, or fails with a
reason. Running twice is harmless: the last step finds its work done."""

import io

from app.service.access.caller import Caller
from app.service.catalog.matching import match_document
from app.service.context import Context
from app.service.documents.faults import DocumentFault, UnreadableDocument
from app.service.files.store import StoredFile, find_file, save_upload
from app.service.http.problems import ApiProblem
from app.service.scopes import scope_documents
from app.service.scopes.extraction_to_scope import read_scope
from app.service.webhooks.address_guard import UnfetchableAddress, fetch_guarded

FETCH_SECONDS = 60.0


def extract(context: Context, scope_id: str) -> None:
    """Reads the document of a scope to its end: completed, or failed with a reason."""
    with context.database.writing() as connection:
        row = scope_documents.document_of(connection, scope_id)
        if row is None or row.status in {"completed", "failed"}:
            scope_documents.finish_task(connection, kind=scope_documents.TASK, subject_id=scope_id)
            return
        scope_documents.mark_processing(connection, scope_id, context.clock())
    try:
        stored = _stored_file(context, row.organisation_id, scope_id, row.file_id, row.url)
        document = context.readers.read_document(context.files.read(stored.id), stored.filename)
        if len(document.line_currencies) > 1:
            raise UnreadableDocument(
                f"The lines are in {' and '.join(document.line_currencies)}; a scope has one currency."
            )
        with context.database.reading() as connection:
            matched = match_document(connection, document, row.organisation_id)
        read = read_scope(
            document, matched, purchase_type=row.purchase_type, currency=context.settings.currency
        )
    except DocumentFault as fault:
        give_up(context, scope_id, fault.reason)
        return
    with context.database.writing() as connection:
        scope_documents.complete(connection, scope_id, row.organisation_id, read, context.clock())


def give_up(context: Context, scope_id: str, reason: str) -> None:
    """Ends the reading of a document that cannot be read."""
    with context.database.writing() as connection:
        row = scope_documents.document_of(connection, scope_id)
        if row is not None and row.status not in {"completed", "failed"}:
            scope_documents.fail(connection, scope_id, row.organisation_id, reason, context.clock())


def _stored_file(
    context: Context, organisation_id: str, scope_id: str, file_id: str | None, url: str | None
) -> StoredFile:
    """The document's file; a foreign address is fetched first and kept as if it had been uploaded."""
    if file_id is not None:
        with context.database.reading() as connection:
            stored = find_file(connection, organisation_id, file_id)
        if stored is None or not context.files.path(file_id).exists():
            raise UnreadableDocument("The uploaded file is no longer there.")
        return stored
    try:
        content, _, filename = fetch_guarded(
            url or "",
            limit_bytes=context.settings.max_upload,
            timeout=FETCH_SECONDS,
            allow=context.settings.webhook_allow,
        )
        caller = Caller("", organisation_id, read_only=False)
        stored = save_upload(context, caller, io.BytesIO(content), filename)
    except UnfetchableAddress as error:
        raise UnreadableDocument(f"The document could not be fetched: {error}") from error
    except ApiProblem as error:
        reason = "; ".join(wrong.detail for wrong in error.errors) or error.detail
        raise UnreadableDocument(f"The document at this address cannot be read: {reason}") from error
    with context.database.writing() as connection:
        scope_documents.arrived(connection, scope_id, stored, context.clock())
    return stored
