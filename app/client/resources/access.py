"""What the key may do: `/v1/access`, an extension; see `openapi.offered_operations`."""

from ...contract.access import Access as AccessRecord
from ..reply import read_as
from ..request import Call
from .resource import DispatcherT, Resource, operation

_access = read_as(AccessRecord)


class Access(Resource[DispatcherT]):
    """The key that calls are made with."""

    @operation
    def read(self) -> Call[AccessRecord]:
        """The name of the key, its organisation, and whether it may only read."""
        return Call("GET", "/v1/access", (), _access)
