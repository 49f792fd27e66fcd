"""Background work of scopes: fetch a document that is at a foreign address, read it, match it and store it,
or fail with a reason. Running it twice, one after the other or at once, has its effect and its event once."""

import io
from functools import partial

from app.outgoing.fetching import UnfetchableAddress, fetch_guarded
from app.service.access.caller import Caller
from app.service.catalog.matching import match_document
from app.service.context import Context
from app.service.documents.extraction import Extraction
from app.service.documents.faults import DocumentFault, UnreadableDocument
from app.service.files.store import FILE_GONE, StoredFile, find_file, read_document_file, save_upload
from app.service.http.problems import ApiProblem
from app.service.scopes import scope_documents
from app.service.scopes.extraction_to_scope import extract_scope
from app.service.scopes.scope_documents import (
    EXTRACT_TASK,
    FETCH_TASK,
    ExtractedScope,
    FetchedBefore,
    ScopeDocument,
)
from app.service.second_opinion.asking import ask_second_opinion, save_sentences
from app.service.second_opinion.settings import load_settings

FETCH_SECONDS = 60.0


def fetch_document(context: Context, scope_id: str) -> None:
    """Fetch the document of a scope from its foreign address, and ask for its reading."""
    row = _begin(context, FETCH_TASK, scope_id)
    if row is None:
        return
    try:
        content, filename = _fetch(context, row)
        with context.database.one_transaction():
            stored = _store_file(context, row, content, filename)
            with context.database.writing() as connection:
                scope_documents.save_fetched_file(
                    connection, scope_id, row.organisation_id, stored, context.clock()
                )
    except FetchedBefore:
        return
    except DocumentFault as fault:
        fail_extraction(context, scope_id, fault.reason)


def extract_document(context: Context, scope_id: str) -> None:
    """Read the document of a scope until it is completed, or failed with a reason."""
    row = _begin(context, EXTRACT_TASK, scope_id)
    if row is None:
        return
    try:
        read, settled = _read(context, row)
    except DocumentFault as fault:
        fail_extraction(context, scope_id, fault.reason)
        return
    with context.database.writing() as connection:
        save_sentences(connection, scope_id, settled)
        scope_documents.complete_reading(connection, scope_id, row.organisation_id, read, context.clock())
    context.metrics.count_document("completed")


def fail_extraction(context: Context, scope_id: str, reason: str) -> None:
    """Mark a document as failed that cannot be read."""
    with context.database.writing() as connection:
        row = scope_documents.find_document(connection, scope_id)
        if row is not None:
            scope_documents.fail_reading(connection, scope_id, row.organisation_id, reason, context.clock())
    context.metrics.count_document("failed")


def _begin(context: Context, kind: str, scope_id: str) -> ScopeDocument | None:
    """Return the document of a task; None, with the task finished, when nothing is left to do."""
    with context.database.writing() as connection:
        row = scope_documents.find_document(connection, scope_id)
        is_fetched = kind == FETCH_TASK and row is not None and row.file_id is not None
        if row is None or row.status in {"completed", "failed"} or is_fetched:
            scope_documents.finish_task(connection, kind=kind, subject_id=scope_id)
            return None
        scope_documents.mark_processing(connection, scope_id, context.clock())
        return row


def _read(context: Context, row: ScopeDocument) -> tuple[list[ExtractedScope], tuple[str, ...]]:
    """Read each quote of the document's file; most hold one. Return also what a second opinion changed."""
    document, settled = _read_file(context, row)
    quotes = document.quotes or (document,)
    for quote in quotes:
        if quote.kind == "credit_note":
            raise UnreadableDocument(_describe_credit_note(quote))
        if len(quote.line_currencies) > 1:
            raise UnreadableDocument(
                f"The lines are in {' and '.join(quote.line_currencies)}; a quote has one currency."
            )
    with context.database.reading() as connection:
        matched = [match_document(connection, quote, row.organisation_id) for quote in quotes]
    read = [
        extract_scope(quote, found, purchase_type=row.purchase_type, currency=context.settings.currency)
        for quote, found in zip(quotes, matched, strict=True)
    ]
    return read, settled


def _describe_credit_note(document: Extraction) -> str:
    number = f" {document.document_number}" if document.document_number else ""
    # A German one may be an invoice that the buyer wrote.
    other = (
        " If the buyer wrote it as an invoice, enter its prices by hand." if document.language == "de" else ""
    )
    return f"It is a credit note{number}: it gives money back and asks for no price.{other}"


def _read_file(context: Context, row: ScopeDocument) -> tuple[Extraction, tuple[str, ...]]:
    """Read the document's file, with a second opinion where the organisation wants one."""
    with context.database.reading() as connection:
        stored = find_file(connection, row.organisation_id, row.file_id or "")
        asks = load_settings(connection, row.organisation_id).enabled
    if stored is None:
        raise UnreadableDocument(FILE_GONE)
    organisation_id = row.organisation_id
    content = read_document_file(context, stored.id, stored.sha256)
    if not asks:
        return context.readers.read_document(content, stored.filename, organisation_id=organisation_id), ()
    ask = partial(ask_second_opinion, context, row.scope_id, organisation_id)
    return context.readers.read_with_second_opinion(
        content, stored.filename, ask, organisation_id=organisation_id
    )


def _fetch(context: Context, row: ScopeDocument) -> tuple[bytes, str]:
    """Return what is at the foreign address, and its name."""
    try:
        content, _, filename = fetch_guarded(
            row.url or "",
            limit_bytes=context.settings.max_upload,
            timeout=FETCH_SECONDS,
            allow=context.settings.fetch_allow,
        )
    except UnfetchableAddress as error:
        raise UnreadableDocument(f"The document could not be fetched: {error}") from error
    return content, filename


def _store_file(context: Context, row: ScopeDocument, content: bytes, filename: str) -> StoredFile:
    """Store a document that was fetched like an upload."""
    try:
        caller = Caller("", row.organisation_id, role="owner")
        return save_upload(context, caller, io.BytesIO(content), filename)
    except ApiProblem as error:
        reason = "; ".join(wrong.detail for wrong in error.errors) or error.detail
        raise UnreadableDocument(f"The document at this address cannot be read: {reason}") from error
