"""What waits and what changed: `/v1/overview`; records found by words: `/v1/search`; comments on scopes,
negotiations and agreements, and what was done to them. Extensions, see `openapi.offered_operations`."""

from datetime import datetime

from ...contract.comments import (
    Comment,
    CommentedKind,
    CommentPage,
    DeletedComment,
    HistoryEntry,
    NewComment,
)
from ...contract.overview import Overview as OverviewRecord
from ...contract.overview import OverviewFigures, SearchResults
from ...contract.page import ListPage
from ..request import Call, format_instant, list_query
from .resource import DispatcherT, Resource, delete, get, operation, post


class Overview(Resource[DispatcherT]):
    """What an organisation's people see first."""

    @operation
    def read(self, *, since: datetime | None = None) -> Call[OverviewRecord]:
        """What waits for a person, and what changed `since` then; without it, in the past seven days.
        ValueError for a time without a zone."""
        query = {"since": None if since is None else format_instant(since)}
        return get("/v1/overview", OverviewRecord, query=query)

    @operation
    def figures(self) -> Call[OverviewFigures]:
        """Spend and savings of the past year."""
        return get("/v1/overview/figures", OverviewFigures)


class Search(Resource[DispatcherT]):
    """What has all words of a text, of what the caller may see."""

    @operation
    def find(self, words: str, *, limit: int | None = None) -> Call[SearchResults]:
        """Suppliers, products, scopes, negotiations and documents, at most `limit` of each. BadRequest unless
        `words` have two letters or digits at the least."""
        return get("/v1/search", SearchResults, query={"q": words, "limit": limit})


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
