"""One scope: what is bought, how its document was read, its versions, and what to do with it."""

from collections.abc import Mapping
from datetime import UTC, datetime

import streamlit as st

from app.client import NotFound
from app.contract.scope import DocumentReading, Scope
from app.dashboard import navigation, recently_opened
from app.dashboard.api import extension_queries, queries
from app.dashboard.failure_panel import failure_panel
from app.dashboard.scopes.document_review import draw_document_review
from app.dashboard.signing_in import identity
from components.documents.document_progress import draw_document_progress, is_finished
from components.documents.document_review import (
    choose_value,
    draw_document_page,
    draw_reading,
    has_pages,
)
from components.documents.unestimated_lines import draw_unestimated_lines, find_unestimated_lines
from components.elements.empty_state import draw_empty_state
from components.elements.identifier import draw_identifier
from components.elements.page_header import Colour, draw_page_header
from components.formatting.datetimes import draw_timestamp
from components.formatting.escape_markdown import escape_markdown
from components.scopes.scope_card import OptionLabels, draw_scope_card, get_option_labels, make_scope_title
from components.scopes.scope_versions import draw_scope_versions

POLL_SECONDS = 1.0
SUPPLIERS_TRIED = 5
BOUGHT, DOCUMENT, CHANGES = "What is bought", "The document", "Changes"

deployment = identity.require_deployment()


def marks(scope: Scope) -> list[tuple[str, Colour]]:
    found: list[tuple[str, Colour]] = [
        ("from a document" if scope.source == "document" else "by hand", "gray")
    ]
    if scope.next_scope_id:
        found.append(("replaced by a later version", "orange"))
    return found


def offers(operation: str) -> bool:
    return queries.has_operation(deployment, operation)


@st.fragment(run_every=POLL_SECONDS)
def follow_reading(scope_id: str) -> None:
    """Show how far the reading is; once it is over the whole page is drawn again."""
    with failure_panel("Following the document"):
        queries.load_scope.clear()
        scope = queries.load_scope(deployment, scope_id)
        if scope.document_processing:
            draw_document_progress(scope.document_processing, datetime.now(UTC))
        if not is_finished(scope.document_processing):
            return
    if is_finished(queries.load_scope(deployment, scope_id).document_processing):
        st.rerun()


def actions(scope: Scope) -> None:
    """What can be done next, as far as the deployment goes along."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if (
            scope.product_terms
            and navigation.has_page("estimates")
            and st.button("What should it cost?", type="primary", icon=":material/bar_chart:", key="estimate")
        ):
            navigation.open_page("estimates", ids=scope.id)
        can_negotiate = offers("POST /v1/negotiation/start") and navigation.has_page("negotiations")
        if can_negotiate and st.button("Start a negotiation", icon=":material/handshake:", key="negotiate"):
            navigation.open_page("negotiations", scope=scope.id)
        if offers("POST /v1/scope") and st.button(
            "Make a follow-up",
            icon=":material/edit_note:",
            key="follow-up",
            help="A new version, linked to this",
        ):
            navigation.open_page("scopes", follows=scope.id)


def links(scope: Scope) -> None:
    if scope.previous_scope_id or scope.next_scope_id:
        with st.container(horizontal=True):
            if scope.previous_scope_id:
                navigation.draw_link(
                    "scope", "Earlier version", icon=":material/arrow_back:", id=scope.previous_scope_id
                )
            if scope.next_scope_id:
                navigation.draw_link(
                    "scope", "Later version", icon=":material/arrow_forward:", id=scope.next_scope_id
                )


def document_tab(scope: Scope) -> None:
    with failure_panel("The reading of the document"):
        reading = extension_queries.load_document_reading(deployment, scope.id)
        st.caption(
            f"{escape_markdown(reading.filename)}, read as {escape_markdown(reading.kind.replace('_', ' '))}"
        )
        pictured = has_pages(reading) and offers("GET /v1/scope/{}/document/pages/{}")
        with st.grid(2 if pictured else 1, min_column_width=430, gap="medium"):
            if pictured:
                with st.container(), failure_panel("The picture of the page"):
                    page_picture(scope, reading)
            with st.container():
                if not pictured:
                    st.caption("This format has no pages to show.")
                if offers("POST /v1/scope"):
                    draw_document_review(deployment, scope, reading)
                else:
                    draw_reading(reading, key="reading")


def page_picture(scope: Scope, reading: DocumentReading) -> None:
    """The page with its boxes: all of them, or the one that is asked for, on the page where it stands."""
    shown = choose_value(reading, key="shown")
    several = len(reading.pages) > 1 and shown is None
    number = st.pagination(len(reading.pages), key="sheet", bind="query-params") if several else 1
    number = shown.page or 1 if shown else number
    page = reading.pages[min(number, len(reading.pages)) - 1]
    picture = extension_queries.load_document_page(deployment, scope.id, page.number)
    draw_document_page(picture, page, reading, shown)


def option_names(scope: Scope) -> OptionLabels:
    """What the chosen options are called: a scope has their values alone."""
    names: list[Mapping[str, str]] = []
    for term in scope.product_terms:
        try:
            names.append(get_option_labels(term, queries.load_product(deployment, term.product_id)))
        except NotFound:
            names.append({})
    return names


def changes_tab(scope: Scope) -> None:
    with failure_panel("The earlier version"):
        before = queries.load_scope(deployment, scope.previous_scope_id or "")
        draw_scope_versions(before, scope, key="versions")


def draw(scope: Scope) -> None:
    recently_opened.remember(deployment, "scope", scope.id)
    draw_page_header(make_scope_title(scope), badges=marks(scope))
    document = scope.document_processing
    if not is_finished(document):
        follow_reading(scope.id)
    elif document and document.status == "failed":
        draw_document_progress(document, datetime.now(UTC))
    if is_finished(document):
        settled(scope)
    with st.container(horizontal=True, vertical_alignment="center", gap="large"):
        draw_identifier("Scope", scope.id)
        draw_timestamp("Created", scope.created_on)


def settled(scope: Scope) -> None:
    """A scope that will not change by itself any more."""
    actions(scope)
    links(scope)
    tabs = [BOUGHT]
    if is_read(scope):
        tabs.append(DOCUMENT)
    if scope.previous_scope_id:
        tabs.append(CHANGES)
    bodies = {BOUGHT: bought_tab, DOCUMENT: document_tab, CHANGES: changes_tab}
    for tab, name in zip(st.tabs(tabs, key="tab", bind="query-params"), tabs, strict=True):
        with tab:
            if tab.open:
                bodies[name](scope)


def bought_tab(scope: Scope) -> None:
    if scope.scope_terms or scope.product_terms:
        draw_scope_card(scope, option_labels=option_names(scope))
        quote_left_aside(scope)
    if scope.product_terms:
        return
    if is_read(scope):
        draw_empty_state(
            "No product of this quote is known yet",
            "Its lines are read. Say which products they are, or add them to the catalog in one step: then "
            "there is something to estimate.",
            icon="search_off",
            action="Review its lines",
            on_action=turn_to_document,
            key="to-review",
        )
    elif draw_empty_state(
        "No products in this scope",
        "There is no price to expect. Describe the purchase by form.",
        icon="search_off",
        action="Describe it by form",
        key="to-form",
    ):
        navigation.open_page("scopes", follows=scope.id)


def turn_to_document() -> None:
    """Called before the next run: an address cannot be left for itself."""
    st.session_state["tab"] = DOCUMENT


def is_read(scope: Scope) -> bool:
    """Whether there is a document whose lines can be reviewed."""
    document = scope.document_processing
    return bool(document and document.status == "completed" and offers("GET /v1/scope/{}/document"))


def quote_left_aside(scope: Scope) -> None:
    """What of the quote behind this scope its products do not cover, beside the total."""
    if not offers("POST /v1/scope/{}/document/confirm"):
        return
    try:
        reading = extension_queries.load_document_reading(deployment, scope.id)
    except NotFound:
        return
    draw_unestimated_lines(find_unestimated_lines(reading))


asked = navigation.requested_id()
if asked is None:
    draw_page_header("Scope")
    if draw_empty_state(
        "Which scope?",
        "The address names none.",
        icon="description",
        action="Open the scopes",
        key="to-scopes",
    ):
        navigation.open_page("scopes")
else:
    with failure_panel("This scope"):
        draw(queries.load_scope(deployment, asked))
