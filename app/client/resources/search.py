"""Records found by words: `/v1/search`, an extension; see `openapi.offered_operations`."""

from ...contract.search import SearchResults
from ..reply import read_as
from ..request import Call
from .resource import DispatcherT, Resource, operation

_results = read_as(SearchResults)


class Search(Resource[DispatcherT]):
    """What has all words of a text, of what the caller may see."""

    @operation
    def find(self, words: str, *, limit: int | None = None) -> Call[SearchResults]:
        """Suppliers, products, scopes, negotiations and documents, at most `limit` of each. BadRequest unless
        `words` have two letters or digits at the least."""
        return Call("GET", "/v1/search", (), _results, query={"q": words, "limit": limit})
