"""Scopes to choose from by name, and what each is called in a list."""

from app.contract.page import MAX_LIMIT
from app.contract.scope import Scope
from app.contract.scope_list import ListedScope
from app.dashboard import recently_opened
from app.dashboard.api import queries
from app.dashboard.api.cached_read import cached_read
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from components.elements.search_choice import FoundOptions
from components.scopes.scope_card import describe_term, get_listed_currency, make_scope_title
from components.scopes.scope_list import is_archived

MAX_FOUND = 50
NAME_PARAMETER = "GET /v1/scope?name"


def find_scopes(deployment: Deployment, text: str, *, priced_only: bool = True) -> FoundOptions:
    """Find the scopes with `text` in their name or that of their supplier or document, the newest first; the
    newest without a text; with `priced_only` those that can be estimated. Archived ones are left out. Where
    the deployment cannot search, those that it lists or that were opened in this session."""
    if NAME_PARAMETER in queries.load_parameters(deployment):
        return _search_scopes(deployment, text, priced_only)
    names = {
        scope.id: name_scope(scope) for scope in _load_known_scopes(deployment) if _offers(scope, priced_only)
    }
    found = {ident: name for ident, name in names.items() if text.casefold() in name.casefold()}
    return FoundOptions(found, len(found))


def _offers(scope: Scope, priced_only: bool) -> bool:
    return bool(scope.product_terms) or not priced_only


def _load_known_scopes(deployment: Deployment) -> list[Scope]:
    """Return the newest scopes where the deployment lists them, and those opened in this session. One that
    cannot be loaded becomes a panel."""
    scopes: dict[str, Scope] = {}
    if queries.has_operation(deployment, "GET /v1/scope"):
        scopes = {scope.id: scope for scope in queries.load_scopes(deployment, limit=MAX_LIMIT).data}
    for scope_id in recently_opened.list_ids(deployment, "scope"):
        if scope_id not in scopes:
            with failure_panel(f"The scope {scope_id}", key=f"known-{scope_id}"):
                scopes[scope_id] = queries.load_scope(deployment, scope_id)
    return [scope for scope in scopes.values() if not is_archived(scope)]


# The names and not the scopes: to name a hundred scopes in each run of a page takes longer than the page.
@cached_read(queries.OWN_SECONDS)
def _search_scopes(deployment: Deployment, text: str, priced_only: bool) -> FoundOptions:
    page = queries.load_scopes(deployment, name=text or None, archived=False, limit=MAX_FOUND)
    names = {scope.id: name_scope(scope) for scope in page.data if _offers(scope, priced_only)}
    return FoundOptions(names, page.pagination.total if len(page.data) == MAX_FOUND else len(names))


def name_scope(scope: Scope) -> str:
    """Return the name that the scope was given, else that of its products, with terms and the last digits of
    its id: `Ledger Cloud (Renewal, 12 months, quoted USD 52,400) …a1b2`."""
    terms = ", ".join(describe_term(term, get_listed_currency(scope)) for term in scope.scope_terms)
    title = scope.name if isinstance(scope, ListedScope) and scope.name else make_scope_title(scope)
    return f"{title} ({terms}) …{scope.id[-4:]}" if terms else f"{title} …{scope.id[-4:]}"
