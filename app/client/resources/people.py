"""Who may use an organisation's data, and what they did: `/v1/access`, `/v1/usage`, `/v1/keys`,
`/v1/members`, `/v1/approvals`, `/v1/audit` and `/v1/agents/calls`, extensions; see
`openapi.offered_operations`."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Unpack

from ...contract.access import Access as AccessRecord
from ...contract.access import Role, Usage
from ...contract.agent_calls import AgentCall, AgentCallPage, NewAgentCall
from ...contract.approvals import (
    Approval,
    ApprovalQuery,
    ApprovalRules,
    ApprovalRulesChange,
    ApprovedCall,
    RefuseApproval,
)
from ...contract.audit import AuditEntry, AuditFilter, AuditListQuery, AuditPage, AuditQuery
from ...contract.page import MAX_LIMIT, ListPage, ListQuery
from ...contract.people import ApiKey, EndedSessions, ErasedPerson, Member, NewKey, PersonalData, RevokedKey
from ..paging import Listing, PagedList, Piece
from ..reply import FileContent
from ..request import Call, list_query
from .files import get_file
from .resource import DispatcherT, Resource, delete, get, iteration, operation, patch, post


class Access(Resource[DispatcherT]):
    """The key that calls are made with."""

    @operation
    def read(self) -> Call[AccessRecord]:
        """The name of the key, its organisation and its role, and the person who is signed in with it."""
        return get("/v1/access", AccessRecord)

    @operation
    def usage(self) -> Call[Usage]:
        """How many bytes the organisation stores of each kind, and how many it may store."""
        return get("/v1/usage", Usage)


_keys = PagedList("/v1/keys", ListPage[ApiKey])
_members = PagedList("/v1/members", ListPage[Member])


class Keys(Resource[DispatcherT]):
    """The API keys of the organisation."""

    @operation
    def list(self, *, limit: int | None = None, offset: int | None = None) -> Call[ListPage[ApiKey]]:
        """A page of keys, those in use before those that were revoked, without the keys themselves."""
        return _keys.page(ListQuery(), limit, offset)

    @iteration
    def iter(self, *, page_size: int = MAX_LIMIT) -> Listing[ApiKey]:
        """Every key of the organisation, page by page."""
        return _keys.all(ListQuery(), page_size)

    @operation
    def create(
        self,
        name: str,
        role: Role,
        *,
        expires_at: datetime | None = None,
        networks: Sequence[str] = (),
        idempotency_key: str | None = None,
    ) -> Call[ApiKey]:
        """Make a key, which works until `expires_at` and from `networks` alone where these are given. Only
        this answer has it: store it. Forbidden for a role above the caller's."""
        body = NewKey(name=name, role=role, expires_at=expires_at, networks=(*networks,) or None)
        return post("/v1/keys", ApiKey, body=body, key=idempotency_key)

    @operation
    def revoke(self, key_id: str) -> Call[RevokedKey]:
        """Revoke a key. NotFound for one that is not in use, Conflict for the last access of an owner."""
        return delete("/v1/keys/{}", RevokedKey, key_id)


class Members(Resource[DispatcherT]):
    """The people who sign in with the identity provider."""

    @operation
    def list(self, *, limit: int | None = None, offset: int | None = None) -> Call[ListPage[Member]]:
        """A page of people, by their names."""
        return _members.page(ListQuery(), limit, offset)

    @iteration
    def iter(self, *, page_size: int = MAX_LIMIT) -> Listing[Member]:
        """Every person of the organisation, page by page."""
        return _members.all(ListQuery(), page_size)

    @operation
    def sign_out(self, member_id: str) -> Call[EndedSessions]:
        """End all sessions of a person."""
        return delete("/v1/members/{}/sessions", EndedSessions, member_id)

    @operation
    def data(self, member_id: str) -> Call[PersonalData]:
        """All that is on record of a person, but for what documents and imported files say."""
        return get("/v1/members/{}/data", PersonalData, member_id)

    @operation
    def erase(self, member_id: str, *, idempotency_key: str | None = None) -> Call[ErasedPerson]:
        """Replace a person by a pseudonym for good, and end their access. Conflict for oneself, and for
        somebody who works in another organisation too."""
        path = "/v1/members/{}/erase"
        return post(path, ErasedPerson, member_id, key=idempotency_key)


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
    def iter(self, *, page_size: int = MAX_LIMIT, **query: Unpack[ApprovalQuery]) -> Listing[Approval]:
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


class Audit(Resource[DispatcherT]):
    """The audit log of the organisation. Its calls take the role admin."""

    @operation
    def list(self, *, limit: int | None = None, **query: Unpack[AuditListQuery]) -> Call[AuditPage]:
        """A page of entries, the newest first; its `next` is the `before` of the one that follows. With
        `after`, entries in the order of their numbers; its `last` is the `after` of the one that follows.
        ValueError for a time without a zone."""
        return _list(query, limit)

    @iteration
    def iter(self, *, page_size: int = MAX_LIMIT, **query: Unpack[AuditFilter]) -> Listing[AuditEntry]:
        """Every entry, page by page, the newest first. What is added meanwhile is not among them."""
        return lambda _, place: _list({**query, "before": place}, page_size).then(
            lambda page: Piece(page.data, is_last=page.next is None, next=page.next)
        )

    @operation
    def export_csv(self, **query: Unpack[AuditQuery]) -> Call[FileContent]:
        """The newest 10,000 entries as CSV. ValueError for a time without a zone."""
        return get_file("/v1/audit.csv", query=list_query(query, None, None))


def _list(query: Mapping[str, object], limit: int | None) -> Call[AuditPage]:
    return get("/v1/audit", AuditPage, query=list_query(query, limit, None))


class AgentCalls(Resource[DispatcherT]):
    """Which tools agents called with the organisation's keys, and how it ended."""

    @operation
    def list(self, *, limit: int | None = None, offset: int | None = None) -> Call[AgentCallPage]:
        """A page of the calls that are kept, the newest first, and how many each tool had. Takes the role
        admin."""
        return get("/v1/agents/calls", AgentCallPage, query=list_query({}, limit, offset))

    @operation
    def record(self, call: NewAgentCall) -> Call[AgentCall]:
        """Put a call that has ended on record, as one of this key or person."""
        return post("/v1/agents/calls", AgentCall, body=call)
