"""The checks before every route that needs a key, in the order in which they run: the key, the rate limit,
the right to write, the calls in flight, the end user's headers, the body's type, size and form, a place for
this kind of work, the idempotency key. Nothing of a body is read before the caller may send it."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial, wraps
from inspect import iscoroutinefunction
from typing import Annotated, Any, TypeVar
from urllib.parse import unquote_plus

from fastapi import Depends
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Message

from app.contract.access import NEEDED_ROLE_MARK, READS_ONLY_MARK, has_role
from app.contract.money import lower_first
from app.service.access.approvals import AskingCall, Decision, SecondPersonNeeded, noting_decisions
from app.service.access.audit import Change, read_field_names
from app.service.access.caller import Caller, EndUser, read_api_key, read_end_user
from app.service.access.capacity import Capacity, WorkKind, find_work_kind
from app.service.access.holders import Address, find_holder, is_provider_token, unauthorized
from app.service.access.idempotency import IdempotentCall, check_idempotency_key, hash_body
from app.service.access.keys import hash_key
from app.service.access.limits import RateLimiter, SignInLimit
from app.service.access.roles import READING, RULES, Rule, find_rule
from app.service.context import Context
from app.service.http.dependencies import CONTEXT, StateKey
from app.service.http.error_responses import get_request_id, problem_response
from app.service.http.json_values import find_json_faults
from app.service.http.middleware import ADDED_HEADERS, BODY_LIMIT, FORM_TYPE, is_form, read_media_type
from app.service.http.problems import ApiProblem, bad_request
from app.service.http.request_headers import read_address
from app.service.http.routing import find_query_names

KEY_CACHE_SECONDS = 1.0
"""A revoked key may still pass this long in a process that has just seen it, whatever the clock says."""
MAX_CACHED_KEYS = 10_000
LARGE_BODY = 16 * 1024
"""From so many bytes on JSON is checked in a thread, so that no other call waits for it."""

JSON_TYPE = "application/json"
FORM_OVERHEAD = 64 * 1024
"""What boundaries and part headers may add to an upload."""

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class AccessControl:
    """Checks keys and counts requests; one for each process."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.limits = RateLimiter(context.settings.rate_limit)
        self.capacity = Capacity(context.settings.calls_in_flight)
        self.sign_ins = SignInLimit()
        self._holders: OrderedDict[str, tuple[float, Caller]] = OrderedDict()
        self._lock = threading.Lock()

    async def admit(self, request: Request, rule: Rule) -> Caller:
        """The caller, who has the role that the rule asks for. Raises ApiProblem 401, 403 or 429."""
        key = read_api_key(request.headers)
        if key is None:
            raise unauthorized("An API key is required: Authorization: Bearer <key>.")
        digest = hash_key(key)
        address = read_address(request, self._context.settings.trusted_proxies)
        holder = self._cached_holder(digest)
        if holder is None:
            # A token may wait for the identity provider: it takes no place of a key or session.
            kind = WorkKind.TOKEN if is_provider_token(key) else WorkKind.KEY
            async with self.capacity.work(kind, digest):
                holder = await run_in_threadpool(self._look_up, key, digest, address)
        allowance = self.limits.count_request(holder.key_id, self._context.clock(), rule.times_limit)
        if allowance is not None:
            ADDED_HEADERS.set(request, allowance.headers())
            if allowance.exceeded:
                raise ApiProblem(
                    429,
                    f"More than {allowance.limit} requests in a minute.",
                    headers={"Retry-After": str(allowance.reset_seconds)},
                )
        if not holder.works_from(address):
            raise ApiProblem(403, f"This API key works from other networks, and not from {address}.")
        if not has_role(holder.role, rule.role):
            raise ApiProblem(403, _describe_missing_role(holder, rule))
        return holder

    def _cached_holder(self, digest: str) -> Caller | None:
        with self._lock:
            seen = self._holders.get(digest)
        return seen[1] if seen is not None and time.monotonic() - seen[0] < KEY_CACHE_SECONDS else None

    def forget(self, request: Request) -> None:
        """Look the caller's key up anew at their next call, since their session ended."""
        key = read_api_key(request.headers)
        with self._lock:
            self._holders.pop(hash_key(key or ""), None)

    def _look_up(self, key: str, digest: str, address: Address | None) -> Caller:
        now = time.monotonic()
        holder = find_holder(self._context, key, digest, address)
        with self._lock:
            self._holders[digest] = (now, holder)
            self._holders.move_to_end(digest)
            while len(self._holders) > MAX_CACHED_KEYS:
                self._holders.popitem(last=False)
        return holder


def _describe_missing_role(holder: Caller, rule: Rule) -> str:
    who = "You" if holder.user_id else "This API key"
    if holder.role == "reader" and rule.role == "buyer":
        return f"{who} may only read."
    has = "have" if holder.user_id else "has"
    return f"This takes the role {rule.role}, and {lower_first(who)} {has} the role {holder.role}."


ACCESS_CONTROL = StateKey[AccessControl]("gate")
"""Of the application."""
CALLER = StateKey[Caller]("caller")
"""Of a request whose key was found valid."""


_READ_ONLY = "changes_nothing"
_ASKS_ONLY = "asks_only"
Endpoint = TypeVar("Endpoint", bound=Callable[..., Response])


def read_only(endpoint: Endpoint) -> Endpoint:
    """Marks a POST that only asks: a read-only key may call it, and no answer of it is stored, since a repeat
    does no harm."""
    setattr(endpoint, _READ_ONLY, True)
    setattr(endpoint, _ASKS_ONLY, True)
    return endpoint


def records_only(endpoint: Endpoint) -> Endpoint:
    """Marks a POST that only records that something was asked: a read-only key may call it."""
    setattr(endpoint, _READ_ONLY, True)
    return endpoint


_TRANSACTION_MARK = "is_one_transaction"


@dataclass
class _Call:
    """A request that may write, on its way to the endpoint."""

    context: Context
    change: Change | None = None
    """For the audit log, where the operation makes an entry."""
    idempotent: IdempotentCall | None = None
    """Where it has an Idempotency-Key."""
    asking: AskingCall | None = None
    """Where the operation may need a second person."""
    is_held: bool = False
    """Whether the endpoint is bound to what the request says, and not run."""
    bound: Callable[[], Response] | None = None


_CALL: ContextVar[_Call] = ContextVar("call")


def _in_one_transaction(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    """The endpoint with all that it writes in one transaction, which it commits before it answers, together
    with the response where the call has an Idempotency-Key, and the entry in the audit log. What it raises
    leaves nothing behind, and neither does what a second person must approve: it is stored to be approved."""
    if hasattr(endpoint, _TRANSACTION_MARK):
        return endpoint  # of a router that is included in an application
    if iscoroutinefunction(endpoint):
        raise TypeError(f"{endpoint.__name__} may write, so it must be a plain function, which has a thread")

    @wraps(endpoint)
    def run(*arguments: Any, **named: Any) -> Response:
        call = _CALL.get()
        if call.is_held:
            call.bound = partial(endpoint, *arguments, **named)
            return Response()
        try:
            return _run_call(call, partial(endpoint, *arguments, **named))
        except SecondPersonNeeded as needed:
            assert call.asking is not None
            raise call.asking.store(call.context, needed.decision) from None

    setattr(run, _TRANSACTION_MARK, True)
    return run


def _carry_out(
    context: Context, change: Change | None, endpoint: Callable[[], Response]
) -> tuple[Response, Sequence[Decision]]:
    """Run an endpoint in the transaction under way, with the entry in the audit log. Return its response and
    what it decided."""
    with noting_decisions() as noted:
        response = endpoint()
    if change is not None:
        change.record(context, response)
    return response, noted


def _run_call(call: _Call, endpoint: Callable[[], Response]) -> Response:
    def run_recorded() -> Response:
        response, noted = _carry_out(call.context, call.change, endpoint)
        if call.asking is not None and response.status_code < 300:
            with call.context.database.reading() as connection:
                call.asking.check(connection, noted)
        return response

    if call.idempotent is not None:
        return call.idempotent.run(run_recorded)
    with call.context.database.one_transaction():
        return run_recorded()


HeldCall = Callable[[], tuple[Response, Sequence[Decision]]]
"""A call that was made before, bound to its endpoint and not run yet: runs it in the transaction under way,
with its audit entry, and returns its response and what it decided."""


async def hold_call(request: Request, caller: Caller, method: str, path: str, body: bytes) -> HeldCall:
    """Return the call of a path as the caller makes it, checked like one that arrives. `request` is that
    under way. Raises what the path's own checks raise, and 404 where this version has no such path."""
    scope = {
        **{key: value for key, value in request.scope.items() if key not in {"endpoint", "path_params"}},
        **{"method": method, "path": path, "raw_path": path.encode(), "query_string": b""},
        "headers": [(b"content-type", JSON_TYPE.encode()), (b"content-length", str(len(body)).encode())],
        "state": {**request.scope.get("state", {})},
    }
    matches = (route.matches(scope) for route in request.app.router.routes)
    found = next((child for match, child in matches if match is Match.FULL), dict[str, Any]())
    route = found.get("route")
    if not isinstance(route, PlainGuardedRoute):
        raise HTTPException(404)

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    held = Request({**scope, **found}, receive)
    CALLER.set(held, caller)
    rule = find_rule(route.operation_id, writes=True)
    call = _Call(CONTEXT.get(request.app), is_held=True)
    token = _CALL.set(call)
    try:
        await route.make_unguarded_handler()(held)
    finally:
        _CALL.reset(token)
    assert call.bound is not None
    return partial(_carry_out, call.context, await route.name_change(held, caller, rule), call.bound)


class PlainGuardedRoute(APIRoute):
    """A route that takes Authorization only (webhooks, negotiation start)."""

    def __init__(
        self, path: str, endpoint: Callable[..., Any], *, methods: Collection[str], **options: Any
    ) -> None:
        reads = {*methods} <= {"GET", "HEAD"}
        if getattr(endpoint, _READ_ONLY, False):
            options["openapi_extra"] = {**(options.get("openapi_extra") or {}), READS_ONLY_MARK: True}
        rule = RULES.get(options.get("operation_id") or "", READING)
        if rule.role != READING.role:
            options["openapi_extra"] = {**(options.get("openapi_extra") or {}), NEEDED_ROLE_MARK: rule.role}
        is_plain = reads and not rule.is_recorded
        super().__init__(
            path, endpoint if is_plain else _in_one_transaction(endpoint), methods={*methods}, **options
        )

    def make_unguarded_handler(self) -> Handler:
        """Return what answers a request whose caller is known and whose body was checked."""
        return super().get_route_handler()

    def get_route_handler(self) -> Handler:
        handle = self.make_unguarded_handler()
        writes = self.methods != {"GET"} and not getattr(self.endpoint, _READ_ONLY, False)
        rule = find_rule(self.operation_id, writes=writes)
        stores_answers = self.methods == {"POST"} and not getattr(self.endpoint, _ASKS_ONLY, False)
        kind = find_work_kind(self.endpoint, writes=writes)
        body = (self.openapi_extra or {}).get("requestBody", {})
        accepted = tuple(body.get("content", {JSON_TYPE: {}}))
        names = find_query_names(self.dependant, (self.openapi_extra or {}).get("parameters", ()))

        async def guarded(request: Request) -> Response:
            access = ACCESS_CONTROL.get(request.app)
            caller = await access.admit(request, rule)
            async with access.capacity.call(caller.key_id):
                CALLER.set(request, replace(caller, end_user=self.end_user(request)))
                _refuse_nul(request)
                names.check(request.query_params)
                try:
                    async with access.capacity.body(request, caller.organisation_id):
                        await _read_body(request, accepted)
                    async with access.capacity.work(kind, caller.organisation_id, request.is_disconnected):
                        key = request.headers.get("idempotency-key")
                        is_told = writes or rule.is_recorded
                        call = _Call(CONTEXT.get(request.app))
                        if is_told:
                            call.change = await self.name_change(request, caller, rule)
                        if rule.second_person:
                            call.asking = await self._name_asking(request, rule)
                        if key is not None and request.method == "POST":
                            check_idempotency_key(key)
                        if key is None or not stores_answers:
                            _CALL.set(call)
                            return await handle(request)
                        return await _run_once(request, caller, key, call, handle)
                finally:
                    # The framework closes the uploads of a form that it read itself, not those that we read.
                    await request.close()

        return guarded

    async def _name_asking(self, request: Request, rule: Rule) -> AskingCall:
        return AskingCall(
            caller=CALLER.get(request),
            rule=rule,
            operation=self.operation_id or "",
            summary=self.summary or "",
            method=request.method,
            path=request.url.path,
            body=await request.body(),
            request_id=get_request_id(request),
        )

    async def name_change(self, request: Request, caller: Caller, rule: Rule) -> Change:
        """The call as the audit log will name it. A form is not read for it: what it brings counts as a file.
        What an admin does, such as ending a key, is done also where there is no room."""
        body = b"" if is_form(request) else await request.body()
        return Change(
            caller=caller,
            action=self.operation_id or "",
            summary=self.summary or "",
            object_kind=rule.object_kind,
            path_ids=request.path_params,
            fields=read_field_names(body),
            request_id=get_request_id(request),
            size=len(body) if rule.role == "buyer" else 0,
        )

    def end_user(self, request: Request) -> EndUser:
        """No end user: these routes ignore the headers and never validate them."""
        return EndUser()


class GuardedRoute(PlainGuardedRoute):
    """A route that takes the four end-user headers too."""

    def end_user(self, request: Request) -> EndUser:
        return read_end_user(request.headers)


async def _run_once(request: Request, caller: Caller, key: str, call: _Call, handle: Handler) -> Response:
    """The stored response of the idempotency key, else that of the call, which is stored with its effects."""
    context = CONTEXT.get(request.app)
    # A key is of one organisation, a person may come to work in another.
    path = f"{caller.organisation_id} {request.url.path}" if caller.user_id else request.url.path
    idempotent = IdempotentCall(
        context, caller.key_id, path, key, await hash_body(request), get_request_id(request)
    )
    earlier = await run_in_threadpool(idempotent.find_response)
    if earlier is not None:
        return earlier
    call.idempotent = idempotent
    _CALL.set(call)
    try:
        return await handle(request)
    except (HTTPException, RequestValidationError) as refusal:
        if isinstance(refusal, HTTPException) and refusal.status_code >= 500:
            raise
        return await run_in_threadpool(idempotent.store_refusal, problem_response(request, refusal))


def _refuse_nul(request: Request) -> None:
    """No name, id or search word has a NUL in it, and PostgreSQL takes none."""
    for name, value in [*request.path_params.items(), *request.query_params.multi_items()]:
        if "\x00" in unquote_plus(f"{name}{value}"):
            raise bad_request(name, "must not contain a NUL character")


async def _read_body(request: Request, accepted: Sequence[str]) -> None:
    """Read the body, which the framework then finds in memory, a form's files on the disk. Raises ApiProblem
    415 for a type that the route does not take and for a compressed body, before anything is read, and 400
    for JSON that is none or holds what cannot be stored."""
    if request.method not in {"POST", "PATCH", "PUT"}:
        # Who waits for a place looks whether the caller has left, which takes the next message away: the end
        # of this body, for which the audit log would then wait until the caller leaves.
        await request.body()
        return
    coding = request.headers.get("content-encoding", "").strip().lower()
    if coding not in {"", "identity"}:
        raise ApiProblem(
            415,
            f"The body is compressed with {coding[:40]}; send it uncompressed.",
            headers={"Accept-Encoding": "identity"},
        )
    media_type = read_media_type(request)
    if FORM_TYPE in accepted and media_type == FORM_TYPE:
        BODY_LIMIT.set(request, CONTEXT.get(request.app).settings.max_upload + FORM_OVERHEAD)
        try:
            await request.form()
        except ApiProblem:
            raise
        except HTTPException:
            raise bad_request(
                "", "The form cannot be read; send multipart/form-data with a boundary"
            ) from None
        return
    is_json = not media_type or media_type == JSON_TYPE or media_type.endswith("+json")
    has_body = "transfer-encoding" in request.headers or request.headers.get("content-length", "0") != "0"
    if has_body and not (is_json and JSON_TYPE in accepted):
        raise ApiProblem(
            415,
            f"The body is {media_type or 'of no type'}; send {' or '.join(accepted)}.",
            headers={"Accept": ", ".join(accepted)},
        )
    body = await request.body()
    if not body:
        return
    faults = (
        await run_in_threadpool(find_json_faults, body) if len(body) > LARGE_BODY else find_json_faults(body)
    )
    if faults:
        raise ApiProblem(400, "The request is not valid.", errors=faults)


async def _caller_of(request: Request) -> Caller:
    return CALLER.get(request)


CallerDep = Annotated[Caller, Depends(_caller_of)]
"""The caller, as a parameter of a route."""
