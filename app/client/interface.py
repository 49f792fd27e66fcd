"""All subjects of the interface, called as one identity."""

from .calls import CallRecord
from .credentials import Credentials
from .reply import read_as
from .request import Call
from .resources.catalog import Catalog
from .resources.files import Files
from .resources.health import Health
from .resources.negotiations import Negotiations
from .resources.pricing import Pricing
from .resources.resource import DispatcherT, Resource, operation
from .resources.scopes import Scopes
from .resources.search import Search
from .resources.webhooks import Webhooks

_description = read_as(dict[str, object])


class Interface(Resource[DispatcherT]):
    """The whole interface, with a resource for each of its subjects."""

    def __init__(self, dispatcher: DispatcherT, credentials: Credentials) -> None:
        super().__init__(dispatcher, credentials)
        self.catalog = Catalog(dispatcher, credentials)
        self.search = Search(dispatcher, credentials)
        self.scopes = Scopes(dispatcher, credentials)
        self.pricing = Pricing(dispatcher, credentials)
        self.webhooks = Webhooks(dispatcher, credentials)
        self.negotiations = Negotiations(dispatcher, credentials)
        self.files = Files(dispatcher, credentials)
        self.health = Health(dispatcher, credentials)

    @property
    def calls(self) -> list[CallRecord]:
        """The latest 200 calls of this identity, newest last."""
        return self._dispatcher.state.calls.of(self._credentials.fingerprint)

    @operation
    def openapi(self) -> Call[dict[str, object]]:
        """The OpenAPI description of the deployment; `offered_operations` reads it."""
        return Call("GET", "/v1/openapi", (), _description, identity="nobody", caches_body=True)
