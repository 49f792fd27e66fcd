"""Cached reads of people, keys, approvals, comments and the audit log, which a deployment may lack."""

from app.contract.comments import CommentedKind
from app.contract.page import MAX_LIMIT
from app.dashboard.api.cached_read import OWN_SECONDS
from app.dashboard.api.queries import client_read
from app.dashboard.deployment import Deployment

load_keys = client_read(lambda client: client.keys.list, OWN_SECONDS)
load_members = client_read(lambda client: client.members.list, OWN_SECONDS)
load_audit = client_read(lambda client: client.audit.list, OWN_SECONDS)
load_approvals = client_read(lambda client: client.approvals.list, OWN_SECONDS)
load_approval_rules = client_read(lambda client: client.approvals.rules, OWN_SECONDS)


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


load_comments = client_read(lambda client: client.comments.list, OWN_SECONDS)
load_history = client_read(lambda client: client.comments.history, OWN_SECONDS)
