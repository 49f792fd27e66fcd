"""Every read of the pages, cached. The deployment, always the first argument, keeps users apart.

Raises the errors of `app.client` (`ApiError`); errors are not cached. Pages let them pass to the panel
around them (`failure_panel`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar, Unpack, get_args

import streamlit as st
from streamlit.runtime.caching.cache_utils import CachedFunc

from app.client import (
    ApiClient,
    CallRecord,
    Credentials,
    EndUser,
    ScopedClient,
    needed_roles,
    offered_operations,
    offered_parameters,
    reading_operations,
)
from app.contract.access import Role
from app.contract.catalog import (
    Category,
    CompanyInList,
    CompanyQuery,
    ProductInList,
    ProductQuery,
)
from app.contract.health import HealthReport
from app.contract.negotiation import (
    Escalation,
    EscalationQuery,
    Timeline,
)
from app.contract.page import MAX_LIMIT, ListPage
from app.contract.scope import Scope
from app.contract.scope_list import ScopePage, ScopeQuery
from app.dashboard.api.cached_read import CATALOG_SECONDS, OWN_SECONDS, cached_read
from app.dashboard.deployment import Deployment
from app.dashboard.read_only_notice import READ_ONLY_REASON
from app.dashboard.signing_in.sessions import SessionEnded, session_store
from app.dashboard.slow_service import get_read_seconds

P = ParamSpec("P")
R = TypeVar("R")

RANKS: Sequence[str] = get_args(Role)
_ROLE_HOLDERS = {
    "reader": "somebody of your organisation",
    "buyer": "a buyer, an admin or an owner of your organisation",
    "admin": "an admin or an owner of your organisation",
    "owner": "an owner of your organisation",
}


@st.cache_resource(show_spinner=False, on_release=ApiClient.close)
def shared_client(base_url: str) -> ApiClient:
    """Return the one client of a base address, shared by all sessions. It holds no credentials of its own."""
    return ApiClient(base_url)


def client_for(deployment: Deployment) -> ScopedClient:
    """The shared client's view that reads as this deployment's identity, as long as a page waits for it."""
    return _act_for(deployment, get_read_seconds())


def writing_client_for(deployment: Deployment) -> ScopedClient:
    """The view for a write, which is waited for: a file may be large, and it is not known to have failed."""
    return _act_for(deployment, None)


def _act_for(deployment: Deployment, seconds: float | None) -> ScopedClient:
    """Return the view that sends this deployment's identity with each request.

    When the session ended, a running page starts anew and finds nobody signed in; SessionEnded where there is
    none, as in a download."""
    if deployment.session and not session_store().is_live(deployment):
        st.rerun()
        raise SessionEnded
    user = EndUser(
        identifier=deployment.end_user or None,
        email=deployment.end_user_email or None,
        organization_name=deployment.end_user_organization or None,
    )
    credentials = Credentials(deployment.api_key, user)
    return shared_client(deployment.base_url).acting_for(credentials, seconds=seconds)


def client_read(
    find: Callable[[ScopedClient], Callable[P, R]],
    seconds: float,
    *,
    max_entries: int = 200,
    of_deployment: bool = False,
) -> CachedFunc[Concatenate[Deployment, P], R]:
    """Return the cached read that makes the call of the client which `find` returns, as the deployment's
    identity; the rest is as for `cached_read`."""

    def read(deployment: Deployment, *arguments: P.args, **options: P.kwargs) -> R:
        return find(client_for(deployment))(*arguments, **options)

    # What is kept is told apart by this name, and all reads have the same source.
    read.__qualname__ = ".".join(find.__code__.co_names)
    return cached_read(seconds, max_entries=max_entries, of_deployment=of_deployment)(read)


def check_key(deployment: Deployment) -> None:
    """Make a call that needs a key. Raises Unauthorized when the service does not know the key."""
    client_for(deployment).catalog.categories(limit=1)


def list_calls(deployment: Deployment) -> list[CallRecord]:
    """Return the calls that this process made for this identity, newest first."""
    return client_for(deployment).calls[::-1]


# --- the deployment ---


class _Interface(NamedTuple):
    operations: frozenset[str]
    parameters: frozenset[str]
    reading: frozenset[str]
    needed_roles: Mapping[str, str]


@cached_read(300, of_deployment=True)
def _load_interface(deployment: Deployment) -> _Interface:
    """What the description of the deployment says, which is long, read once for all who ask."""
    description = client_for(deployment).openapi()
    return _Interface(
        offered_operations(description),
        offered_parameters(description),
        reading_operations(description),
        needed_roles(description),
    )


def load_operations(deployment: Deployment) -> frozenset[str]:
    """Load the operations that the deployment describes, such as `GET /v1/scope/{}`."""
    return _load_interface(deployment).operations


def load_parameters(deployment: Deployment) -> frozenset[str]:
    """Load the parameters of these operations, such as `GET /v1/scope?status`: a deployment ignores those
    that it does not know."""
    return _load_interface(deployment).parameters


def find_refusal(deployment: Deployment, operation: str | None) -> str | None:
    """Return why who signed in may not call `operation` (`POST /v1/webhooks`), and who may; None where they
    may, and where the deployment does not say: then it refuses when it is tried. Without an operation only
    what holds for all changes counts."""
    if deployment.read_only:
        return READ_ONLY_REASON
    if operation is None or deployment.role not in RANKS:
        return None
    needed = _load_interface(deployment).needed_roles.get(operation, "")
    if needed not in RANKS or RANKS.index(deployment.role) >= RANKS.index(needed):
        return None
    holders = _ROLE_HOLDERS[needed]
    return f"This takes the role {needed}, and you have the role {deployment.role}. Ask {holders}."


def has_operation(deployment: Deployment, operation: str) -> bool:
    """Return whether the deployment has `operation` (`POST /v1/webhooks/{}/test`) and the key may call it: so
    a page shows a read-only key nothing that writes."""
    if deployment.read_only and operation not in _load_interface(deployment).reading:
        return False
    return operation in load_operations(deployment)


def load_health(deployment: Deployment) -> HealthReport:
    """Load the health of the deployment, now."""
    return client_for(deployment).health.report()


# --- the catalog ---


@cached_read(CATALOG_SECONDS, max_entries=500)
def load_companies(
    deployment: Deployment, *, limit: int = 25, offset: int = 0, **query: Unpack[CompanyQuery]
) -> ListPage[CompanyInList]:
    return client_for(deployment).catalog.companies(limit=limit, offset=offset, **query)


@cached_read(CATALOG_SECONDS, max_entries=100, of_deployment=True)
def load_categories(deployment: Deployment, parent_category_id: str | None = None) -> list[Category]:
    """Load all categories of one level, by name."""
    return list(client_for(deployment).catalog.iter_categories(parent_category_id=parent_category_id))


load_company = client_read(lambda client: client.catalog.company, CATALOG_SECONDS, max_entries=500)


@cached_read(CATALOG_SECONDS, max_entries=500)
def load_products(
    deployment: Deployment,
    company_id: str,
    *,
    limit: int = MAX_LIMIT,
    offset: int = 0,
    **query: Unpack[ProductQuery],
) -> ListPage[ProductInList]:
    return client_for(deployment).catalog.products(company_id, limit=limit, offset=offset, **query)


@cached_read(CATALOG_SECONDS, max_entries=50)
def load_all_products(deployment: Deployment, company_id: str) -> list[ProductInList]:
    """Load every product of a company, page by page."""
    return list(client_for(deployment).catalog.iter_products(company_id))


load_product = client_read(lambda client: client.catalog.product, CATALOG_SECONDS, max_entries=500)
load_faqs = client_read(lambda client: client.negotiations.faqs, OWN_SECONDS)


# --- scopes and prices ---


@cached_read(OWN_SECONDS, max_entries=500)
def load_scopes(
    deployment: Deployment, *, limit: int = 25, offset: int = 0, **query: Unpack[ScopeQuery]
) -> ScopePage:
    """Needs `GET /v1/scope`."""
    return client_for(deployment).scopes.list(limit=limit, offset=offset, **query)


@cached_read(OWN_SECONDS, max_entries=500)
def load_scope(deployment: Deployment, scope_id: str) -> Scope:
    """Load a scope: as it is listed, with its name, status and currency, where the deployment finds it so."""
    scopes = client_for(deployment).scopes
    if "GET /v1/scope?ids" in load_parameters(deployment):
        found = scopes.list(ids=[scope_id], limit=1).data
        if found and found[0].id == scope_id:
            return found[0]
    return scopes.get(scope_id)


load_basic_estimate = client_read(lambda client: client.pricing.basic, OWN_SECONDS)
load_advanced_estimate = client_read(lambda client: client.pricing.advanced, OWN_SECONDS)


# --- negotiations ---


load_negotiations = client_read(lambda client: client.negotiations.list, OWN_SECONDS)
load_negotiation = client_read(lambda client: client.negotiations.summary, OWN_SECONDS)


@cached_read(OWN_SECONDS)
def load_escalations(
    deployment: Deployment, negotiation_id: str, **query: Unpack[EscalationQuery]
) -> list[Escalation]:
    return list(client_for(deployment).negotiations.iter_escalations(negotiation_id, **query))


@cached_read(OWN_SECONDS)
def load_timeline(deployment: Deployment, negotiation_id: str) -> Timeline:
    """The timeline with all its entries. Needs `GET /v1/negotiation/{}/timeline`."""
    negotiations = client_for(deployment).negotiations
    timeline = negotiations.timeline(negotiation_id)
    if timeline.pagination is None or timeline.pagination.total <= len(timeline.entries):
        return timeline
    entries = {entry.id: entry for entry in negotiations.iter_entries(negotiation_id)}
    return timeline.model_copy(update={"entries": [*entries.values()][::-1]})


load_savings = client_read(lambda client: client.negotiations.savings, OWN_SECONDS)


# --- imports ---


load_imports = client_read(lambda client: client.imports.list, OWN_SECONDS)
load_import = client_read(lambda client: client.imports.get, OWN_SECONDS)


# --- webhooks ---


load_webhooks = client_read(lambda client: client.webhooks.list, OWN_SECONDS)
load_webhook_events = client_read(lambda client: client.webhooks.events, OWN_SECONDS)
load_webhook_event = client_read(lambda client: client.webhooks.event, OWN_SECONDS)
