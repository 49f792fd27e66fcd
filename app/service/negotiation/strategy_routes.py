"""Extension routes: making a strategy again from new evidence, and marking a letter as sent."""

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import Response

from app.contract.negotiation import NegotiationMail, PlanAnew
from app.contract.strategy import StrategyShown
from app.contract.values import Id
from app.service.access.capacity import WorkKind, counts_as
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.problems import ApiProblem, bad_request, not_found
from app.service.http.responses import json_response
from app.service.negotiation import wire
from app.service.negotiation.mail import mark_sent
from app.service.negotiation.planning import gather_facts, replan
from app.service.negotiation.session.negotiation_session import open_session
from app.service.negotiation.session.states import FINAL, MoveRefused
from app.service.negotiation.store import require_negotiation
from app.service.scopes.store import find_scope

NegotiationId = Annotated[Id, Path(alias="negotiationId")]
MailId = Annotated[Id, Path(alias="mailId")]

router = APIRouter(prefix="/v1/negotiation", tags=["Negotiation"], route_class=GuardedRoute)


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
        if row.status in FINAL:
            raise ApiProblem(409, f"The negotiation is {row.status}, which is final.")
        if row.status == "planning":
            raise ApiProblem(409, "The strategy is still being prepared.")
        scope_id: str | None = body.scope_id or row.scope_id
        scope = find_scope(connection, caller.organisation_id, scope_id) if scope_id else None
        if scope is None and body.scope_id is not None:
            raise bad_request("/scopeId", "There is no such scope.")
        facts = gather_facts(connection, row, scope, now)
    with (
        context.database.writing() as connection,
        open_session(context, connection, negotiation_id, now) as session,
    ):
        assert session is not None  # negotiations are never deleted
        if session.status in FINAL:
            raise ApiProblem(409, f"The negotiation is {session.status}, which is final.")
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
    try:
        with (
            context.database.writing() as connection,
            open_session(context, connection, negotiation_id) as session,
        ):
            assert session is not None  # negotiations are never deleted
            row = mark_sent(session, mail_id)
    except MoveRefused as refusal:
        raise ApiProblem(409, str(refusal)) from None
    if row is None:
        raise not_found("letter")
    return json_response(wire.build_mail(row))
