"""Every read of the pages, cached. The deployment, always the first argument, keeps users apart. What a
deployment may lack is asked for behind `has_operation`.

Raises the errors of `app.client` (`ApiError`); errors are not cached. Pages let them pass to the panel
around them (`failure_panel`).
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar, Unpack

import streamlit as st
from streamlit.runtime.caching.cache_utils import CachedFunc

from app.client import (
    ApiClient,
    CallRecord,
    Credentials,
    EndUser,
    NotFound,
    ScopedClient,
    needed_roles,
    offered_operations,
    offered_parameters,
    reading_operations,
)
from app.contract.access import RANKS, has_role
from app.contract.catalog import Category, Product, ProductInList
from app.contract.comments import CommentedKind
from app.contract.negotiation import Escalation, EscalationQuery, Timeline
from app.contract.page import MAX_LIMIT
from app.contract.pricing import PreviewedEstimate, PricePreview
from app.contract.scope import DocumentReading, Scope
from app.contract.sourcing import SourcingQuote
from app.dashboard.api.cached_read import CATALOG_SECONDS, OWN_SECONDS, cached_read
from app.dashboard.deployment import READ_ONLY_REASON, Deployment
from app.dashboard.signing_in.sessions import SessionEnded, session_store
from app.dashboard.slow_service import get_read_seconds

P = ParamSpec("P")
R = TypeVar("R")

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
    if needed not in RANKS or has_role(deployment.role, needed):
        return None
    holders = _ROLE_HOLDERS[needed]
    return f"This takes the role {needed}, and you have the role {deployment.role}. Ask {holders}."


def has_operation(deployment: Deployment, operation: str) -> bool:
    """Return whether the deployment has `operation` (`POST /v1/webhooks/{}/test`) and the key may call it: so
    a page shows a read-only key nothing that writes."""
    if deployment.read_only and operation not in _load_interface(deployment).reading:
        return False
    return operation in load_operations(deployment)


# --- the catalog ---


load_companies = client_read(lambda client: client.catalog.companies, CATALOG_SECONDS, max_entries=500)


@cached_read(CATALOG_SECONDS, max_entries=100, of_deployment=True)
def load_categories(deployment: Deployment) -> list[Category]:
    """Load the highest categories, by name, with those below them."""
    return list(client_for(deployment).catalog.iter_categories())


load_company = client_read(lambda client: client.catalog.company, CATALOG_SECONDS, max_entries=500)
load_products = client_read(lambda client: client.catalog.products, CATALOG_SECONDS, max_entries=500)


@cached_read(CATALOG_SECONDS, max_entries=50)
def load_all_products(deployment: Deployment, company_id: str) -> list[ProductInList]:
    """Load every product of a company, page by page."""
    return list(client_for(deployment).catalog.iter_products(company_id))


load_product = client_read(lambda client: client.catalog.product, CATALOG_SECONDS, max_entries=500)


def load_known_products(deployment: Deployment, product_ids: set[str]) -> dict[str, Product]:
    """Load the products by id, without those that are gone."""
    products: dict[str, Product] = {}
    for product_id in sorted(product_ids):
        with suppress(NotFound):
            products[product_id] = load_product(deployment, product_id)
    return products


load_faqs = client_read(lambda client: client.negotiations.faqs, OWN_SECONDS)


# --- scopes and prices ---


load_scopes = client_read(lambda client: client.scopes.list, OWN_SECONDS, max_entries=500)


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
load_deal_accuracy = client_read(lambda client: client.negotiations.accuracy, OWN_SECONDS)


# --- imports and the sample data ---


load_imports = client_read(lambda client: client.imports.list, OWN_SECONDS)
load_import = client_read(lambda client: client.imports.get, OWN_SECONDS)
load_sample_data = client_read(lambda client: client.sample.read, OWN_SECONDS)


load_sample_quotes = client_read(lambda client: client.sample.quotes, CATALOG_SECONDS, of_deployment=True)
load_sample_quote = client_read(
    lambda client: client.sample.quote, CATALOG_SECONDS, max_entries=40, of_deployment=True
)


# --- webhooks ---


load_webhooks = client_read(lambda client: client.webhooks.list, OWN_SECONDS)
load_webhook_events = client_read(lambda client: client.webhooks.events, OWN_SECONDS)
load_webhook_event = client_read(lambda client: client.webhooks.event, OWN_SECONDS)
load_webhook_detail = client_read(lambda client: client.webhooks.get, OWN_SECONDS)
load_attempts = client_read(lambda client: client.webhooks.attempts, OWN_SECONDS)
load_inbox = client_read(lambda client: client.webhooks.inbox, OWN_SECONDS)


# --- agreements ---


load_agreements = client_read(lambda client: client.agreements.list, OWN_SECONDS, max_entries=500)
load_agreement = client_read(lambda client: client.agreements.get, OWN_SECONDS, max_entries=500)
load_renewals = client_read(lambda client: client.agreements.renewals, OWN_SECONDS)
load_missing_details = client_read(lambda client: client.agreements.missing_details, OWN_SECONDS)
load_calendar_feeds = client_read(lambda client: client.agreements.calendar_feeds, OWN_SECONDS)
load_working_days = client_read(lambda client: client.agreements.working_days, OWN_SECONDS)
load_deadline_mail = client_read(lambda client: client.agreements.deadline_mail, OWN_SECONDS)
load_market = client_read(lambda client: client.agreements.market, OWN_SECONDS)
load_spend = client_read(lambda client: client.agreements.spend, OWN_SECONDS)
load_renewal = client_read(lambda client: client.renewals.get, OWN_SECONDS)
load_price_history = client_read(lambda client: client.renewals.price_history, OWN_SECONDS)
load_occurrences = client_read(lambda client: client.agreements.occurrences, OWN_SECONDS)
load_agreement_purchases = client_read(lambda client: client.renewals.purchases, OWN_SECONDS)


# --- documents, prices and the overview beyond the interface ---


search = client_read(lambda client: client.search.find, OWN_SECONDS)
load_document_reading = client_read(lambda client: client.scopes.document, CATALOG_SECONDS, max_entries=100)
load_document_page = client_read(
    lambda client: client.scopes.document_page, CATALOG_SECONDS, max_entries=40, of_deployment=True
)


def find_document_reading(deployment: Deployment, scope_id: str) -> DocumentReading | None:
    """Find what was read from the document of the scope, or of the one that it follows; None where there is
    none, or the deployment does not say."""
    if has_operation(deployment, "GET /v1/scope/{}/document"):
        with suppress(NotFound):
            return load_document_reading(deployment, scope_id)
    return None


load_second_opinion = client_read(lambda client: client.second_opinion.settings, OWN_SECONDS)
load_explanation = client_read(lambda client: client.pricing.explanation, OWN_SECONDS)
load_product_prices = client_read(lambda client: client.pricing.product, OWN_SECONDS)
load_usage = client_read(lambda client: client.access.usage, OWN_SECONDS)
load_agent_calls = client_read(lambda client: client.agent_calls.list, OWN_SECONDS)
load_overview = client_read(lambda client: client.overview.read, OWN_SECONDS)
load_overview_figures = client_read(lambda client: client.overview.figures, OWN_SECONDS)


@cached_read(OWN_SECONDS)
def load_preview(deployment: Deployment, body: str) -> PreviewedEstimate:
    """Load the estimate of a purchase that is not stored; `body` is a `PricePreview` as JSON, so that it is a
    plain cache key. Needs `POST /v1/pricing/preview`."""
    return client_for(deployment).pricing.preview(PricePreview.model_validate_json(body))


# --- people and comments ---


load_keys = client_read(lambda client: client.keys.list, OWN_SECONDS)
load_members = client_read(lambda client: client.members.list, OWN_SECONDS)
load_audit = client_read(lambda client: client.audit.list, OWN_SECONDS)
load_approvals = client_read(lambda client: client.approvals.list, OWN_SECONDS)
load_approval_rules = client_read(lambda client: client.approvals.rules, OWN_SECONDS)
load_comments = client_read(lambda client: client.comments.list, OWN_SECONDS)
load_history = client_read(lambda client: client.comments.history, OWN_SECONDS)


COMMENTED_PATHS: dict[CommentedKind, str] = {
    "scope": "/v1/scope/{}",
    "negotiation": "/v1/negotiation/{}",
    "agreement": "/v1/agreements/{}",
}
"""Where what is commented on is read."""


# --- requirements and their quotes ---


load_requirements = client_read(lambda client: client.requirements.list, OWN_SECONDS, max_entries=500)
load_requirement = client_read(lambda client: client.requirements.get, OWN_SECONDS, max_entries=500)
load_matrix = client_read(lambda client: client.requirements.matrix, OWN_SECONDS, max_entries=50)
load_scenarios = client_read(lambda client: client.requirements.list_scenarios, OWN_SECONDS, max_entries=50)
load_scenario = client_read(lambda client: client.requirements.get_scenario, OWN_SECONDS, max_entries=50)


@cached_read(OWN_SECONDS, max_entries=50)
def load_quotes(deployment: Deployment, requirement_id: str) -> Sequence[SourcingQuote]:
    """Load all quotes of a requirement: it has fewer than a page holds. Needs
    `GET /v1/requirements/{}/quotes`."""
    return client_for(deployment).requirements.list_quotes(requirement_id, limit=MAX_LIMIT).data


SOURCING_READS = (
    load_requirements,
    load_requirement,
    load_matrix,
    load_quotes,
    load_scenarios,
    load_scenario,
)
"""What a write to a requirement may change."""
