"""The deployment: whether it works (`/v1/health`, which needs no key), its sample data (`/v1/sample`), and
whom an organisation asks about what is doubtful in its documents (`/v1/second-opinion`). The latter two are
extensions; see `openapi.offered_operations`."""

from ...contract.deployment import HealthReport, SampleData, SampleQuote, SampleRemoval
from ...contract.page import ListPage
from ...contract.second_opinion import SecondOpinionChange, SecondOpinionSettings
from ..reply import FileContent
from ..request import Call, list_query
from .files import get_file
from .resource import DispatcherT, Resource, delete, get, operation, patch

# A deployment with errors answers 503, and its body is a report too.
_REPORTED = frozenset({503})


class Health(Resource[DispatcherT]):
    """The health of the deployment."""

    @operation
    def report(self) -> Call[HealthReport]:
        """Every part of the deployment with its status, also when it is answered with 503."""
        return get("/v1/health", HealthReport, identity="nobody", accepted_statuses=_REPORTED)

    @operation
    def is_up(self) -> Call[bool]:
        """Whether the deployment reports that it works; the report itself is not sent. Unreachable without an
        answer."""
        return Call(
            "HEAD",
            "/v1/health",
            (),
            lambda answer: answer.status < 300,
            identity="nobody",
            accepted_statuses=_REPORTED,
        )


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
        return get("/v1/sample/quotes", ListPage[SampleQuote], query=list_query({}, limit, offset))

    @operation
    def quote(self, number: str) -> Call[FileContent]:
        """The document of a sample quote, a PDF. NotFound for an unknown number."""
        return get_file("/v1/sample/quotes/{}", number)


class SecondOpinions(Resource[DispatcherT]):
    """Whom the organisation asks for a second opinion on its documents. What was asked about one of them
    stands in `scopes.document`."""

    @operation
    def settings(self) -> Call[SecondOpinionSettings]:
        """Whom the organisation asks, and how often it did today. The key is never shown."""
        return get("/v1/second-opinion", SecondOpinionSettings)

    @operation
    def update(self, change: SecondOpinionChange) -> Call[SecondOpinionSettings]:
        """State whom the organisation asks, or that nobody is asked. BadRequest where nobody could be
        asked so."""
        return patch("/v1/second-opinion", SecondOpinionSettings, body=change)
