"""Background work of negotiations: planning one, reading a file attached to one."""

import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Row

from app.service.background.tasks import enqueue, finish
from app.service.catalog.matching import match_document
from app.service.context import Context
from app.service.database.tables.negotiation import attachment
from app.service.documents.extraction import Extraction
from app.service.documents.faults import DocumentFault
from app.service.files.store import file_of
from app.service.negotiation import store
from app.service.negotiation.agreements.agreed_purchases import (
    KEEP_PURCHASE,
    kept_in_words,
    split_by_product,
    write_purchases,
)
from app.service.negotiation.assessment.document_offer import QuotedDocument
from app.service.negotiation.assessment.offer_assessment import record_offer, supplier_spoke
from app.service.negotiation.offers.offer import FROM_FILE
from app.service.negotiation.planning import conclude, look_up, open_talks, supplier_in_catalog
from app.service.negotiation.session import escalation_drafts, executive_summaries, states
from app.service.negotiation.session.negotiation_session import Case, opened
from app.service.purchases.product_refresh import complete
from app.service.scopes.extraction_to_scope import read_scope
from app.service.scopes.scope_documents import begin_reading
from app.service.scopes.store import scope_of
from app.service.scopes.stored_scope import StoredScope

PLAN = "plan"
READ_ATTACHMENT = "read_attachment"

logger = logging.getLogger("parley.negotiation")

NOT_PLANNED = "The strategy could not be made."

LOOK_AGAIN = timedelta(seconds=1)
"""While a document is being read into the scope."""


def plan(context: Context, negotiation_id: str) -> None:
    """Makes the strategy of a negotiation that is planning; for one that is not, nothing. Running it again
    after a crash does what is left to do."""
    now = context.clock()
    with context.database.reading() as connection:
        row = store.find(connection, negotiation_id)
        scope = None
        if row is not None and row.scope_id is not None:
            scope = scope_of(connection, row.organisation_id, row.scope_id)
        ready = row is not None and scope is not None and scope.is_complete
        found = look_up(connection, row, scope, now) if ready and row is not None else None
    with (
        context.database.writing() as connection,
        opened(connection, negotiation_id, now, context.settings.supplier_silence_days) as case,
    ):
        finish(connection, kind=PLAN, subject_id=negotiation_id)
        if case is None or case.status != "planning":
            return
        if found is not None and row is not None and case.row.scope_id == row.scope_id:
            conclude(case, context.settings, found)
            return
        _get_scope(case, context, scope)


def give_up_planning(context: Context, negotiation_id: str, reason: str) -> None:
    """Ends a planning that fails each time it is tried: there are no numbers, and a person is told."""
    with (
        context.database.writing() as connection,
        opened(connection, negotiation_id, context.clock(), context.settings.supplier_silence_days) as case,
    ):
        if case is None or case.status != "planning":
            return
        logger.error("negotiation %s could not be planned: %s", negotiation_id, reason)
        case.set(strategy=None, unavailable=NOT_PLANNED)
        case.record("planned", {"purchases": 0, "text": NOT_PLANNED})
        case.move("pending")
        case.ask(escalation_drafts.no_estimate(NOT_PLANNED))
        case.summarise(executive_summaries.planned_without_numbers())
        case.wait_for_supplier()


def read_attachment(context: Context, attachment_id: str) -> None:
    """Reads an attached file; a quote becomes an offer, with its clauses."""
    with context.database.reading() as connection:
        row = store.attachment_of(connection, attachment_id)
    if row is None or row.reading_status != "pending":
        with context.database.writing() as connection:
            finish(connection, kind=READ_ATTACHMENT, subject_id=attachment_id)
        return
    quoted: QuotedDocument | None = None
    fault = ""
    try:
        extraction = context.readers.read_document(context.files.read(row.file_id), row.filename)
        with context.database.reading() as connection:
            quoted = _as_quoted(connection, context, row.negotiation_id, extraction)
    except DocumentFault as error:
        fault = error.reason
    except FileNotFoundError:
        fault = "The file is not there any more."
    _conclude_reading(context, row, quoted, fault)


def _as_quoted(
    connection: Connection, context: Context, negotiation_id: str, extraction: Extraction
) -> QuotedDocument:
    """An attached file, which is from the supplier that one negotiates with, held against the catalog."""
    row = store.find(connection, negotiation_id)
    assert row is not None  # negotiations are never deleted
    supplier_id = supplier_in_catalog(connection, row.organisation_id, row.supplier)
    matched = match_document(connection, extraction, row.organisation_id, supplier_id=supplier_id)
    currency = row.currency or context.settings.currency
    read = read_scope(extraction, matched, purchase_type=None, currency=currency)
    return QuotedDocument(extraction, [line.match for line in matched.lines], read)


def _conclude_reading(context: Context, row: Row[Any], quoted: QuotedDocument | None, fault: str) -> None:
    """Writes what a file says, or why it says nothing, and strikes the task off."""
    now = context.clock()
    with (
        context.database.writing() as connection,
        opened(connection, row.negotiation_id, now, context.settings.supplier_silence_days) as case,
    ):
        finish(connection, kind=READ_ATTACHMENT, subject_id=row.id)
        connection.execute(
            attachment.update()
            .where(attachment.c.id == row.id)
            .values(reading_status="failed" if quoted is None else "completed")
        )
        if case is None or case.status in states.FINAL:
            return
        if quoted is None:
            case.record("attachment", {"attachmentId": row.id, "text": fault})
        else:
            _attached(case, row, quoted)
        if row.at_start and case.status == "pending":
            open_talks(case, context.settings)


def keep_purchase(context: Context, negotiation_id: str) -> None:
    """Keeps the agreed price as a purchase of the organisation, once, and says so on the timeline."""
    now = context.clock()
    with (
        context.database.writing() as connection,
        opened(connection, negotiation_id, now, context.settings.supplier_silence_days) as case,
    ):
        finish(connection, kind=KEEP_PURCHASE, subject_id=negotiation_id)
        if case is None or case.row.agreement is None or case.row.scope_id is None:
            return
        scope = scope_of(connection, case.organisation_id, case.row.scope_id)
        if scope is None or any(row.kind == "purchase" for row in store.entries_of(connection, case.id)):
            return
        split = split_by_product(connection, case.row, scope, now)
        write_purchases(connection, case.row, scope, split.lines)
        case.record("purchase", {"text": kept_in_words(split, case.row.currency)})
    complete(context.database, now)


def give_up_purchase(context: Context, negotiation_id: str, reason: str) -> None:
    """Says that the agreed price could not be kept as a purchase."""
    with (
        context.database.writing() as connection,
        opened(connection, negotiation_id, context.clock(), context.settings.supplier_silence_days) as case,
    ):
        logger.error("the agreement of negotiation %s is not kept: %s", negotiation_id, reason)
        if case is not None:
            case.record("purchase", {"text": "The agreed price could not be kept as a purchase."})


def give_up_reading(context: Context, attachment_id: str, reason: str) -> None:
    """Ends the reading of a file that fails each time it is tried."""
    with context.database.reading() as connection:
        row = store.attachment_of(connection, attachment_id)
    if row is not None and row.reading_status == "pending":
        logger.error("attachment %s could not be read: %s", attachment_id, reason)
        _conclude_reading(context, row, None, "The file could not be read.")


def _attached(case: Case, row: Row[Any], quoted: QuotedDocument) -> None:
    """What a file that was read does to the negotiation."""
    offer = quoted.offer(row.created_at, case.currency)
    said: dict[str, Any] = {"attachmentId": row.id, "clauses": quoted.clauses}
    if offer is None or store.update_of(case.connection, case.id, FROM_FILE, row.sha256) is not None:
        # The same file again, under another id, is no second offer.
        case.record("attachment", {**said, "text": f"{row.filename}: no new offer in it."})
        return
    if case.currency is not None and offer.currency != case.currency:
        text = f"{row.filename} is in {offer.currency}, the negotiation in {case.currency}."
        case.record("attachment", {**said, "text": text})
        return
    said |= {"text": f"read in {row.filename}", "payload": quoted.payload(offer)}
    if row.at_start:
        said["atStart"] = True
    else:
        supplier_spoke(case)
    record_offer(case, offer, said, source=FROM_FILE, external_id=row.sha256, digest=row.sha256)
    if not row.at_start:
        case.move(states.after_update(case.status, "quote"))


def _get_scope(case: Case, context: Context, scope: StoredScope | None) -> None:
    """Waits for the scope's document, reads an attached file into a scope, or asks a person for one."""
    if scope is not None and scope.is_being_read:
        store.set_timer(case.connection, case.id, PLAN, case.now + LOOK_AGAIN)
        return
    attached = store.attachments_of(case.connection, case.id)
    tried = set(case.row.scopes_tried)
    fresh = [one for one in attached if one.file_id not in tried]
    if fresh:
        _read_into_scope(case, context, fresh)
        return
    if scope is not None and scope.document is not None and scope.document.status == "failed":
        question = escalation_drafts.scope_needed(scope.document.error)
    else:
        question = escalation_drafts.scope_needed()
    if not any(row.reason == "scope_needed" for row in case.open_escalations()):
        case.ask(question)
        case.summarise(executive_summaries.scope_missing())


def _read_into_scope(case: Case, context: Context, fresh: Sequence[Row[Any]]) -> None:
    """The newest file becomes the scope; planning goes on when it was read."""
    newest = fresh[-1]
    stored = file_of(case.connection, case.organisation_id, newest.file_id)
    assert stored is not None
    scope_id = begin_reading(
        case.connection,
        organisation_id=case.organisation_id,
        currency=context.settings.currency,
        now=case.now,
        end_user=case.row.end_user,
        stored=stored,
        url=None,
        purchase_type=None,
    )
    case.set(scope_id=scope_id, scopes_tried=[*case.row.scopes_tried, newest.file_id])
    store.set_timer(case.connection, case.id, PLAN, case.now + LOOK_AGAIN)


def plan_again(connection: Connection, case: Case) -> None:
    """The timer of a negotiation that waits for its scope."""
    enqueue(connection, kind=PLAN, subject_id=case.id, now=case.now)
