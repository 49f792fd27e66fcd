"""Background tasks of negotiations: planning, reading an attached file, saving an agreed purchase."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import Connection

from app.contract.agreements import AgreementLine, AgreementOwner
from app.contract.negotiation import FINAL_STATUSES
from app.service.access.audit import (
    ATTACHMENT_FAILED,
    ATTACHMENT_READ,
    PRICE_FAILED,
    PRICE_RECORDED,
    SCOPE_NEEDED,
    STRATEGY_FAILED,
    STRATEGY_MADE,
    STRATEGY_RECALCULATED,
)
from app.service.access.caller import RecordOrigin
from app.service.access.quotas import lock_organisation
from app.service.agreements.recording import NegotiatedPrice, record_negotiation
from app.service.background.tasks import finish_task
from app.service.catalog.matching import match_document
from app.service.context import Context
from app.service.database.dialect import lock_imports
from app.service.database.tables import attachment
from app.service.documents.extraction import Extraction
from app.service.documents.faults import DocumentFault
from app.service.files.store import find_file, read_document_file
from app.service.http.problems import ApiProblem
from app.service.negotiation import store
from app.service.negotiation.agreed_prices import (
    SAVE_AGREED_PURCHASE,
    UNKNOWN_OFFER,
    PriceSplit,
    describe_split,
    insert_purchases,
    split_by_product,
)
from app.service.negotiation.assessment import QuotedDocument, note_supplier_contact, record_offer
from app.service.negotiation.entries import find_signer, has_entry
from app.service.negotiation.offers.offer import FILE_SOURCE
from app.service.negotiation.offers.offered_terms import find_offered_scope
from app.service.negotiation.offers.savings import AgreedPrice
from app.service.negotiation.planning import (
    find_supplier,
    finish_planning,
    gather_facts,
    open_talks,
    replan,
)
from app.service.negotiation.rows import AttachmentRow, EntryContent
from app.service.negotiation.session import escalation_drafts, executive_summaries, states
from app.service.negotiation.session.negotiation_session import (
    NegotiationSession,
    change_negotiation,
    open_session,
)
from app.service.negotiation.strategy.strategy import RECALCULATE
from app.service.purchases.product_refresh import refresh_stale_products
from app.service.scopes.extraction_to_scope import extract_scope
from app.service.scopes.scope_documents import begin_reading
from app.service.scopes.store import StoredScope, find_scope, insert_scope, link_scopes

PLAN = "plan"
READ_ATTACHMENT = "read_attachment"

logger = logging.getLogger("parley.negotiation")

PLANNING_FAILED = "The strategy could not be prepared."

RECHECK_DELAY = timedelta(seconds=1)
"""While a document is being read into the scope."""


def plan_negotiation(context: Context, negotiation_id: str) -> None:
    """Make the strategy of a negotiation that is planning. Running it again after a crash does what is left
    to do."""
    now = context.clock()
    with context.database.reading() as connection:
        row = store.find_any_negotiation(connection, negotiation_id)
        scope = None
        if row is not None and row.scope_id is not None:
            scope = find_scope(connection, row.organisation_id, row.scope_id)
        ready = row is not None and scope is not None and scope.is_complete
        facts = gather_facts(connection, row, scope, now) if ready and row is not None else None
    with change_negotiation(context, negotiation_id, now) as (connection, session):
        finish_task(connection, kind=PLAN, subject_id=negotiation_id)
        if session is None or session.status != "planning":
            return
        if facts is not None and row is not None and session.row.scope_id == row.scope_id:
            finish_planning(session, context.settings, facts)
            session.record_outcome(STRATEGY_MADE)
        elif row is None or session.row.scope_id != row.scope_id:
            # It got another scope since it was read.
            store.set_timer(connection, session.id, PLAN, session.now + RECHECK_DELAY)
        else:
            _obtain_scope(session, context, scope)


def abandon_planning(context: Context, negotiation_id: str, reason: str) -> None:
    """End a planning that failed on every attempt: there are no numbers, and a person is asked."""
    with change_negotiation(context, negotiation_id) as (_, session):
        if session is None or session.status != "planning":
            return
        logger.error("negotiation %s could not be planned: %s", negotiation_id, reason)
        session.update(strategy=None, unavailable=PLANNING_FAILED)
        session.add_entry("planned", {"purchases": 0, "text": PLANNING_FAILED})
        session.record_outcome(STRATEGY_FAILED)
        session.move("pending")
        session.escalate(escalation_drafts.draft_missing_estimate(PLANNING_FAILED))
        session.add_summary(executive_summaries.MISSING_NUMBERS)
        session.restart_silence_timer()


def recalculate_strategy(context: Context, negotiation_id: str) -> None:
    """Set the three numbers again after an offer that they rest on was corrected."""
    now = context.clock()
    with context.database.reading() as connection:
        row = store.find_any_negotiation(connection, negotiation_id)
        assert row is not None  # negotiations are never deleted
        scope = find_scope(connection, row.organisation_id, row.scope_id) if row.scope_id else None
        facts = gather_facts(connection, row, scope, now)
    with change_negotiation(context, negotiation_id, now) as (connection, session):
        is_due = finish_task(connection, kind=RECALCULATE, subject_id=negotiation_id)
        if is_due and session is not None and session.status not in {"planning", *FINAL_STATUSES}:
            replan(session, facts, None, because="An offer was corrected")
            session.record_outcome(STRATEGY_RECALCULATED)


def read_attachment(context: Context, attachment_id: str) -> None:
    """Read an attached file; a quote becomes an offer, with its clauses."""
    with context.database.reading() as connection:
        row = store.find_attachment(connection, attachment_id)
    if row is None or row.reading_status != "pending":
        with context.database.writing() as connection:
            finish_task(connection, kind=READ_ATTACHMENT, subject_id=attachment_id)
        return
    quoted: QuotedDocument | None = None
    fault = ""
    try:
        extraction = context.readers.read_document(
            read_document_file(context, row.file_id, row.sha256),
            row.filename,
            organisation_id=row.organisation_id,
        )
        with context.database.reading() as connection:
            quoted = _match_quote(connection, context, row.negotiation_id, extraction)
    except DocumentFault as error:
        fault = error.reason
    _finish_reading(context, row, quoted, fault)


def _match_quote(
    connection: Connection, context: Context, negotiation_id: str, extraction: Extraction
) -> QuotedDocument:
    """Match the lines of an attached file, which is from the supplier of the negotiation, with the
    catalog."""
    row = store.find_any_negotiation(connection, negotiation_id)
    assert row is not None  # negotiations are never deleted
    supplier_id = find_supplier(connection, row.organisation_id, row.supplier)
    matched = match_document(connection, extraction, row.organisation_id, supplier_id=supplier_id)
    currency = row.currency or context.settings.currency
    read = extract_scope(extraction, matched, purchase_type=None, currency=currency)
    return QuotedDocument(extraction, [line.match for line in matched.lines], read)


def _finish_reading(context: Context, row: AttachmentRow, quoted: QuotedDocument | None, fault: str) -> None:
    """Record what was read in a file, or why it could not be read, and finish the task."""
    with change_negotiation(context, row.negotiation_id) as (connection, session):
        finish_task(connection, kind=READ_ATTACHMENT, subject_id=row.id)
        finished = connection.execute(
            attachment.update()
            .where(attachment.c.id == row.id, attachment.c.reading_status == "pending")
            .values(reading_status="failed" if quoted is None else "completed")
        )
        if not finished.rowcount or session is None:
            return
        outcome = ATTACHMENT_FAILED if quoted is None else ATTACHMENT_READ
        if row.at_start:
            session.record_outcome(replace(outcome, asked_by=STRATEGY_MADE.asked_by))
        else:
            session.record_outcome(outcome, part=row.id)
        if session.status in FINAL_STATUSES:
            return
        if quoted is None:
            session.add_entry("attachment", {"attachmentId": row.id, "text": fault})
        else:
            _apply_attachment(session, row, quoted)
        if row.at_start and session.status == "pending":
            open_talks(session, context.settings)


def save_agreed_purchase(context: Context, negotiation_id: str) -> None:
    """Save the agreed price as purchases and as an agreement of the organisation, once, and record it on the
    timeline."""
    now = context.clock()
    with context.database.writing() as connection:
        row = store.find_any_negotiation(connection, negotiation_id)
        if row is not None:  # their order is that of all who write (`lock_organisation`)
            lock_imports(connection)
            lock_organisation(connection, row.organisation_id)
        with open_session(context, connection, negotiation_id, now) as session:
            if session is not None and not _has_purchase_entry(session):
                split = _insert_agreed_purchase(session)
                if split is not None:
                    _record_agreement(session, split, context.settings.max_agreements)
    refresh_stale_products(context.database, now)
    with context.database.writing() as connection:
        finish_task(connection, kind=SAVE_AGREED_PURCHASE, subject_id=negotiation_id)


def _insert_agreed_purchase(session: NegotiationSession) -> PriceSplit | None:
    """Insert the purchases and return what was agreed for each product of the scope, and besides."""
    agreement, currency, scope = session.row.agreement, session.currency, session.find_scope()
    if agreement is None or currency is None or scope is None:
        return None
    split = PriceSplit((), UNKNOWN_OFFER)
    bought = _find_bought(session, agreement, scope)
    if bought is not None:
        split = split_by_product(session.connection, agreement, currency, bought, session.now)
        insert_purchases(session.connection, session.id, agreement, bought, split.lines, currency)
    session.add_entry("purchase", {"text": describe_split(split, currency)})
    session.record_outcome(PRICE_RECORDED)
    return split


def _find_bought(
    session: NegotiationSession, agreement: AgreedPrice, scope: StoredScope
) -> StoredScope | None:
    """Return what a price was agreed for: the scope, or what the supplier offered in its place; None where
    that is not known."""
    if agreement.other_offer is None:
        return scope
    [offer] = [one for one in session.offers if one.first_entry_id == agreement.other_offer]
    return find_offered_scope(session.connection, offer, scope)


def _keep_bought_scope(session: NegotiationSession, scope: StoredScope, bought: StoredScope) -> str:
    """Write what was agreed as a scope that follows the one that was negotiated; return its id."""
    scope_id = insert_scope(
        session.connection,
        RecordOrigin(session.organisation_id, session.now, session.row.sample, session.row.end_user),
        source="manual",
        currency=bought.currency,
        scope_terms=bought.scope_terms,
        product_terms=bought.product_terms,
        document_scope_id=scope.document_scope_id,
    )
    link_scopes(session.connection, session.organisation_id, scope.id, scope_id)
    return scope_id


def _record_agreement(session: NegotiationSession, split: PriceSplit, max_agreements: int) -> None:
    """Put the agreed price on record as an agreement with the supplier, whose dates are watched; where there
    is no room for it, say so on the timeline. One for something else than the scope is of a scope of its
    own."""
    row, currency, scope = session.row, session.currency, session.find_scope()
    if row.agreement is None or currency is None or scope is None:
        return
    bought = _find_bought(session, row.agreement, scope)
    price = NegotiatedPrice(
        negotiation_id=row.id,
        scope=scope,
        company_id=row.company_id,
        supplier_name=row.supplier.get("name") or row.supplier.get("domain"),
        owner=AgreementOwner(name=row.contact_name[:200], email=row.contact_email),
        amount=row.agreement.amount,
        currency=currency,
        lines=[
            AgreementLine(
                product_id=line.product.id,
                description=line.product.name,
                quantity=line.quantity,
                amount=line.amount,
                recurring=line.recurring,
                first_month=line.term.first_month,
                months=line.term.months,
            )
            for line in split.lines
        ]
        + [line for line, _ in split.unsaved],
        end_user=find_signer(session.connection, row.id) or row.end_user,
        sample=row.sample,
        months=row.agreement.term_length,
        renewed_id=row.agreement_id,
        bought_scope_id=None
        if bought is None or bought is scope
        else _keep_bought_scope(session, scope, bought),
    )
    try:
        record_negotiation(session.connection, price, now=session.now, max_agreements=max_agreements)
    except ApiProblem as full:
        session.add_entry("purchase", {"text": f"It is not on record as an agreement. {full.detail}"})


def _has_purchase_entry(session: NegotiationSession) -> bool:
    """Return whether it is on the timeline what became of the agreed price."""
    return has_entry(session.connection, session.id, ["purchase"])


def abandon_agreed_purchase(context: Context, negotiation_id: str, reason: str) -> None:
    """Record that the agreed price could not be saved as a purchase."""
    with change_negotiation(context, negotiation_id) as (_, session):
        if session is not None and not _has_purchase_entry(session):
            logger.error("the agreed price of negotiation %s is not kept: %s", negotiation_id, reason)
            session.add_entry("purchase", {"text": "The agreed price could not be saved as a purchase."})
            session.record_outcome(PRICE_FAILED)


def abandon_reading(context: Context, attachment_id: str, reason: str) -> None:
    """End the reading of a file that failed on every attempt."""
    with context.database.reading() as connection:
        row = store.find_attachment(connection, attachment_id)
    if row is not None and row.reading_status == "pending":
        logger.error("attachment %s could not be read: %s", attachment_id, reason)
        _finish_reading(context, row, None, "The file could not be read.")


def _apply_attachment(session: NegotiationSession, row: AttachmentRow, quoted: QuotedDocument) -> None:
    offer = quoted.build_offer(row.created_at, session.currency)
    clauses = quoted.clauses.to_record()
    if (
        offer is None
        or store.find_update(session.connection, session.id, FILE_SOURCE, row.sha256) is not None
    ):
        # The same file again, under another id, is no second offer.
        text = f"{row.filename}: no new offer found."
        session.add_entry("attachment", {"attachmentId": row.id, "clauses": clauses, "text": text})
        return
    if session.currency is not None and offer.currency != session.currency:
        text = f"{row.filename} is in {offer.currency}, the negotiation in {session.currency}."
        session.add_entry("attachment", {"attachmentId": row.id, "clauses": clauses, "text": text})
        return
    content: EntryContent = {
        "attachmentId": row.id,
        "clauses": clauses,
        "text": f"read in {row.filename}",
        "payload": quoted.build_payload(offer),
    }
    if row.at_start:
        content["atStart"] = True
    else:
        note_supplier_contact(session)
    record_offer(session, offer, content, source=FILE_SOURCE, external_id=row.sha256, digest=row.sha256)
    if not row.at_start:
        session.move(states.next_status(session.status, "quote"))


def _obtain_scope(session: NegotiationSession, context: Context, scope: StoredScope | None) -> None:
    """Wait for the scope's document, read an attached file into a scope, or ask a person for one."""
    if scope is not None and scope.is_being_read:
        store.set_timer(session.connection, session.id, PLAN, session.now + RECHECK_DELAY)
        return
    attached = store.load_attachments(session.connection, session.id)
    tried = set(session.row.scopes_tried)
    fresh = [one for one in attached if one.file_id not in tried]
    if fresh:
        _read_into_scope(session, context, fresh)
        return
    if scope is not None and scope.document is not None and scope.document.status == "failed":
        question = escalation_drafts.draft_missing_scope(scope.document.error)
    else:
        question = escalation_drafts.draft_missing_scope()
    if not any(row.reason == "scope_needed" for row in session.load_open_escalations()):
        session.escalate(question)
        session.record_outcome(SCOPE_NEEDED)
        session.add_summary(executive_summaries.MISSING_SCOPE)


def _read_into_scope(session: NegotiationSession, context: Context, fresh: Sequence[AttachmentRow]) -> None:
    """Read the newest file into a scope; planning continues when it was read."""
    newest = fresh[-1]
    stored = find_file(session.connection, session.organisation_id, newest.file_id)
    assert stored is not None
    scope_id = begin_reading(
        session.connection,
        RecordOrigin(session.organisation_id, session.now, session.row.sample, session.row.end_user),
        currency=context.settings.currency,
        stored=stored,
        url=None,
        purchase_type=None,
    )
    session.update(scope_id=scope_id, scopes_tried=[*session.row.scopes_tried, newest.file_id])
    store.set_timer(session.connection, session.id, PLAN, session.now + RECHECK_DELAY)
