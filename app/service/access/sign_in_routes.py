"""Sign-in with the identity provider: the steps that a dashboard asks for. None of them needs a key; who may
come in is what they find out. And the sessions of those who signed in."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from app.contract.sign_in import (
    BROWSER_HEADER,
    EndedSession,
    NewSignIn,
    Session,
    SignInAnswer,
    SignInOptions,
    StartedSignIn,
    UsedTicket,
)
from app.dashboard_keys import group_address, open_address, read_dashboard_keys
from app.service.access import sessions
from app.service.access.audit import write_session_entry
from app.service.access.capacity import WorkKind
from app.service.access.guard import ACCESS_CONTROL, CallerDep, GuardedRoute, records_only
from app.service.access.holders import admit, provider_away
from app.service.access.people_store import SIGN_IN
from app.service.context import Context
from app.service.http.dependencies import ContextDep
from app.service.http.error_responses import get_request_id
from app.service.http.middleware import read_announced_length
from app.service.http.operations import operation
from app.service.http.problems import ApiProblem, bad_request, not_found
from app.service.http.responses import NO_STORE, json_response
from app.service.openid.attempts import Attempt, RefusedAttempt, open_attempt, start_attempt
from app.service.openid.provider import Provider
from app.service.openid.requests import ProviderRefusal, ProviderUnavailable
from app.service.openid.tokens import RefusedToken, check_id_token, check_logout_token

router = APIRouter(prefix="/v1/sign-in", include_in_schema=False)

MAX_LOGOUT_BODY = 32 * 1024
Result = TypeVar("Result")


@router.get("")
async def options(context: ContextDep) -> Response:
    """Return how people may sign in."""
    name = context.settings.oidc_name if context.provider else None
    return json_response(SignInOptions(provider=name, keys=context.settings.key_sign_in), headers=NO_STORE)


@router.post("/attempts")
async def start(request: Request, body: NewSignIn, context: ContextDep) -> Response:
    """Return where the browser goes to sign in."""
    work = partial(_start, context, body.return_to)
    browser = _find_browser(request, context)
    started = await _step(request, context, work, WorkKind.SIGN_IN_START, browser)
    return json_response(started, 201, headers=NO_STORE)


@router.post("")
async def finish(request: Request, body: SignInAnswer, context: ContextDep) -> Response:
    """Return the session of a person who came back from the identity provider. This alone is counted: it asks
    the provider and stores that the attempt was used, which a start does not."""
    browser = _find_browser(request, context)
    ACCESS_CONTROL.get(request.app).sign_ins.count(browser, context.clock().timestamp())
    work = partial(_finish, context, body, get_request_id(request))
    session = await _step(request, context, work, WorkKind.SIGN_IN, browser)
    return json_response(session, 201, headers=NO_STORE)


@router.post("/logout")
async def log_out(request: Request, context: ContextDep) -> Response:
    """End the sessions that the identity provider orders to end (OpenID Connect Back-Channel Logout 1.0). It
    sends a form with a `logout_token`."""
    if read_announced_length(request) > MAX_LOGOUT_BODY:
        raise ApiProblem(413, "A logout token is not that long.")
    async with request.form(max_files=0, max_fields=20) as form:
        token = form.get("logout_token")
    if not isinstance(token, str):
        raise bad_request("/logout_token", "must be there")
    work = partial(_log_out, context, token, get_request_id(request))
    await _step(request, context, work, WorkKind.SIGN_IN, "logout")
    return Response(status_code=200, headers=NO_STORE)


def _find_browser(request: Request, context: Context) -> str:
    """The address that a sign-in is counted by: that of the browser, where a dashboard of the deployment
    states it, else the caller's."""
    stated = request.headers.get(BROWSER_HEADER)
    address = open_address(read_dashboard_keys(context.settings), stated) if stated else None
    return address or group_address(request.client.host if request.client else "")


async def _step(
    request: Request, context: Context, work: Callable[[], Result], kind: WorkKind, holder: str
) -> Result:
    """The result of a step, in a place of its kind, of which one holder has half."""
    if context.provider is None:
        raise not_found("way to sign in; use an API key")
    async with ACCESS_CONTROL.get(request.app).capacity.work(kind, holder):
        try:
            return await run_in_threadpool(work)
        except ProviderUnavailable as failure:
            raise provider_away(failure) from None


def _start(context: Context, return_to: str) -> StartedSignIn:
    attempt = start_attempt(return_to, context.clock())
    url = _provider(context).authorization_url(
        state=attempt.state, nonce=attempt.nonce, challenge=attempt.challenge
    )
    return StartedSignIn(authorization_url=url, state=attempt.state, attempt=attempt.seal(context.vault))


def _finish(context: Context, answer: SignInAnswer, request_id: str) -> Session:
    provider, now = _provider(context), context.clock()
    try:
        attempt = open_attempt(context.vault, answer.attempt, answer.state, now)
    except RefusedAttempt as refusal:
        raise ApiProblem(403, str(refusal)) from None
    may_be_silent = answer.iss is None and not provider.endpoints().names_issuer
    if answer.iss != provider.issuer and not may_be_silent:
        raise ApiProblem(403, f"The answer is not from {provider.issuer}. Sign in again.")
    with context.database.writing() as connection:
        if not sessions.use_ticket(connection, "sign-in", attempt.state, now):
            raise ApiProblem(403, "This sign-in was finished before. Sign in again.")
    if answer.code is None or answer.error:
        reason = f" ({answer.error})" if answer.error else ""
        raise ApiProblem(403, f"The identity provider did not sign you in{reason}. Sign in again.")
    return _start_session(context, provider, attempt, answer.code, request_id)


def _start_session(
    context: Context, provider: Provider, attempt: Attempt, code: str, request_id: str
) -> Session:
    try:
        id_token = provider.redeem_code(code, attempt.verifier)
        claims = check_id_token(provider, id_token, attempt.nonce, context.clock())
    except ProviderRefusal as refusal:
        raise ApiProblem(
            403, f"The identity provider refuses what it answered ({refusal}). Sign in again."
        ) from None
    except RefusedToken as refusal:
        raise ApiProblem(403, f"{refusal} Nobody was signed in.") from None
    member, now = admit(context, claims, request_id), context.clock()
    with context.database.writing() as connection:
        token = sessions.start_session(
            connection,
            member,
            now,
            provider_session=claims.text("sid"),
            id_token=context.vault.seal(id_token.encode()),
        )
        write_session_entry(
            connection,
            member.organisation_id,
            member.key_id,
            SIGN_IN,
            f"Sign in, with the role {member.role}",
            request_id,
            now,
        )
    return Session(token=token, expires_at=now + sessions.ABSOLUTE, return_to=attempt.return_to or None)


def _log_out(context: Context, token: str, request_id: str) -> None:
    provider, now = _provider(context), context.clock()
    try:
        order = check_logout_token(provider, token, now)
    except RefusedToken as refusal:
        raise bad_request("/logout_token", f"is refused: {refusal}") from None
    with context.database.writing() as connection:
        if sessions.use_ticket(connection, "logout", order.id, now):
            ended = sessions.end_provider_sessions(connection, order.issuer, order.subject, order.session)
            for organisation_id, user_id in ended:
                summary = "Sign out, as the identity provider ordered"
                write_session_entry(
                    connection, organisation_id, user_id, "session.end", summary, request_id, now
                )


def _provider(context: Context) -> Provider:
    assert context.provider is not None
    return context.provider


session_router = APIRouter(prefix="/v1/session", route_class=GuardedRoute, include_in_schema=False)


@session_router.post("", **operation("session.start", "Sign in"))
def start_session(context: ContextDep, caller: CallerDep) -> Response:
    """Start a session of the API key that the call is made with; it ends when the key is revoked."""
    if caller.user_id or caller.session_id:
        raise ApiProblem(409, "A session is started with an API key, not from another session.")
    if not context.settings.key_sign_in:
        raise ApiProblem(403, f"Sign in with {context.settings.oidc_name}: API keys are for programs here.")
    now = context.clock()
    with context.database.writing() as connection:
        token = sessions.start_session(connection, caller, now)
    return json_response(Session(token=token, expires_at=now + sessions.ABSOLUTE), 201, headers=NO_STORE)


@session_router.post("/end", **operation("session.end", "Sign out"))
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


@session_router.post("/tickets")
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
