"""Records found by words: `/v1/search`, an extension; see `openapi.offered_operations`."""

from ...contract.search import SearchResults
from ..request import Call
from .resource import DispatcherT, Resource, get, operation


class Search(Resource[DispatcherT]):
    """What has all words of a text, of what the caller may see."""

    @operation
    def find(self, words: str, *, limit: int | None = None) -> Call[SearchResults]:
        """Suppliers, products, scopes, negotiations and documents, at most `limit` of each. BadRequest unless
        `words` have two letters or digits at the least."""
        return get("/v1/search", SearchResults, query={"q": words, "limit": limit})
