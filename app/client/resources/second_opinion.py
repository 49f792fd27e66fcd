"""Whom an organisation asks about what is doubtful in its documents: `/v1/second-opinion`, an extension; see
`openapi.offered_operations`."""

from ...contract.second_opinion import SecondOpinionChange, SecondOpinionSettings
from ..request import Call
from .resource import DispatcherT, Resource, get, operation, patch


class SecondOpinions(Resource[DispatcherT]):
    """Whom the organisation asks for a second opinion on its documents. What was asked about one of them
    stands in `scopes.document`."""

    @operation
    def settings(self) -> Call[SecondOpinionSettings]:
        """Whom the organisation asks, and how often it did today. The key is never shown."""
        return get("/v1/second-opinion", SecondOpinionSettings)

    @operation
    def update(self, change: SecondOpinionChange) -> Call[SecondOpinionSettings]:
        """State whom the organisation asks, or that nobody is asked. ValidationFailed where nobody could be
        asked so."""
        return patch("/v1/second-opinion", SecondOpinionSettings, body=change)
