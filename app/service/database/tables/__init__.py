"""Every table, by subject. Importing this package fills `metadata`."""

from app.service.database.columns import metadata
from app.service.database.tables import (
    access,
    agreements,
    catalog,
    comments,
    deployment,
    files,
    imports,
    negotiation,
    people,
    pricing,
    purchases,
    sample,
    scopes,
    search,
    second_opinion,
    webhooks,
    workers,
)

__all__ = [
    "access",
    "agreements",
    "catalog",
    "comments",
    "deployment",
    "files",
    "imports",
    "metadata",
    "negotiation",
    "people",
    "pricing",
    "purchases",
    "sample",
    "scopes",
    "search",
    "second_opinion",
    "webhooks",
    "workers",
]
