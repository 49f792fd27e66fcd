"""The sample data: `/v1/sample`, an extension; see `openapi.offered_operations`."""

from ...contract.page import ListPage
from ...contract.sample import SampleData, SampleQuote, SampleRemoval
from ..paging import PagedList
from ..reply import FileContent, read_as
from ..request import Call
from .files import read_file_content
from .resource import DispatcherT, Resource, operation

_data = read_as(SampleData)
_removal = read_as(SampleRemoval)
_quotes = PagedList("/v1/sample/quotes", read_as(ListPage[SampleQuote]))


class Sample(Resource[DispatcherT]):
    """What is invented for trying things out, and its removal."""

    @operation
    def read(self) -> Call[SampleData]:
        """What sample data there is, and whether it counts in figures."""
        return Call("GET", "/v1/sample", (), _data)

    @operation
    def remove(self) -> Call[SampleRemoval]:
        """Remove the organisation's sample records and the sample suppliers that nothing refers to. Conflict
        while they are being made."""
        return Call("DELETE", "/v1/sample", (), _removal)

    @operation
    def quotes(self, *, limit: int | None = None, offset: int | None = None) -> Call[ListPage[SampleQuote]]:
        """The quotes that can be downloaded; none where the deployment has no sample data."""
        return _quotes.page({}, limit, offset)

    @operation
    def quote(self, number: str) -> Call[FileContent]:
        """The document of a sample quote, a PDF. NotFound for an unknown number."""
        return Call("GET", "/v1/sample/quotes/{}", (number,), read_file_content, accept="*/*")
