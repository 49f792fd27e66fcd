"""Starts negotiations and attaches files to them."""

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.negotiation import NegotiationScope, NegotiationSupplier, StartNegotiation
from app.service.access.caller import Caller
from app.service.background.tasks import enqueue_task
from app.service.context import Context
from app.service.database.tables import attachment, company, entry, negotiation
from app.service.database.visibility import visible_to
from app.service.files.store import StoredFile, find_file
from app.service.http.problems import ApiProblem, InvalidField, bad_request
from app.service.ids import new_id
from app.service.negotiation import store
from app.service.negotiation.entries import require_room
from app.service.negotiation.jobs import PLAN, READ_ATTACHMENT
from app.service.negotiation.search_entries import index_attachment, index_negotiations
from app.service.negotiation.session import states
from app.service.negotiation.session.negotiation_session import NegotiationSession
from app.service.scopes.listing import refresh_statuses
from app.service.scopes.store import create_scope, find_scope


def start_negotiation(
    connection: Connection, context: Context, caller: Caller, body: StartNegotiation
) -> str:
    """Insert a negotiation that is planning, and the task to plan it. It is sample data if its scope or file
    is. Raises ApiProblem 400 with pointers for
    what the caller cannot see."""
    supplier = _name_supplier(connection, caller, body.supplier)
    now = context.clock()
    scope_id, currency, sample = _resolve_scope(connection, context, caller, body.scope)
    stored = require_file(connection, caller, body.file.file_id, "/file/fileId") if body.file else None
    negotiation_id = new_id()
    connection.execute(
        negotiation.insert().values(
            id=negotiation_id,
            organisation_id=caller.organisation_id,
            status="planning",
            engagement_type=body.engagement_type,
            contact_name=body.contact_name,
            contact_email=body.contact_email,
            supplier=supplier,
            company_id=body.supplier.company_id,
            scope_id=scope_id,
            scopes_tried=[],
            participants=[one.wire() for one in body.participants or ()],
            metadata=body.metadata,
            levers=[],
            currency=currency,
            end_user=caller.end_user.record(),
            sample=sample or (stored is not None and stored.sample),
            created_at=now,
            updated_at=now,
        )
    )
    connection.execute(
        entry.insert().values(
            id=new_id(),
            negotiation_id=negotiation_id,
            kind="started",
            happened_at=now,
            recorded_at=now,
            content={},
            end_user=caller.end_user.record(),
        )
    )
    tasks = [(PLAN, negotiation_id)]
    if stored is not None:
        attachment_id = _insert_attachment(connection, negotiation_id, stored, now, at_start=True)
        tasks.append((READ_ATTACHMENT, attachment_id))
    index_negotiations(connection, [negotiation_id])
    if scope_id is not None:
        refresh_statuses(connection, [scope_id])
    for kind, subject_id in tasks:
        enqueue_task(
            connection,
            kind=kind,
            subject_id=subject_id,
            organisation_id=caller.organisation_id,
            now=now,
        )
    return negotiation_id


def attach_file(session: NegotiationSession, stored: StoredFile, max_updates: int) -> str:
    """Attach a file to a negotiation and queue its reading; return the id of the attachment, the first one
    when the same file is attached again. Raises MoveRefused in a final state, ApiProblem 409 when the
    negotiation is full."""
    states.require_open(session.status)
    for row in store.load_attachments(session.connection, session.id):
        if row.file_id == stored.id:
            attached_before: str = row.id
            return attached_before
    require_room(session.connection, session.id, max_updates)
    attachment_id = _insert_attachment(session.connection, session.id, stored, session.now, at_start=False)
    index_attachment(session.connection, attachment_id)
    session.enqueue_task(READ_ATTACHMENT, attachment_id)
    session.mark_changed()
    if session.status == "planning":
        session.enqueue_task(PLAN)
    return attachment_id


def _insert_attachment(
    connection: Connection, negotiation_id: str, stored: StoredFile, now: datetime, *, at_start: bool
) -> str:
    attachment_id = new_id()
    connection.execute(
        attachment.insert().values(
            id=attachment_id,
            negotiation_id=negotiation_id,
            file_id=stored.id,
            created_at=now,
            at_start=at_start,
            reading_status="pending",
        )
    )
    return attachment_id


def _name_supplier(
    connection: Connection, caller: Caller, supplier: NegotiationSupplier
) -> dict[str, object]:
    """Return the supplier as the caller named it, with the catalog's name where the caller gives the id
    alone."""
    named = supplier.wire()
    if not supplier.model_fields_set and not supplier.model_extra:
        raise bad_request("/supplier", "must have at least one property")
    if supplier.company_id is None:
        return named
    name = connection.scalar(
        sa.select(company.c.name).where(
            company.c.id == supplier.company_id, visible_to(company.c, caller.organisation_id)
        )
    )
    if name is None:
        raise bad_request("/supplier/companyId", "There is no such company.")
    return {"name": name, **named}


def _resolve_scope(
    connection: Connection, context: Context, caller: Caller, given: NegotiationScope | None
) -> tuple[str | None, str | None, bool]:
    """Return the scope's id, created from the given terms if need be, its currency, which is None until the
    scope's document was read, and whether the negotiation is sample data."""
    if given is None:
        return None, None, caller.sample
    if given.scope_id is not None:
        if given.scope_terms is not None or given.product_terms is not None:
            raise bad_request("/scope", "has either a scopeId or the terms of a new scope")
        row = find_scope(connection, caller.organisation_id, given.scope_id)
        if row is None:
            raise bad_request("/scope/scopeId", "There is no such scope.")
        return given.scope_id, row.stated_currency if row.is_complete else None, caller.sample or row.sample
    if given.scope_terms is None and given.product_terms is None:
        return None, None, caller.sample
    missing = [
        InvalidField(f"/scope/{name}", "is required to make a scope")
        for name, value in (("scopeTerms", given.scope_terms), ("productTerms", given.product_terms))
        if value is None
    ]
    if missing or given.scope_terms is None or given.product_terms is None:
        raise ApiProblem(400, "The request is not valid.", errors=missing)
    scope_id = create_scope(
        connection,
        caller.make_origin(context.clock()),
        scope_terms=given.scope_terms,
        product_terms=given.product_terms,
        currency=context.settings.currency,
        pointer_prefix="/scope",
    )
    return scope_id, context.settings.currency, caller.sample


def require_file(connection: Connection, caller: Caller, file_id: str, pointer: str) -> StoredFile:
    """Return the file that a request names at `pointer`. Raises ApiProblem 400."""
    stored = find_file(connection, caller.organisation_id, file_id)
    if stored is None:
        raise bad_request(pointer, "There is no such file.")
    return stored
