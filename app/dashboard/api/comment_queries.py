"""Cached reads of comments and histories, which a deployment may lack: ask `queries.has_operation` first."""

from app.contract.comments import CommentedKind, CommentPage, HistoryEntry
from app.contract.page import ListPage
from app.dashboard.api.cached_read import OWN_SECONDS, cached_read
from app.dashboard.api.queries import client_for
from app.dashboard.deployment import Deployment

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
