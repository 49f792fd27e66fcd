"""Cached reads of people, keys, approvals, comments and the audit log, which a deployment may lack."""

from typing import Unpack

from app.contract.approvals import Approval, ApprovalRules
from app.contract.audit import AuditFilter, AuditPage
from app.contract.comments import CommentedKind, CommentPage, HistoryEntry
from app.contract.page import MAX_LIMIT, ListPage
from app.contract.people import ApiKey, Member
from app.dashboard.api.cached_read import OWN_SECONDS, cached_read
from app.dashboard.api.queries import client_for
from app.dashboard.deployment import Deployment


@cached_read(OWN_SECONDS)
def load_keys(deployment: Deployment, *, limit: int, offset: int) -> ListPage[ApiKey]:
    """Load API keys. Needs `GET /v1/keys`."""
    return client_for(deployment).keys.list(limit=limit, offset=offset)


@cached_read(OWN_SECONDS)
def load_members(deployment: Deployment, *, limit: int, offset: int) -> ListPage[Member]:
    """Load people. Needs `GET /v1/members`."""
    return client_for(deployment).members.list(limit=limit, offset=offset)


@cached_read(OWN_SECONDS)
def load_audit(
    deployment: Deployment, *, limit: int, before: str | None, **query: Unpack[AuditFilter]
) -> AuditPage:
    """Load entries of the audit log. Needs `GET /v1/audit`."""
    return client_for(deployment).audit.list(limit=limit, before=before, **query)


@cached_read(OWN_SECONDS)
def load_approvals(deployment: Deployment, *, limit: int, offset: int) -> ListPage[Approval]:
    """Load the calls that need a second person. Needs `GET /v1/approvals`."""
    return client_for(deployment).approvals.list(limit=limit, offset=offset)


@cached_read(OWN_SECONDS)
def load_approval_rules(deployment: Deployment) -> ApprovalRules:
    """Load what the organisation asks a second person for. Needs `GET /v1/approval-rules`."""
    return client_for(deployment).approvals.rules()


def load_actors(deployment: Deployment) -> dict[str, str]:
    """Load the names of those who may have done something, by their ids: the first people and keys."""
    people = load_members(deployment, limit=MAX_LIMIT, offset=0).data
    keys = load_keys(deployment, limit=MAX_LIMIT, offset=0).data
    return {one.id: one.name for one in (*people, *keys)}


PATHS: dict[CommentedKind, str] = {
    "scope": "/v1/scope/{}",
    "negotiation": "/v1/negotiation/{}",
    "agreement": "/v1/agreements/{}",
}
"""Where what is commented on is read."""


@cached_read(OWN_SECONDS)
def load_comments(
    deployment: Deployment, kind: CommentedKind, object_id: str, *, limit: int, offset: int
) -> CommentPage:
    """Load a page of the comments. Needs `GET …/comments`."""
    return client_for(deployment).comments.list(kind, object_id, limit=limit, offset=offset)


@cached_read(OWN_SECONDS)
def load_history(
    deployment: Deployment, kind: CommentedKind, object_id: str, *, limit: int, offset: int
) -> ListPage[HistoryEntry]:
    """Load a page of what was done. Needs `GET …/history`."""
    return client_for(deployment).comments.history(kind, object_id, limit=limit, offset=offset)
