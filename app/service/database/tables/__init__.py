"""Every table, by subject. Importing this package fills `metadata`."""

from app.service.database.columns import metadata
from app.service.database.tables import (
    access,
    catalog,
    deployment,
    files,
    negotiation,
    pricing,
    purchases,
    scopes,
    search,
    webhooks,
    workers,
)

__all__ = [
    "access",
    "catalog",
    "deployment",
    "files",
    "metadata",
    "negotiation",
    "pricing",
    "purchases",
    "scopes",
    "search",
    "webhooks",
    "workers",
]
