"""The first quote of a new requirement as a file, read into a scope whose lines the form begins with."""

from collections.abc import Callable
from datetime import UTC, datetime

import streamlit as st

from app.client import ScopedClient
from app.contract.scope import Scope
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.scopes.document_following import follow_document
from app.dashboard.scopes.dropped_quotes import upload_quote
from components.documents.document_progress import draw_document_progress, is_finished
from components.elements.document_upload import draw_document_upload


def draw_first_quote(deployment: Deployment, *, on_uploaded: Callable[[str], None]) -> None:
    """Draw the field for the file, whose reading begins with the click; `on_uploaded` gets the scope's id."""
    file = draw_document_upload("A supplier's quote", key="first-quote")
    st.caption("Its lines are what is compared, and its prices are the first quote. Add the others after it.")

    def send(client: ScopedClient, key: str) -> str:
        assert file is not None
        return upload_quote(client, file.getvalue(), file.name, mime_type=file.type, idempotency_key=key)

    write_button(
        deployment,
        "Read the quote",
        name=f"first-quote-{file.file_id if file else ''}",
        what="Uploading the quote",
        write=send,
        on_success=on_uploaded,
        icon=":material/upload_file:",
        disabled=file is None,
        help=None if file else "Choose a file first",
    )


def is_read(scope: Scope) -> bool:
    """Return whether the scope's lines are there: its document, if it has one, was read."""
    return scope.document_processing is None or scope.document_processing.status == "completed"


def draw_reading(deployment: Deployment, scope: Scope) -> None:
    """Draw how far the scope's document is read, or why it could not be; the page runs anew at the end."""
    document = scope.document_processing
    if not is_finished(document):
        follow_document(deployment, scope.id)
    elif document:
        draw_document_progress(document, datetime.now(UTC))
