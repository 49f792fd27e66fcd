"""The list of the quotes that were dropped in this session, with the progress of each."""

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.contract.page import MAX_LIMIT
from app.contract.scope import Scope
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.scopes.dropped_quotes import DroppedQuote
from components.elements.page_header import Colour
from components.formatting.datetimes import format_local_time, get_reader_zone
from components.formatting.escape_markdown import escape_markdown

REFRESH_SECONDS = 2.0
MAX_READ_ALONE = 4
"""Scopes that are read one by one at each refresh, where the deployment does not list them."""

_STATES = {
    "pending": ("waits to be read", "schedule"),
    "processing": ("is being read", "hourglass_top"),
    "completed": ("waits for your review", "fact_check"),
    "failed": ("could not be read", "error"),
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
        help="The quotes stay under “All quotes”",
    )


@st.fragment(run_every=REFRESH_SECONDS)
def _follow(deployment: Deployment, quotes: Sequence[DroppedQuote]) -> None:
    with failure_panel("The state of these quotes"):
        _refresh(deployment, quotes)
    _draw_list(quotes)
    if any(quote.is_unsent for quote in quotes) or not any(quote.is_being_read for quote in quotes):
        st.rerun()


def _refresh(deployment: Deployment, quotes: Sequence[DroppedQuote]) -> None:
    """Load the scopes of the quotes as they are now, in one call where the deployment lists them."""
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
                _draw_refused(quote)


def _draw_sent(quote: DroppedQuote, scope_id: str) -> None:
    document = quote.scope.document_processing if quote.scope else None
    note, icon = _STATES.get(document.status if document else "pending", _STATES["pending"])
    if quote.scope and quote.scope.next_scope_id:
        note, icon = _CONFIRMED
    if document and document.error:
        note = f"{note}: {document.error}"
    navigation.draw_link_with_note("scope", quote.name, note, icon=f":material/{icon}:", id=scope_id)


def _draw_read_before(quote: DroppedQuote, earlier: Scope) -> None:
    when = format_local_time(earlier.created_on, get_reader_zone())
    document = earlier.document_processing
    name = document.filename if document else quote.name
    with _draw_row("content_copy", "orange", quote, f"the same file was read on {when}"):
        navigation.draw_link(
            "scope", f"Open {escape_markdown(name)}", icon=":material/open_in_new:", id=earlier.id
        )
        st.button(
            "Read it again",
            key=f"again-{quote.file.file_id}",
            icon=":material/refresh:",
            on_click=quote.send_anyway,
            help="Makes a second quote from this file",
        )


def _draw_refused(quote: DroppedQuote) -> None:
    with _draw_row("error", "red", quote, quote.refusal or "not sent yet"):
        if quote.can_retry:
            st.button(
                "Try again",
                key=f"again-{quote.file.file_id}",
                icon=":material/refresh:",
                on_click=quote.send_anyway,
            )


def _draw_row(icon: str, colour: Colour, quote: DroppedQuote, note: str) -> DeltaGenerator:
    """Draw a quote that has no scope, and return the row for what can be done about it."""
    row = st.container(horizontal=True, vertical_alignment="center", gap="xsmall")
    row.markdown(f":{colour}[:material/{icon}:] :small[{escape_markdown(quote.name)}]", width="content")
    row.caption(escape_markdown(note), width="content")
    return row
