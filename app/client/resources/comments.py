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
from ..reply import read_as
from ..request import Call, list_query
from .resource import DispatcherT, Resource, operation

_PATHS: dict[CommentedKind, str] = {
    "scope": "/v1/scope/{}",
    "negotiation": "/v1/negotiation/{}",
    "agreement": "/v1/agreements/{}",
}
_comment = read_as(Comment)
_page = read_as(CommentPage)
_deleted = read_as(DeletedComment)
_history = read_as(ListPage[HistoryEntry])


class Comments(Resource[DispatcherT]):
    """What people wrote on a scope, a negotiation or an agreement, and its history."""

    @operation
    def list(
        self, kind: CommentedKind, object_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> Call[CommentPage]:
        """A page of the comments, the newest first."""
        query = list_query({}, limit, offset)
        return Call("GET", f"{_PATHS[kind]}/comments", (object_id,), _page, query=query)

    @operation
    def create(
        self, kind: CommentedKind, object_id: str, text: str, *, idempotency_key: str | None = None
    ) -> Call[Comment]:
        """Write a comment, as plain text. BadRequest where it is blank or too long."""
        return Call(
            "POST",
            f"{_PATHS[kind]}/comments",
            (object_id,),
            _comment,
            json=NewComment(text=text).wire(),
            idempotency_key=idempotency_key,
        )

    @operation
    def delete(self, kind: CommentedKind, object_id: str, comment_id: str) -> Call[DeletedComment]:
        """Delete a comment with its text. Forbidden for who neither wrote it nor is an admin."""
        return Call("DELETE", f"{_PATHS[kind]}/comments/{{}}", (object_id, comment_id), _deleted)

    @operation
    def history(
        self, kind: CommentedKind, object_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> Call[ListPage[HistoryEntry]]:
        """A page of what was done, the newest first."""
        query = list_query({}, limit, offset)
        return Call("GET", f"{_PATHS[kind]}/history", (object_id,), _history, query=query)
