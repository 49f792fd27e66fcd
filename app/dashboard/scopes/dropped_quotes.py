"""Quotes that were dropped in this session: each is sent once, and has its own scope or its own refusal."""

import hashlib
from collections.abc import Iterable, MutableSequence, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from app.client import ApiError, ScopedClient
from app.contract.scope import PurchaseType, Scope
from app.dashboard.api import queries
from app.dashboard.api.write_button import perform_write
from app.dashboard.deployment import Deployment
from app.dashboard.session_values import write_failure
from components.documents.document_progress import is_finished
from components.formatting.escape_markdown import escape_markdown
from components.formatting.file_names import shorten_file_name

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

MAX_QUOTES = 20
"""At once. More are named and not sent."""


@dataclass
class DroppedQuote:
    """A dropped file: with the scope that it is read into, or the reason why it was refused, or neither while
    it was not sent. `earlier` are scopes that the same file was read into before; while there are any it
    waits for a decision. `scope` is as it was seen last."""

    file: "UploadedFile"
    purchase_type: PurchaseType | None
    sha256: str
    scope_id: str | None = None
    scope: Scope | None = None
    refusal: str | None = None
    can_retry: bool = False
    earlier: Sequence[Scope] | None = None

    @property
    def name(self) -> str:
        return shorten_file_name(self.file.name)

    @property
    def is_unsent(self) -> bool:
        return self.scope_id is None and self.refusal is None and not self.earlier

    @property
    def is_being_read(self) -> bool:
        return self.scope_id is not None and (
            self.scope is None or not is_finished(self.scope.document_processing)
        )

    def send_anyway(self) -> None:
        """Send it though the same file was read before, or try again."""
        self.earlier, self.refusal = (), None


def add_dropped_files(
    quotes: MutableSequence[DroppedQuote], files: Iterable["UploadedFile"], purchase_type: PurchaseType | None
) -> None:
    """Add the files that are not among the quotes yet, each once however often the page runs."""
    known = {quote.file.file_id for quote in quotes}
    new = [file for file in files if file.file_id not in known]
    for at, file in enumerate(new):
        quote = DroppedQuote(file, purchase_type, hashlib.sha256(file.getbuffer()).hexdigest())
        same = next((one for one in quotes if one.is_unsent and one.sha256 == quote.sha256), None)
        if at >= MAX_QUOTES:
            quote.refusal = f"Only {MAX_QUOTES} files are taken at once. Drop this one again."
        elif same is not None:
            quote.refusal = f"It is the same file as {same.name}, which is read once."
        quotes.append(quote)


def send_quotes(deployment: Deployment, quotes: Sequence[DroppedQuote]) -> None:
    """Send what was not sent. What is interrupted goes on in the next run with the same idempotency keys."""
    unsent = [quote for quote in quotes if quote.is_unsent]
    if not unsent:
        return
    progress = st.progress(0.0)
    for at, quote in enumerate(unsent):
        progress.progress(at / len(unsent), text=f"Uploading {escape_markdown(quote.name)}…")
        _send(deployment, quote)
    progress.empty()


def _send(deployment: Deployment, quote: DroppedQuote) -> None:
    if quote.earlier is None:
        quote.earlier = find_scopes_of_file(deployment, quote.sha256)
        if quote.earlier:
            return

    def upload(client: ScopedClient, idempotency_key: str) -> str:
        return upload_quote(
            client,
            quote.file.getvalue(),
            quote.file.name,
            mime_type=quote.file.type,
            purchase_type=quote.purchase_type,
            idempotency_key=idempotency_key,
        )

    name = f"quote-{quote.file.file_id}"
    quote.scope_id = perform_write(deployment, name, "Uploading the quote", upload)
    failure = write_failure(name).pop()
    if failure is not None:
        quote.refusal = " ".join(place.detail for place in failure.places) or failure.detail
        quote.can_retry = failure.can_retry


def upload_quote(
    client: ScopedClient,
    content: bytes,
    filename: str,
    *,
    mime_type: str | None = None,
    purchase_type: PurchaseType | None = None,
    idempotency_key: str,
) -> str:
    """Upload a quote, begin to read it, and return the id of its scope."""
    stored = client.files.upload(
        content, filename=filename, mime_type=mime_type, idempotency_key=f"{idempotency_key}-file"
    )
    return client.scopes.from_document(
        client.files.address(stored.id), purchase_type=purchase_type, idempotency_key=idempotency_key
    ).scope_id


def find_scopes_of_file(deployment: Deployment, sha256: str) -> Sequence[Scope]:
    """Find the newest scope that a file with this content was read into; none where the deployment cannot
    say."""
    if "GET /v1/scope?documentSha256" not in queries.load_parameters(deployment):
        return ()
    with suppress(ApiError):
        return queries.load_scopes(deployment, document_sha256=sha256, limit=1).data
    return ()
