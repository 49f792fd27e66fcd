"""Whom an organisation asks about what is doubtful in its documents: `/v1/second-opinion`, an extension; see
`openapi.offered_operations`."""

from ...contract.second_opinion import SecondOpinionChange, SecondOpinionSettings
from ..reply import read_as
from ..request import Call
from .resource import DispatcherT, Resource, operation

_settings = read_as(SecondOpinionSettings)


class SecondOpinions(Resource[DispatcherT]):
    """Whom the organisation asks for a second opinion on its documents. What was asked about one of them
    stands in `scopes.document`."""

    @operation
    def settings(self) -> Call[SecondOpinionSettings]:
        """Whom the organisation asks, and how often it did today. The key is never shown."""
        return Call("GET", "/v1/second-opinion", (), _settings)

    @operation
    def update(self, change: SecondOpinionChange) -> Call[SecondOpinionSettings]:
        """State whom the organisation asks, or that nobody is asked. ValidationFailed where nobody could be
        asked so."""
        return Call("PATCH", "/v1/second-opinion", (), _settings, json=change.wire())
