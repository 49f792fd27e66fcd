"""Scopes to choose from by name, and what each is called in a list."""

from collections.abc import Iterable

from app.contract.scope import Scope
from app.dashboard import recently_opened
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from components.scopes.scope_card import describe_term, get_listed_currency, make_scope_title

MAX_SCOPES = 100


def load_known_scopes(deployment: Deployment, also: Iterable[str] = ()) -> list[Scope]:
    """Return the newest scopes where the deployment lists them, those opened in this session and `also` those
    with these ids. One that cannot be loaded becomes a panel."""
    scopes: dict[str, Scope] = {}
    if queries.has_operation(deployment, "GET /v1/scope"):
        scopes = {scope.id: scope for scope in queries.load_scopes(deployment, limit=MAX_SCOPES).data}
    for scope_id in [*recently_opened.list_ids(deployment, "scope"), *also]:
        if scope_id not in scopes:
            with failure_panel(f"The scope {scope_id}", key=f"known-{scope_id}"):
                scopes[scope_id] = queries.load_scope(deployment, scope_id)
    return list(scopes.values())


def name_scope(scope: Scope) -> str:
    """Return `Ledger Cloud (Renewal, 12 months, quoted USD 52,400)`."""
    terms = ", ".join(describe_term(term, get_listed_currency(scope)) for term in scope.scope_terms)
    return f"{make_scope_title(scope)} ({terms})" if terms else make_scope_title(scope)
