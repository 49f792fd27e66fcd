"""Suppliers' quotes for one need, dropped together: the first is read into a scope, whose lines say what is
needed; the others wait as files in the address until there is a requirement that they answer."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import streamlit as st

from app.client import ScopedClient
from app.contract.scope import Scope
from app.contract.sourcing import MAX_QUOTES, NewRequirement, NewSourcingQuote, Requirement
from app.dashboard.api.write_button import draw_write_failure, perform_write, write_button
from app.dashboard.deployment import Deployment
from app.dashboard.scopes.dropped_quotes import follow_document
from app.dashboard.session_values import write_failure
from app.dashboard.sourcing.quote_files import store_file
from components.documents.document_review import draw_document_progress, is_finished
from components.elements.document_upload import draw_quotes_upload
from components.formatting.counts import format_count

SCOPE, OTHERS = "from", "with"
"""In the address: the scope that says what is needed, and the files of the other quotes."""


def read_others() -> list[str]:
    """Return the ids of the files in the address."""
    return [file_id for file_id in st.query_params.get(OTHERS, "").split(",") if file_id]


def _put_in_address(scope_id: str, others: Sequence[str]) -> None:
    st.query_params[SCOPE] = scope_id
    if others:
        st.query_params[OTHERS] = ",".join(others)
    else:
        st.query_params.pop(OTHERS, None)


def draw_quotes_together(deployment: Deployment) -> None:
    """Draw the field for the files, which are uploaded with the click."""
    files = draw_quotes_upload("Suppliers' quotes for one need", MAX_QUOTES, key="quotes-together")
    st.caption("The lines of the first are what is compared; the others are matched with them.")

    def send(client: ScopedClient, key: str) -> tuple[str, list[str]]:
        stored = [store_file(client, file, f"{key}-{place}") for place, file in enumerate(files)]
        return _begin(client, stored, key)

    write_button(
        deployment,
        f"Compare {format_count(len(files), 'quote')}" if files else "Compare the quotes",
        name=f"quotes-together-{'-'.join(file.file_id for file in files)}",
        what="Uploading",
        write=send,
        on_success=lambda begun: _put_in_address(*begun),
        icon=":material/upload_file:",
        type="primary",
        disabled=not files or len(files) > MAX_QUOTES,
        help=None if files else "Choose the files first",
    )
    if len(files) > MAX_QUOTES:
        st.caption(f"At most {MAX_QUOTES} quotes are compared: take out some files.")


def is_read(scope: Scope) -> bool:
    """Return whether the scope's lines are there: its document, if it has one, was read."""
    return scope.document_processing is None or scope.document_processing.status == "completed"


def draw_reading(deployment: Deployment, scope: Scope) -> None:
    """Draw how far the scope's document is read; the page runs anew at the end. Where it could not be read,
    say why, and offer to begin with the next file."""
    document = scope.document_processing
    if not is_finished(document):
        follow_document(deployment, scope.id)
        return
    if document:
        draw_document_progress(document, datetime.now(UTC))
    if not (others := read_others()):
        return
    write_button(
        deployment,
        "Begin with the next quote",
        name=f"begin-with-{others[0]}",
        what="Reading the next quote",
        write=lambda client, key: _begin(client, others, key),
        on_success=lambda begun: _put_in_address(*begun),
        icon=":material/skip_next:",
    )


def _begin(client: ScopedClient, files: Sequence[str], idempotency_key: str) -> tuple[str, list[str]]:
    """Begin to read the first of stored files; return its scope and the others."""
    first, *others = files
    address = client.files.address(first)
    return client.scopes.from_document(address, idempotency_key=idempotency_key).scope_id, others


def create_requirement(client: ScopedClient, body: NewRequirement, idempotency_key: str) -> Requirement:
    """Create it, and add the quotes whose files are in the address."""
    made = client.requirements.create(body, idempotency_key=idempotency_key)
    for place, file_id in enumerate(read_others()):
        quote = NewSourcingQuote(file_id=file_id)
        client.requirements.add_quote(made.id, quote, idempotency_key=f"{idempotency_key}-{place}")
    return made


def compare_at_once(deployment: Deployment, scope_id: str, on_created: Callable[[Requirement], None]) -> None:
    """Take the scope as it is where other quotes wait for it. If that fails, say why: the form that follows
    states what is needed instead, and takes the others too."""
    name = f"compare-{scope_id}"
    if not read_others():
        return
    if not write_failure(name).is_set:
        body = NewRequirement(scope_id=scope_id)
        with st.spinner("Comparing the quotes …"):
            made = perform_write(
                deployment,
                name,
                "Comparing the quotes",
                lambda client, key: create_requirement(client, body, key),
            )
        if made is not None:
            on_created(made)
    draw_write_failure(name)
