"""Sessions of those who signed in, as a dashboard asks for them."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.contract.sign_in import EndedSession, Session, UsedTicket
from app.service.access import sessions
from app.service.access.guard import ACCESS_CONTROL, CallerDep, GuardedRoute, records_only
from app.service.http.dependencies import ContextDep
from app.service.http.operations import operation
from app.service.http.problems import ApiProblem
from app.service.http.responses import NO_STORE, json_response

router = APIRouter(prefix="/v1/session", route_class=GuardedRoute, include_in_schema=False)


@router.post("", **operation("session.start", "Sign in"))
def start(context: ContextDep, caller: CallerDep) -> Response:
    """Start a session of the API key that the call is made with; it ends when the key is revoked."""
    if caller.user_id or caller.session_id:
        raise ApiProblem(409, "A session is started with an API key, not from another session.")
    if not context.settings.key_sign_in:
        raise ApiProblem(403, f"Sign in with {context.settings.oidc_name}: API keys are for programs here.")
    now = context.clock()
    with context.database.writing() as connection:
        token = sessions.start_session(connection, caller, now)
    return json_response(Session(token=token, expires_at=now + sessions.ABSOLUTE), 201, headers=NO_STORE)


@router.post("/end", **operation("session.end", "Sign out"))
def end(request: Request, context: ContextDep, caller: CallerDep) -> Response:
    """End the session that the call is made with, in every process."""
    if caller.session_id is None:
        raise ApiProblem(409, "This call is not made from a session.")
    with context.database.writing() as connection:
        sealed = sessions.end_session(connection, caller.session_id)
    ACCESS_CONTROL.get(request.app).forget(request)
    provider = context.provider
    url = provider.sign_out_url(context.vault.open(sealed).decode()) if provider and sealed else None
    return json_response(EndedSession(sign_out_url=url), headers=NO_STORE)


@router.post("/tickets")
@records_only
def use_ticket(body: UsedTicket, context: ContextDep, caller: CallerDep) -> Response:
    """Use a ticket of the caller. 409 when it was used before, in whichever process."""
    now = context.clock()
    with context.database.writing() as connection:
        if not sessions.has_ticket_left(connection, caller.key_id, now):
            raise ApiProblem(409, f"{sessions.MOST_TICKETS:,} tickets were used within 30 days.")
        if not sessions.use_ticket(connection, caller.key_id, body.ticket, now):
            raise ApiProblem(409, "This ticket was used before.")
    return Response(status_code=204, headers=NO_STORE)
