"""Comments on scopes, negotiations and agreements, and what was done to them. All of it is an extension, see
`openapi.offered_operations`."""

from ...contract.comments import (
    Comment,
    CommentedKind,
    CommentPage,
    DeletedComment,
    HistoryEntry,
    NewComment,
)
from ...contract.page import ListPage
from ..request import Call, list_query
from .resource import DispatcherT, Resource, delete, get, operation, post

_PATHS: dict[CommentedKind, str] = {
    "scope": "/v1/scope/{}",
    "negotiation": "/v1/negotiation/{}",
    "agreement": "/v1/agreements/{}",
}


class Comments(Resource[DispatcherT]):
    """What people wrote on a scope, a negotiation or an agreement, and its history."""

    @operation
    def list(
        self, kind: CommentedKind, object_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> Call[CommentPage]:
        """A page of the comments, the newest first."""
        query = list_query({}, limit, offset)
        return get(f"{_PATHS[kind]}/comments", CommentPage, object_id, query=query)

    @operation
    def create(
        self, kind: CommentedKind, object_id: str, text: str, *, idempotency_key: str | None = None
    ) -> Call[Comment]:
        """Write a comment, as plain text. BadRequest where it is blank or too long."""
        return post(
            f"{_PATHS[kind]}/comments", Comment, object_id, body=NewComment(text=text), key=idempotency_key
        )

    @operation
    def delete(self, kind: CommentedKind, object_id: str, comment_id: str) -> Call[DeletedComment]:
        """Delete a comment with its text. Forbidden for who neither wrote it nor is an admin."""
        return delete(f"{_PATHS[kind]}/comments/{{}}", DeletedComment, object_id, comment_id)

    @operation
    def history(
        self, kind: CommentedKind, object_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> Call[ListPage[HistoryEntry]]:
        """A page of what was done, the newest first."""
        query = list_query({}, limit, offset)
        return get(f"{_PATHS[kind]}/history", ListPage[HistoryEntry], object_id, query=query)
