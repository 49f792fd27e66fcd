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
from ..request import Call
from .resource import DispatcherT, Resource, get, iteration, operation, patch, post

_approvals = PagedList("/v1/approvals", ListPage[Approval])


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
        return get("/v1/approvals/{}", Approval, approval_id)

    @operation
    def approve(self, approval_id: str, *, idempotency_key: str | None = None) -> Call[ApprovedCall]:
        """Carry out a call that somebody else made, as a person with the role that it takes. Conflict where
        things have changed, and where it was settled before."""
        path = "/v1/approvals/{}/approve"
        return post(path, ApprovedCall, approval_id, key=idempotency_key)

    @operation
    def refuse(self, approval_id: str, reason: str, *, idempotency_key: str | None = None) -> Call[Approval]:
        """Refuse a call, or take back one's own, so that it is never carried out."""
        body, path = RefuseApproval(reason=reason), "/v1/approvals/{}/refuse"
        return post(path, Approval, approval_id, body=body, key=idempotency_key)

    @operation
    def rules(self) -> Call[ApprovalRules]:
        """What the organisation asks a second person for."""
        return get("/v1/approval-rules", ApprovalRules)

    @operation
    def change_rules(self, change: ApprovalRulesChange) -> Call[ApprovalRules]:
        """State what the organisation asks a second person for. Conflict where that asks for less than before
        and waits for another owner, and where too few people could approve. Takes the role owner."""
        return patch("/v1/approval-rules", ApprovalRules, body=change)
