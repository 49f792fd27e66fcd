"""A sample quote to try the reading with, or to download."""

import hashlib
from collections.abc import Sequence
from functools import partial

import streamlit as st

from app.client import ScopedClient
from app.contract.sample import SampleQuote
from app.dashboard import navigation, recently_opened
from app.dashboard.api import extension_queries, queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.scopes.dropped_quotes import find_scopes_of_file, upload_quote

OPERATIONS = ("GET /v1/sample/quotes", "GET /v1/sample/quotes/{}", "POST /v1/scope/from-document")


def draw_sample_quote(deployment: Deployment, *, key: str) -> None:
    """Draw a button that reads a sample quote and shows how, and a download beside it; nothing where the
    deployment has none."""
    if not all(queries.has_operation(deployment, operation) for operation in OPERATIONS):
        return
    quotes = extension_queries.load_sample_quotes(deployment)
    if not quotes:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        write_button(
            deployment,
            "Try a sample quote",
            name=f"sample-quote-{key}",
            what="Uploading a sample quote",
            write=partial(_read_next, deployment, quotes),
            on_success=partial(_open, deployment),
            icon=":material/science:",
            type="tertiary",
            help="Reads an invented quote of a sample supplier. You see each step, up to the verdict.",
        )
        st.download_button(
            "Download it",
            partial(extension_queries.load_sample_quote, deployment, quotes[0].number),
            quotes[0].filename,
            "application/pdf",
            key=f"sample-download-{key}",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
            help="To look at, or to drop on the Quotes page yourself",
        )


def _read_next(
    deployment: Deployment, quotes: Sequence[SampleQuote], client: ScopedClient, idempotency_key: str
) -> str:
    """Read the first of the quotes that was not read before, and return the id of its scope; where all were,
    that of the first one's."""
    known: list[str] = []
    for quote in quotes:
        content = extension_queries.load_sample_quote(deployment, quote.number)
        earlier = find_scopes_of_file(deployment, hashlib.sha256(content).hexdigest())
        if not earlier:
            return upload_quote(client, content, quote.filename, idempotency_key=idempotency_key)
        known.append(earlier[0].id)
    return known[0]


def _open(deployment: Deployment, scope_id: str) -> None:
    recently_opened.remember(deployment, "scope", scope_id)
    navigation.open_page("scope", id=scope_id)
