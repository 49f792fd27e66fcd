"""The routes of what an organisation asks a second person for, and of the calls that wait for it."""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from app.contract.approvals import (
    Approval,
    ApprovalQuery,
    ApprovalRules,
    ApprovalRulesChange,
    ApprovedCall,
    RefuseApproval,
)
from app.contract.page import ListPage
from app.contract.values import Id
from app.service.access.approval_store import (
    build_approvals,
    cannot_be_done,
    find_approval,
    find_asking_caller,
    list_approvals,
    require_refuser,
    require_second_person,
    settle,
)
from app.service.access.approvals import Decision, change_rules, load_rules
from app.service.access.caller import Caller
from app.service.access.guard import CallerDep, GuardedRoute, HeldCall, hold_call
from app.service.access.quotas import lock_organisation
from app.service.context import Context
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.problems import ApiProblem
from app.service.http.query_parameters import PageDep, page_response, query_parameters
from app.service.http.responses import NO_STORE, json_response

router = APIRouter(prefix="/v1", tags=["People"], route_class=GuardedRoute)

ApprovalId = Annotated[Id, Path(alias="approvalId")]
QueryDep = Annotated[ApprovalQuery, Depends(query_parameters(ApprovalQuery))]


async def _bind_waiting_call(
    request: Request, approval_id: ApprovalId, context: ContextDep, caller: CallerDep
) -> HeldCall | HTTPException:
    """The call of the approval, bound to its endpoint, for who may approve it, or why it cannot be bound any
    more. Raises ApiProblem 403, 404 or 409."""

    def load() -> tuple[Any, Caller | HTTPException]:
        with context.database.reading() as connection:
            row = find_approval(connection, caller.organisation_id, approval_id)
            require_second_person(connection, caller, row, context.clock())
            try:
                return row, find_asking_caller(connection, row, context.clock())
            except ApiProblem as refusal:
                return row, refusal

    row, asking = await run_in_threadpool(load)
    if isinstance(asking, HTTPException):
        return asking
    if row.body is None:
        return cannot_be_done("the call is not on record any more.")
    try:
        return await hold_call(request, asking, row.method, row.path, context.vault.open(row.body))
    except (HTTPException, RequestValidationError) as fault:
        return _explain(fault)


WaitingCallDep = Annotated[HeldCall | HTTPException, Depends(_bind_waiting_call)]


@router.get(
    "/approval-rules",
    **extension("approvalRules.read", "Read what a second person is asked for", ApprovalRules),
)
def read_rules(context: ContextDep, caller: CallerDep) -> Response:
    """Return what the organisation asks a second person for: nothing, until an owner switches it on."""
    with context.database.reading() as connection:
        found = load_rules(connection, caller.organisation_id)
    return json_response(
        found or ApprovalRules(awards=False, webhooks=False, currency=context.settings.currency)
    )


@router.patch(
    "/approval-rules",
    **extension("approvalRules.update", "Change what a second person is asked for", ApprovalRules, 409),
)
def update_rules(body: ApprovalRulesChange, context: ContextDep, caller: CallerDep) -> Response:
    """State for what the organisation asks another person than who does it. What asks for less than before
    waits itself for another owner, where there is one (409). Refused (409) where fewer than two people could
    approve. Takes the role owner."""
    with context.database.writing() as connection:
        lock_organisation(connection, caller.organisation_id)
        after = change_rules(connection, caller, body, context.settings.currency, context.clock())
    return json_response(after)


@router.get(
    "/approvals", **extension("approvals.list", "List calls that need a second person", ListPage[Approval])
)
def approvals(
    request: Request, context: ContextDep, caller: CallerDep, query: QueryDep, page: PageDep
) -> Response:
    """List the calls that wait for a second person, and those of the past 90 days that did, the newest
    first."""
    with context.database.reading() as connection:
        total, found = list_approvals(connection, context, caller, query, page, _read_summaries(request))
    return page_response(found, total, page)


@router.get(
    "/approvals/{approvalId}",
    **extension("approvals.read", "Read a call that needs a second person", Approval, 404),
)
def read_approval(
    request: Request, approval_id: ApprovalId, context: ContextDep, caller: CallerDep
) -> Response:
    """Return what a call decides, who made it, and how it stands."""
    return json_response(_read(request, context, caller, approval_id), headers=NO_STORE)


@router.post(
    "/approvals/{approvalId}/approve",
    **extension("approvals.approve", "Approve what somebody else asked for", ApprovedCall, 404, 409),
)
def approve(
    request: Request, approval_id: ApprovalId, context: ContextDep, caller: CallerDep, waiting: WaitingCallDep
) -> Response:
    """Carry out the call as it was sent, and in the same transaction note who approved it. Only a person may,
    with the role that the call takes, and not who asked for it. Where things have changed so that it cannot
    be carried out, or would decide something else than was shown, it is refused (409) and goes on to
    wait."""
    now = context.clock()
    with context.database.writing() as connection:
        lock_organisation(connection, caller.organisation_id)
        row = find_approval(connection, caller.organisation_id, approval_id)
        require_second_person(connection, caller, row, now)
        settle(connection, caller, row, "approved", now)
    if isinstance(waiting, HTTPException):
        raise waiting
    try:
        answer, noted = waiting()
    except HTTPException as fault:
        raise _explain(fault) from None
    if answer.status_code >= 300:
        raise cannot_be_done(json.loads(bytes(answer.body)).get("detail", "it is refused."))
    _require_same(row.decision, noted)
    content = bytes(getattr(answer, "body", b""))
    shown = ApprovedCall(
        approval=_read(request, context, caller, approval_id),
        answer=json.loads(content) if content else None,
    )
    return json_response(shown, headers=NO_STORE)


@router.post(
    "/approvals/{approvalId}/refuse",
    **extension("approvals.refuse", "Refuse what somebody else asked for", Approval, 404, 409),
)
def refuse(
    request: Request, approval_id: ApprovalId, body: RefuseApproval, context: ContextDep, caller: CallerDep
) -> Response:
    """Refuse a call, so that it is never carried out. Who may approve it may, and who made it, to take it
    back."""
    now = context.clock()
    with context.database.writing() as connection:
        row = find_approval(connection, caller.organisation_id, approval_id)
        require_refuser(connection, caller, row, now)
        settle(connection, caller, row, "refused", now, body.reason)
    return json_response(_read(request, context, caller, approval_id), headers=NO_STORE)


def _read(request: Request, context: Context, caller: Caller, approval_id: str) -> Approval:
    with context.database.reading() as connection:
        row = find_approval(connection, caller.organisation_id, approval_id)
        [found] = build_approvals(connection, context, caller, [row], _read_summaries(request))
    return found


def _read_summaries(request: Request) -> Mapping[str, str]:
    """What operations do, in words, by their ids."""
    operations = (one for path in request.app.openapi()["paths"].values() for one in path.values())
    return {one["operationId"]: one["summary"] for one in operations if "operationId" in one}


def _require_same(shown: Mapping[str, Any], noted: Sequence[Decision]) -> None:
    """Raise ApiProblem 409 where the call decides something else than was shown."""
    made = [one.to_record() for one in noted]
    if made == [shown]:
        return
    if not made:
        raise cannot_be_done("what it asks for is there already.")
    changes = [
        f"{name} {shown.get(name)} is {one.get(name)}"
        for one in made
        for name in one
        if one[name] != shown.get(name)
    ]
    raise cannot_be_done(f"it would decide something else than was shown ({'; '.join(changes)[:500]}).")


def _explain(fault: HTTPException | RequestValidationError) -> HTTPException:
    """What the call is refused with now, as a conflict; what is no refusal stays what it is."""
    if isinstance(fault, RequestValidationError):
        return cannot_be_done("this version takes no such call.")
    if fault.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return fault
    return cannot_be_done(fault.detail)
