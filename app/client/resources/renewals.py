"""The renewal of agreements: `/v1/agreements/{}/renewal`, an extension; see `openapi.offered_operations`."""

from ...contract.renewals import AgreementRenewal, StartRenewal
from ..reply import read_as
from ..request import Call
from .resource import DispatcherT, Resource, operation

_PATH = "/v1/agreements/{}/renewal"
_renewal = read_as(AgreementRenewal)


class Renewals(Resource[DispatcherT]):
    """The follow-up scope of an agreement, and the negotiation about it."""

    @operation
    def start(
        self, agreement_id: str, renewal: StartRenewal | None = None, *, idempotency_key: str | None = None
    ) -> Call[AgreementRenewal]:
        """Start the renewal of an agreement; asked again, it is the same. Conflict where the agreement ended,
        has no line to renew, or is followed already."""
        body = (renewal or StartRenewal()).wire()
        return Call("POST", _PATH, (agreement_id,), _renewal, json=body, idempotency_key=idempotency_key)

    @operation
    def get(self, agreement_id: str) -> Call[AgreementRenewal]:
        """The renewal that was started. NotFound where there is none, or its negotiation was cancelled."""
        return Call("GET", _PATH, (agreement_id,), _renewal)
