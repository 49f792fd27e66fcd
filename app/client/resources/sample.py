"""The sample data: `/v1/sample`, an extension; see `openapi.offered_operations`."""

from ...contract.page import ListPage
from ...contract.sample import SampleData, SampleQuote, SampleRemoval
from ..paging import PagedList
from ..reply import FileContent
from ..request import Call
from .files import get_file
from .resource import DispatcherT, Resource, delete, get, operation

_quotes = PagedList("/v1/sample/quotes", ListPage[SampleQuote])


class Sample(Resource[DispatcherT]):
    """What is invented for trying things out, and its removal."""

    @operation
    def read(self) -> Call[SampleData]:
        """What sample data there is, and whether it counts in figures."""
        return get("/v1/sample", SampleData)

    @operation
    def remove(self) -> Call[SampleRemoval]:
        """Remove the organisation's sample records and the sample suppliers that nothing refers to. Conflict
        while they are being made."""
        return delete("/v1/sample", SampleRemoval)

    @operation
    def quotes(self, *, limit: int | None = None, offset: int | None = None) -> Call[ListPage[SampleQuote]]:
        """The quotes that can be downloaded; none where the deployment has no sample data."""
        return _quotes.page({}, limit, offset)

    @operation
    def quote(self, number: str) -> Call[FileContent]:
        """The document of a sample quote, a PDF. NotFound for an unknown number."""
        return get_file("/v1/sample/quotes/{}", number)
