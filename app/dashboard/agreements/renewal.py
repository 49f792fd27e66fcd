"""The renewal of an agreement on its page: a button that starts it, or where it stands."""

from app.client import NotFound, ScopedClient
from app.contract.agreements import PAST_STATUSES, Agreement
from app.contract.renewals import AgreementRenewal
from app.dashboard import navigation
from app.dashboard.api import queries, renewal_queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from components.agreements.renewal_state import draw_renewal_state


def draw_renewal(deployment: Deployment, one: Agreement) -> None:
    """Draw the renewal of an agreement that is not over and that no other follows."""
    if not queries.has_operation(deployment, "POST /v1/agreements/{}/renewal"):
        return
    if one.next_agreement_id is not None or one.status in PAST_STATUSES:
        return
    with failure_panel("The renewal of this agreement"):
        begun = _find_renewal(deployment, one.id)
        if begun is not None:
            draw_renewal_state(begun)
            navigation.draw_link(
                "negotiation", "Open the negotiation", icon=":material/handshake:", id=begun.negotiation_id
            )
            return

    def start(client: ScopedClient, idempotency_key: str) -> AgreementRenewal:
        return client.renewals.start(one.id, idempotency_key=idempotency_key)

    def open_negotiation(begun: AgreementRenewal) -> None:
        navigation.open_page("negotiation", id=begun.negotiation_id)

    write_button(
        deployment,
        "Start the renewal",
        name=f"renewal-{one.id}",
        what="Starting the renewal",
        write=start,
        on_success=open_negotiation,
        icon=":material/autorenew:",
        type="primary",
        help="Makes a scope of its lines for the next term, prices it and opens the negotiation.",
    )


def _find_renewal(deployment: Deployment, agreement_id: str) -> AgreementRenewal | None:
    try:
        return renewal_queries.load_renewal(deployment, agreement_id)
    except NotFound:
        return None
