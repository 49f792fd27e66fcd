"""What waits and what changed: `/v1/overview`; records found by words: `/v1/search`. Extensions, see
`openapi.offered_operations`."""

from datetime import datetime

from ...contract.overview import Overview as OverviewRecord
from ...contract.overview import OverviewFigures, SearchResults
from ..request import Call, format_instant
from .resource import DispatcherT, Resource, get, operation


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
