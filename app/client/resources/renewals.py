"""What follows an agreement: its renewal, and the purchases that its lines are. Extensions, see
`openapi.offered_operations`."""

from ...contract.agreement_purchases import AgreementPurchase, PurchaseDecision
from ...contract.page import ListPage
from ...contract.price_history import PriceHistory
from ...contract.renewals import AgreementRenewal, StartRenewal
from ..request import Call, list_query
from .resource import DispatcherT, Resource, get, operation, post

_PATH = "/v1/agreements/{}/renewal"


class Renewals(Resource[DispatcherT]):
    """The follow-up scope of an agreement, the negotiation about it, and the purchases of agreements."""

    @operation
    def start(
        self, agreement_id: str, renewal: StartRenewal | None = None, *, idempotency_key: str | None = None
    ) -> Call[AgreementRenewal]:
        """Start the renewal of an agreement; asked again, it is the same. Conflict where the agreement ended,
        has no line to renew, or is followed already."""
        return post(
            _PATH, AgreementRenewal, agreement_id, body=renewal or StartRenewal(), key=idempotency_key
        )

    @operation
    def purchases(
        self, agreement_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> Call[ListPage[AgreementPurchase]]:
        """A page of an agreement's lines with the purchases that they became."""
        path = "/v1/agreements/{}/purchases"
        return get(path, ListPage[AgreementPurchase], agreement_id, query=list_query({}, limit, offset))

    @operation
    def decide_purchase(
        self, agreement_id: str, decision: PurchaseDecision, *, idempotency_key: str | None = None
    ) -> Call[AgreementPurchase]:
        """Decide of a purchase that may be that of a line whether it is. BadRequest where nothing is to be
        decided."""
        path = "/v1/agreements/{}/purchases/decision"
        return post(path, AgreementPurchase, agreement_id, body=decision, key=idempotency_key)

    @operation
    def price_history(
        self, *, agreement_id: str | None = None, company_id: str | None = None
    ) -> Call[PriceHistory]:
        """What was paid for a unit over time, of an agreement with those before and after it, or of a
        supplier. BadRequest unless one of them is named."""
        named = {"agreementId": agreement_id, "companyId": company_id}
        query = {name: value for name, value in named.items() if value is not None}
        return get("/v1/price-history", PriceHistory, query=query)

    @operation
    def get(self, agreement_id: str) -> Call[AgreementRenewal]:
        """The renewal that was started. NotFound where there is none, or its negotiation was cancelled."""
        return get(_PATH, AgreementRenewal, agreement_id)
