"""The currency of a scope, which the interface does not state with the scope."""

from contextlib import suppress

from app.client import ApiError
from app.dashboard.api import extension_queries, queries
from app.dashboard.deployment import Deployment
from components.scopes.scope_card import get_listed_currency


def find_scope_currency(deployment: Deployment, scope_id: str) -> str:
    """Find the currency of the scope. Where the deployment does not state it: the one in which the scope is
    priced, or that of its document; "" where there is neither."""
    with suppress(ApiError):
        if currency := get_listed_currency(queries.load_scope(deployment, scope_id)):
            return currency
    with suppress(ApiError):
        return queries.load_basic_estimate(deployment, scope_id).currency
    if queries.has_operation(deployment, "GET /v1/scope/{}/document"):
        with suppress(ApiError):
            return extension_queries.load_document_reading(deployment, scope_id).currency or ""
    return ""
