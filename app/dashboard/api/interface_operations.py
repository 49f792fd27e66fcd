"""The operations of the interface, and what a deployment offers of it and beyond it."""

from collections.abc import Set

INTERFACE_OPERATIONS = (
    "GET /v1/catalog/companies/{}",
    "GET /v1/catalog/product-families/{}",
    "GET /v1/catalog/products/{}",
    "GET /v1/catalog/categories",
    "GET /v1/catalog/companies",
    "GET /v1/catalog/companies/{}/product-families",
    "GET /v1/catalog/companies/{}/products",
    "GET /v1/scope/{}",
    "POST /v1/scope",
    "POST /v1/scope/from-document",
    "GET /v1/pricing/basic/{}",
    "GET /v1/pricing/advanced/{}",
    "GET /v1/webhooks",
    "POST /v1/webhooks",
    "GET /v1/webhooks/{}/events",
    "GET /v1/webhooks/{}/events/{}",
    "DELETE /v1/webhooks/{}",
    "POST /v1/negotiation/start",
    "GET /v1/negotiation/{}/summary",
    "GET /v1/negotiation/{}/escalations",
    "GET /v1/negotiation/{}/escalations/{}",
    "POST /v1/negotiation/{}/external-update",
    "POST /v1/negotiation/{}/attach",
    "GET /v1/negotiation/faqs/{}",
    "POST /v1/files/upload",
    "GET /v1/openapi",
    "GET /v1/health",
)
"""The operations that all deployments share, with ids as `{}`."""


def find_missing_operations(offered: Set[str]) -> list[str]:
    """Return the operations of the interface that the deployment does not describe."""
    return [operation for operation in INTERFACE_OPERATIONS if operation not in offered]


def find_extensions(offered: Set[str]) -> Set[str]:
    """Return operations beyond the interface. HEAD comes with every GET and is not listed."""
    return {
        operation
        for operation in offered
        if operation not in INTERFACE_OPERATIONS and not operation.startswith("HEAD ")
    }
