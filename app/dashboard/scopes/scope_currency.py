"""The currency of a scope, which the interface does not state with the scope."""

from contextlib import suppress

from app.client import ApiError
from app.dashboard.api import extension_queries, queries
from app.dashboard.deployment import Deployment


def find_scope_currency(deployment: Deployment, scope_id: str) -> str:
    """Find the currency in which the scope is priced, or that of its document; "" where there is neither."""
    with suppress(ApiError):
        return queries.load_basic_estimate(deployment, scope_id).currency
    if queries.has_operation(deployment, "GET /v1/scope/{}/document"):
        with suppress(ApiError):
            return extension_queries.load_document_reading(deployment, scope_id).currency or ""
    return ""
