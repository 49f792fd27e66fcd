"""What the key may do, and what its organisation stores: `/v1/access` and `/v1/usage`, extensions; see
`openapi.offered_operations`."""

from ...contract.access import Access as AccessRecord
from ...contract.usage import Usage
from ..request import Call
from .resource import DispatcherT, Resource, get, operation


class Access(Resource[DispatcherT]):
    """The key that calls are made with."""

    @operation
    def read(self) -> Call[AccessRecord]:
        """The name of the key, its organisation, and whether it may only read."""
        return get("/v1/access", AccessRecord)

    @operation
    def usage(self) -> Call[Usage]:
        """How many bytes the organisation stores of each kind, and how many it may store."""
        return get("/v1/usage", Usage)
