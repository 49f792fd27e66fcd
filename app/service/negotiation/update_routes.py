"""Routes that bring something into a negotiation: an update from outside, a file, new evidence for its
strategy, that a letter was sent."""

import hashlib
import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request
from sqlalchemy import Connection
from starlette.datastructures import UploadFile
from starlette.responses import Response

from app.contract.negotiation import (
    AttachedFile,
    AttachFile,
    ExternalUpdate,
    NegotiationMail,
    PlanAnew,
)
from app.contract.strategy import StrategyShown
from app.contract.values import Id, wire_instant
from app.service.access.capacity import WorkKind, counts_as
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.context import Context
from app.service.files.store import save_upload
from app.service.http.dependencies import ContextDep
from app.service.http.error_responses import problem_response
from app.service.http.middleware import json_or_form
from app.service.http.operations import extension, json_or_file, operation
from app.service.http.problems import ApiProblem, bad_request, not_found
from app.service.http.responses import created_response, json_response
from app.service.negotiation import entries, negotiation_start, store, wire
from app.service.negotiation.mail import mark_sent
from app.service.negotiation.planning import gather_facts, replan
from app.service.negotiation.rows import EntryContent
from app.service.negotiation.session.negotiation_session import NegotiationSession, change_negotiation
from app.service.negotiation.session.states import MoveRefused, require_open
from app.service.negotiation.store import require_negotiation
from app.service.negotiation.updates import apply_update
from app.service.negotiation.updates.apply_update import IncomingUpdate
from app.service.negotiation.updates.schema_validation import check_payload
from app.service.negotiation.updates.update_payloads import parse_payload
from app.service.scopes.store import find_scope

NegotiationId = Annotated[Id, Path(alias="negotiationId")]

ENDING_KINDS = {"agreement", "cancellation"}
"""Updates that a negotiation takes although it has as many as it may."""

router = APIRouter(prefix="/v1/negotiation", tags=["Negotiation"], route_class=GuardedRoute)


@router.post(
    "/{negotiationId}/external-update",
    **operation(
        "updates.create",
        "Report an update of a negotiation",
        None,
        404,
        409,
        422,
        status_code=204,
        response_class=Response,
    ),
)
@counts_as(WorkKind.SCHEMA)
def external_update(
    request: Request,
    negotiation_id: NegotiationId,
    body: ExternalUpdate,
    context: ContextDep,
    caller: CallerDep,
) -> Response:
    """Reports something that happened outside. Its effects are stored when this is answered. The `$id` of
    `schema` says what it is: `urn:svc:quote:1`, `urn:svc:message:1`, `urn:svc:decision:1`,
    `urn:svc:agreement:1`, `urn:svc:strategy:1`, `urn:svc:correction:1`, `urn:svc:cancellation:1`, or
    anything else, which is kept as a note."""
    digest = _digest(body)
    with context.database.reading() as connection:
        require_negotiation(connection, caller, negotiation_id)
        if _is_repeated(connection, negotiation_id, body, digest):
            return Response(status_code=204)
    check_payload(body.payload_schema, body.payload)
    kind, payload = parse_payload(body.payload_schema, body.payload)
    arrival = IncomingUpdate(body, kind, payload, digest, caller.end_user.record())
    refusal: MoveRefused | None = None
    with _change(context, negotiation_id) as session:
        connection = session.connection
        # Checked again, now that the negotiation is locked.
        if _is_repeated(connection, negotiation_id, body, digest):
            return Response(status_code=204)
        room = connection, negotiation_id, context.settings.max_updates
        if kind not in ENDING_KINDS:
            entries.require_room(*room)
        try:
            apply_update.apply_update(session, context.settings, arrival)
        except MoveRefused as error:
            refusal = error
            if not entries.is_full(*room) and not store.was_refused(connection, negotiation_id, digest):
                _add_refusal(session, arrival, str(error))
    if refusal is not None:
        # Returned, not raised, which would take the refusal off the timeline again.
        return problem_response(request, ApiProblem(409, str(refusal)))
    return Response(status_code=204)


@router.post(
    "/{negotiationId}/attach",
    **operation(
        "attachments.create",
        "Attach a file to a negotiation",
        AttachedFile,
        404,
        409,
        status_code=201,
        openapi_extra=json_or_file(AttachFile),
    ),
)
@counts_as(WorkKind.UPLOAD)
def attach(
    negotiation_id: NegotiationId,
    sent: Annotated[tuple[AttachFile | None, UploadFile | None], Depends(json_or_form(AttachFile))],
    context: ContextDep,
    caller: CallerDep,
) -> Response:
    """Adds a file: the form's `file` part, or an uploaded file by its id. A quote becomes an offer."""
    body, upload = sent
    with context.database.reading() as connection:
        require_negotiation(connection, caller, negotiation_id)
        stored = (
            negotiation_start.require_file(connection, caller, body.file_id, "/fileId")
            if body is not None
            else None
        )
    if upload is not None:
        stored = save_upload(context, caller, upload.file, upload.filename)
    assert stored is not None
    with _change(context, negotiation_id) as session:
        attachment_id = negotiation_start.attach_file(session, stored, context.settings.max_updates)
    return created_response(AttachedFile(id=attachment_id, file_id=stored.id), f"/v1/files/{stored.id}")


@contextmanager
def _change(
    context: Context, negotiation_id: str, now: datetime | None = None
) -> Generator[NegotiationSession]:
    """Change a negotiation. What its state refuses becomes ApiProblem 409."""
    try:
        with change_negotiation(context, negotiation_id, now) as (_, session):
            assert session is not None  # negotiations are never deleted
            yield session
    except MoveRefused as refusal:
        raise ApiProblem(409, str(refusal)) from None


def _is_repeated(connection: Connection, negotiation_id: str, body: ExternalUpdate, digest: str) -> bool:
    """Return whether this update came before. Raises ApiProblem 409 when another one has its id."""
    earlier = store.find_update(connection, negotiation_id, body.source, body.external_id)
    if earlier is None:
        return False
    if earlier.content_digest != digest:
        raise ApiProblem(409, "Another update came from this source under this externalId.")
    return True


def _add_refusal(session: NegotiationSession, arrival: IncomingUpdate, why: str) -> None:
    update = arrival.update
    content: EntryContent = {
        "kind": arrival.kind,
        "text": why,
        "from": update.source,
        "externalId": update.external_id,
    }
    session.add_entry("refused", content, digest=arrival.digest, end_user=arrival.end_user)


def _digest(body: ExternalUpdate) -> str:
    """Return a hash that is equal for equal updates, whatever the order of their keys."""
    content: Mapping[str, Any] = {
        "timestamp": wire_instant(body.timestamp),
        "schema": body.payload_schema,
        "payload": body.payload,
        "source": body.source,
        "externalId": body.external_id,
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


MailId = Annotated[Id, Path(alias="mailId")]


@router.post(
    "/{negotiationId}/strategy",
    **extension(
        "strategies.recalculate", "Calculate the strategy of a negotiation again", StrategyShown, 404, 409
    ),
)
@counts_as(WorkKind.PRICING)
def make_anew(
    negotiation_id: NegotiationId, body: PlanAnew, context: ContextDep, caller: CallerDep
) -> Response:
    """Calculates the three numbers again from the evidence on record now. The timeline says what they were
    and why they changed. Numbers that a person typed stay. 409 in a final state and while planning."""
    now = context.clock()
    with context.database.reading() as connection:
        row = require_negotiation(connection, caller, negotiation_id)
        if row.status == "planning":
            raise ApiProblem(409, "The strategy is still being prepared.")
        scope_id: str | None = body.scope_id or row.scope_id
        scope = find_scope(connection, caller.organisation_id, scope_id) if scope_id else None
        if scope is None and body.scope_id is not None:
            raise bad_request("/scopeId", "There is no such scope.")
        facts = gather_facts(connection, row, scope, now)
    with _change(context, negotiation_id, now) as session:
        require_open(session.status)
        replan(session, facts, scope_id)
    with context.database.reading() as connection:
        changed = require_negotiation(connection, caller, negotiation_id)
    return json_response(wire.build_strategy(changed))


@router.post(
    "/{negotiationId}/mails/{mailId}/sent",
    **extension("mails.markSent", "Mark a letter as sent", NegotiationMail, 404, 409),
)
def sent_by_hand(
    negotiation_id: NegotiationId, mail_id: MailId, context: ContextDep, caller: CallerDep
) -> Response:
    """Records that a person has sent this letter. 409 for a letter that waits for the mail server."""
    with context.database.reading() as connection:
        require_negotiation(connection, caller, negotiation_id)
    with _change(context, negotiation_id) as session:
        row = mark_sent(session, mail_id)
    if row is None:
        raise not_found("letter")
    return json_response(wire.build_mail(row))
