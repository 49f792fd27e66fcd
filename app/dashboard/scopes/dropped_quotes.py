"""Quotes that were dropped in this session: each is sent once, and has its own scope or its own refusal."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, MutableSequence, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.client import ApiError, ScopedClient
from app.contract.money import format_money
from app.contract.page import MAX_LIMIT
from app.contract.scope import DocumentReading, PurchaseType, QuoteInFile, Scope
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.api.write_button import perform_write
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.session_values import dropped_quotes, upload_count, write_failure
from components.documents.document_review import draw_document_progress, is_finished
from components.elements.form_fields import draw_quotes_upload
from components.elements.page_header import Colour
from components.formatting import escape_markdown, format_count, format_local_time, shorten_file_name
from components.scopes import PURCHASE_TYPE_LABELS

REFRESH_SECONDS = 1.0


@st.fragment(run_every=REFRESH_SECONDS)
def follow_document(deployment: Deployment, scope_id: str) -> None:
    """Draw how far the reading of the document is, and the whole page anew once it is over."""
    with failure_panel("Following the document"):
        queries.load_scope.clear()
        document = queries.load_scope(deployment, scope_id).document_processing
        if document:
            draw_document_progress(document, datetime.now(UTC))
        if is_finished(document):
            queries.load_scopes.clear()
            st.rerun()


def draw_quotes_in_file(reading: DocumentReading) -> None:
    """Draw how many quotes the file holds and a link to each other one; nothing where it is the only one."""
    if len(reading.quotes) < 2:
        return
    with st.container(border=True, gap="xsmall", key="quotes-in-file"):
        st.markdown(
            f":material/stacks: **This file holds {format_count(len(reading.quotes), 'quote')}.** Each has a "
            "quote of its own."
        )
        for position, quote in enumerate(reading.quotes, 1):
            name, note = quote.document_number or f"Quote {position}", _describe(quote, reading.currency)
            if quote.scope_id == reading.scope_id:
                here = escape_markdown(f"{note}, shown here".lstrip(", "))
                st.markdown(f":material/check: {escape_markdown(name)} :gray[{here}]")
            else:
                navigation.draw_link_with_note("scope", name, note, icon="description", id=quote.scope_id)


def _describe(quote: QuoteInFile, currency: str | None) -> str:
    """Return `pages 3 to 4, USD 1,320`; a file without pages has none."""
    words: list[str] = []
    if len(quote.pages) == 1:
        words.append(f"page {quote.pages[0]}")
    elif quote.pages:
        words.append(f"pages {quote.pages[0]} to {quote.pages[-1]}")
    if quote.total is not None:
        words.append(format_money(quote.total, currency or ""))
    return ", ".join(words)


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


def draw_quote_upload(deployment: Deployment, *, on_uploaded: Callable[[str], None]) -> None:
    """Draw the upload, which begins to read at the drop, and the list of what was dropped. A quote that is
    dropped alone is not listed: `on_uploaded` gets the id of its scope."""
    kinds: Mapping[PurchaseType | None, str] = {
        None: "As the quote says",
        "new_purchase": PURCHASE_TYPE_LABELS["new_purchase"],
        "renewal": PURCHASE_TYPE_LABELS["renewal"],
    }
    uploads = upload_count("quotes")
    field, choice = st.columns([5, 2])
    with field:
        files = draw_quotes_upload(
            "Drop suppliers' quotes or order forms", MAX_QUOTES, key=f"quotes-{uploads.get()}"
        )
    with choice:
        purchase_type = st.selectbox(
            "Kind of purchase", list(kinds), format_func=lambda each: kinds[each], key="quote-kind"
        )
    quotes = dropped_quotes(deployment)
    add_dropped_files(quotes, files, purchase_type)
    send_quotes(deployment, quotes)

    def clear() -> None:
        # A new field first: what the old one holds would be taken for dropped again.
        uploads.set(uploads.get() + 1)
        quotes.clear()

    if len(quotes) == 1 and quotes[0].scope_id is not None and quotes[0].scope is None:
        scope_id = quotes[0].scope_id
        clear()
        on_uploaded(scope_id)
    draw_dropped_quotes(deployment, quotes, on_clear=clear)


_LIST_REFRESH_SECONDS = 2.0
MAX_READ_ALONE = 4
"""Scopes that are read one by one at each refresh, where the deployment does not list them."""

_STATES = {
    "pending": ("waits to be read", "schedule"),
    "processing": ("is being read", "hourglass_top"),
    "completed": ("waits for your review", "fact_check"),
    "failed": ("gave no quote", "error"),
}
_CONFIRMED = ("was confirmed", "task_alt")


def draw_dropped_quotes(
    deployment: Deployment, quotes: Sequence[DroppedQuote], *, on_clear: Callable[[], None]
) -> None:
    """Draw the list, which follows the readings by itself until all are over."""
    if not quotes:
        return
    with failure_panel("The state of these quotes"):
        _refresh(deployment, quotes)
    if any(quote.is_being_read for quote in quotes):
        _follow(deployment, quotes)
        return
    _draw_list(quotes)
    st.button(
        "Clear this list",
        icon=":material/close:",
        type="tertiary",
        on_click=on_clear,
        key="clear-dropped-quotes",
        help="The quotes stay in the list below",
    )


@st.fragment(run_every=_LIST_REFRESH_SECONDS)
def _follow(deployment: Deployment, quotes: Sequence[DroppedQuote]) -> None:
    with failure_panel("The state of these quotes"):
        _refresh(deployment, quotes)
    _draw_list(quotes)
    if any(quote.is_unsent for quote in quotes) or not any(quote.is_being_read for quote in quotes):
        st.rerun()


def _refresh(deployment: Deployment, quotes: Sequence[DroppedQuote]) -> None:
    """Load the scopes of the quotes as they are now, in one call where the deployment lists them. The list of
    all is loaded anew once one more was read."""
    being_read = sum(quote.is_being_read for quote in quotes)
    sent = {quote.scope_id: quote for quote in quotes if quote.scope_id is not None}
    if sent and queries.has_operation(deployment, "GET /v1/scope"):
        queries.load_scopes.clear(deployment, source="document", limit=MAX_LIMIT)
        for scope in queries.load_scopes(deployment, source="document", limit=MAX_LIMIT).data:
            if scope.id in sent:
                sent.pop(scope.id).scope = scope
    unfinished = [scope_id for scope_id, quote in sent.items() if quote.is_being_read]
    for scope_id in unfinished[:MAX_READ_ALONE]:
        queries.load_scope.clear(deployment, scope_id)
        sent[scope_id].scope = queries.load_scope(deployment, scope_id)
    if sum(quote.is_being_read for quote in quotes) != being_read:
        queries.load_scopes.clear()


def _draw_list(quotes: Sequence[DroppedQuote]) -> None:
    sent = [quote for quote in quotes if quote.scope_id is not None]
    done = sum(not quote.is_being_read for quote in sent)
    if done < len(sent):
        st.progress(done / len(sent), text=f"{done} of {len(sent)} read")
    with st.container(border=True, gap="xsmall", key="dropped-quotes"):
        for quote in quotes:
            if quote.scope_id is not None:
                _draw_sent(quote, quote.scope_id)
            elif quote.earlier:
                _draw_read_before(quote, quote.earlier[0])
            else:
                with _draw_row("error", "red", quote, quote.refusal or "not sent yet"):
                    if quote.can_retry:
                        st.button(
                            "Try again",
                            key=f"again-{quote.file.file_id}",
                            icon=":material/refresh:",
                            on_click=quote.send_anyway,
                        )


def _draw_sent(quote: DroppedQuote, scope_id: str) -> None:
    document = quote.scope.document_processing if quote.scope else None
    note, icon = _STATES.get(document.status if document else "pending", _STATES["pending"])
    if quote.scope and quote.scope.next_scope_id:
        note, icon = _CONFIRMED
    if document and document.error:
        note = f"{note}: {document.error}"
    navigation.draw_link_with_note("scope", quote.name, note, icon=icon, id=scope_id)


def _draw_read_before(quote: DroppedQuote, earlier: Scope) -> None:
    when = format_local_time(earlier.created_on)
    document = earlier.document_processing
    name = document.filename if document else quote.name
    with _draw_row("content_copy", "orange", quote, f"the same file was read on {when}"):
        navigation.draw_link("scope", f"Open {escape_markdown(name)}", icon="open_in_new", id=earlier.id)
        st.button(
            "Read it again",
            key=f"again-{quote.file.file_id}",
            icon=":material/refresh:",
            on_click=quote.send_anyway,
            help="Makes a second quote from this file",
        )


def _draw_row(icon: str, colour: Colour, quote: DroppedQuote, note: str) -> DeltaGenerator:
    """Draw a quote that has no scope, and return the row for what can be done about it."""
    row = st.container(horizontal=True, vertical_alignment="center", gap="xsmall")
    row.markdown(f":{colour}[:material/{icon}:] :small[{escape_markdown(quote.name)}]", width="content")
    row.caption(escape_markdown(note), width="content")
    return row
