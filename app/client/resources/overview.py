"""What waits, what changed, spend and savings: `/v1/overview`, an extension; see
`openapi.offered_operations`."""

from datetime import datetime

from ...contract.overview import Overview as OverviewRecord
from ...contract.overview import OverviewFigures
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
