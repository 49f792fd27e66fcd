"""Records found by words: `/v1/search`, an extension; see `openapi.offered_operations`."""

from ...contract.search import SearchResults
from ..reply import read_as
from ..request import Call
from .resource import Resource

_results = read_as(SearchResults)


class Search(Resource):
    """What has all words of a text, of what the caller may see."""

    def find(self, words: str, *, limit: int | None = None) -> SearchResults:
        """Suppliers, products, scopes, negotiations and documents, at most `limit` of each. BadRequest unless
        `words` have two letters or digits at the least."""
        return self._ask(Call("GET", "/v1/search", (), _results, query={"q": words, "limit": limit}))
