"""Calls that wait for a second person: `/v1/approvals` and `/v1/approval-rules`, extensions; see
`openapi.offered_operations`."""

from typing import Unpack

from ...contract.approvals import (
    Approval,
    ApprovalQuery,
    ApprovalRules,
    ApprovalRulesChange,
    ApprovedCall,
    RefuseApproval,
)
from ...contract.page import MAX_LIMIT, ListPage
from ..paging import AllRecords, PagedList
from ..reply import read_as
from ..request import Call
from .resource import DispatcherT, Resource, iteration, operation

_approvals = PagedList("/v1/approvals", read_as(ListPage[Approval]))
_approval = read_as(Approval)
_approved = read_as(ApprovedCall)
_rules = read_as(ApprovalRules)


class Approvals(Resource[DispatcherT]):
    """Calls that wait for another person than who made them."""

    @operation
    def list(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[ApprovalQuery]
    ) -> Call[ListPage[Approval]]:
        """A page of calls that need a second person, the newest first."""
        return _approvals.page(query, limit, offset)

    @iteration
    def iter(self, *, page_size: int = MAX_LIMIT, **query: Unpack[ApprovalQuery]) -> AllRecords[Approval]:
        """Every call that needs or needed a second person, page by page."""
        return _approvals.all(query, page_size)

    @operation
    def get(self, approval_id: str) -> Call[Approval]:
        """What a call decides, who made it and how it stands."""
        return Call("GET", "/v1/approvals/{}", (approval_id,), _approval)

    @operation
    def approve(self, approval_id: str, *, idempotency_key: str | None = None) -> Call[ApprovedCall]:
        """Carry out a call that somebody else made, as a person with the role that it takes. Conflict where
        things have changed, and where it was settled before."""
        path = "/v1/approvals/{}/approve"
        return Call("POST", path, (approval_id,), _approved, idempotency_key=idempotency_key)

    @operation
    def refuse(self, approval_id: str, reason: str, *, idempotency_key: str | None = None) -> Call[Approval]:
        """Refuse a call, or take back one's own, so that it is never carried out."""
        body, path = RefuseApproval(reason=reason).wire(), "/v1/approvals/{}/refuse"
        return Call("POST", path, (approval_id,), _approval, json=body, idempotency_key=idempotency_key)

    @operation
    def rules(self) -> Call[ApprovalRules]:
        """What the organisation asks a second person for."""
        return Call("GET", "/v1/approval-rules", (), _rules)

    @operation
    def change_rules(self, change: ApprovalRulesChange) -> Call[ApprovalRules]:
        """State what the organisation asks a second person for. Conflict where that asks for less than before
        and waits for another owner, and where too few people could approve. Takes the role owner."""
        return Call("PATCH", "/v1/approval-rules", (), _rules, json=change.wire())
