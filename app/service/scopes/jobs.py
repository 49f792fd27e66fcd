"""Background work of scopes: fetch a document if needed, read it, match it and store it, or fail with a
reason. Running it twice is harmless."""

import io

from app.outgoing.fetching import UnfetchableAddress, fetch_guarded
from app.service.access.caller import Caller
from app.service.catalog.matching import match_document
from app.service.context import Context
from app.service.documents.faults import DocumentFault, UnreadableDocument
from app.service.files.store import StoredFile, find_file, save_upload
from app.service.http.problems import ApiProblem
from app.service.scopes import scope_documents
from app.service.scopes.extraction_to_scope import extract_scope

FETCH_SECONDS = 60.0


def extract_document(context: Context, scope_id: str) -> None:
    """Read the document of a scope until it is completed, or failed with a reason."""
    with context.database.writing() as connection:
        row = scope_documents.find_document(connection, scope_id)
        if row is None or row.status in {"completed", "failed"}:
            scope_documents.finish_task(connection, kind=scope_documents.EXTRACT_TASK, subject_id=scope_id)
            return
        scope_documents.mark_processing(connection, scope_id, context.clock())
    try:
        stored = _load_file(context, row.organisation_id, scope_id, row.file_id, row.url)
        document = context.readers.read_document(context.files.read(stored.id), stored.filename)
        if len(document.line_currencies) > 1:
            raise UnreadableDocument(
                f"The lines are in {' and '.join(document.line_currencies)}; a scope has one currency."
            )
        with context.database.reading() as connection:
            matched = match_document(connection, document, row.organisation_id)
        read = extract_scope(
            document, matched, purchase_type=row.purchase_type, currency=context.settings.currency
        )
    except DocumentFault as fault:
        fail_extraction(context, scope_id, fault.reason)
        return
    with context.database.writing() as connection:
        scope_documents.complete_reading(connection, scope_id, row.organisation_id, read, context.clock())


def fail_extraction(context: Context, scope_id: str, reason: str) -> None:
    """Mark a document as failed that cannot be read."""
    with context.database.writing() as connection:
        row = scope_documents.find_document(connection, scope_id)
        if row is not None and row.status not in {"completed", "failed"}:
            scope_documents.fail_reading(connection, scope_id, row.organisation_id, reason, context.clock())


def _load_file(
    context: Context, organisation_id: str, scope_id: str, file_id: str | None, url: str | None
) -> StoredFile:
    """Return the document's file; a foreign address is fetched first and stored like an upload."""
    if file_id is not None:
        with context.database.reading() as connection:
            stored = find_file(connection, organisation_id, file_id)
        if stored is None or not context.files.path(file_id).exists():
            raise UnreadableDocument("The uploaded file no longer exists.")
        return stored
    try:
        content, _, filename = fetch_guarded(
            url or "",
            limit_bytes=context.settings.max_upload,
            timeout=FETCH_SECONDS,
            allow=context.settings.fetch_allow,
        )
        caller = Caller("", organisation_id, read_only=False)
        stored = save_upload(context, caller, io.BytesIO(content), filename)
    except UnfetchableAddress as error:
        raise UnreadableDocument(f"The document could not be fetched: {error}") from error
    except ApiProblem as error:
        reason = "; ".join(wrong.detail for wrong in error.errors) or error.detail
        raise UnreadableDocument(f"The document at this address cannot be read: {reason}") from error
    with context.database.writing() as connection:
        scope_documents.save_file(connection, scope_id, stored, context.clock())
    return stored
