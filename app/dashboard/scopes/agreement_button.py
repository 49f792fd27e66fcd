"""The button that puts a confirmed document on record as an agreement."""

from app.client import NotFound
from app.contract.scope import Scope
from app.dashboard import navigation
from app.dashboard.api import extension_queries, queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment


def can_put_on_record(deployment: Deployment, scope: Scope) -> bool:
    """Return whether the scope is of a document that somebody confirmed, and can be an agreement."""
    if (
        not scope.product_terms
        or scope.source == "document"
        or not queries.has_operation(deployment, "GET /v1/scope/{}/document")
        or not queries.has_operation(deployment, "POST /v1/agreements/from-document")
    ):
        return False
    try:
        extension_queries.load_document_reading(deployment, scope.id)
    except NotFound:
        return False
    return True


def draw_agreement_button(
    deployment: Deployment, scope: Scope, label: str, *, name: str, is_next_step: bool = False
) -> None:
    """Draw the button, which opens the agreement. `name` is its own where a page has several."""
    write_button(
        deployment,
        label,
        name=f"{name}-{scope.id}",
        what="Saving the contract",
        write=lambda client, key: client.agreements.from_document(scope.id, idempotency_key=key),
        on_success=lambda made: navigation.open_page("agreement", id=made.id),
        icon=":material/contract:",
        type="primary" if is_next_step else "secondary",
        help="Saves it as a contract with its dates, so that no deadline is missed",
    )
