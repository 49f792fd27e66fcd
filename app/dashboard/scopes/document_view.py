"""The document of a scope: its pages as pictures, and beside them what was read, to be reviewed."""

from collections.abc import Callable
from contextlib import suppress

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.client import NotFound
from app.contract.scope import DocumentReading, Scope
from app.dashboard.api import extension_queries, queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.scopes.document_review import draw_document_review, draw_duplicates
from app.dashboard.scopes.dropped_quotes import draw_quotes_in_file
from components.documents.document_review import (
    choose_value,
    describe_document,
    draw_document_page,
    draw_reading,
    draw_second_opinion,
    has_pages,
)
from components.formatting.texts import escape_markdown


def has_readable_document(deployment: Deployment, scope: Scope) -> bool:
    """Return whether the scope has a document that was read, whose lines can be reviewed."""
    document = scope.document_processing
    return (
        document is not None
        and document.status == "completed"
        and queries.has_operation(deployment, "GET /v1/scope/{}/document")
    )


def find_reading(deployment: Deployment, scope: Scope) -> DocumentReading | None:
    """Find what was read from the document of the scope, or of the one that it follows."""
    if not queries.has_operation(deployment, "GET /v1/scope/{}/document"):
        return None
    with suppress(NotFound):
        return extension_queries.load_document_reading(deployment, scope.id)
    return None


def draw_beside_document(
    deployment: Deployment,
    scope: Scope,
    reading: DocumentReading | None,
    draw: Callable[[DeltaGenerator], None],
) -> None:
    """Draw with `draw`, and beside it the pages of the document where it has any. `draw` is given the place
    below both, for what needs the width of the page."""
    draws_pages = (
        reading is not None
        and has_pages(reading)
        and queries.has_operation(deployment, "GET /v1/scope/{}/document/pages/{}")
    )
    # The pages come second: in a narrow window they move under the answer.
    with st.grid(2 if draws_pages else 1, min_column_width=430, gap="medium"):
        beside = st.container()
        if reading is not None and draws_pages:
            with st.container(), failure_panel("The picture of the page"):
                _draw_page(deployment, scope, reading)
    below = st.container()
    with beside:
        draw(below)


def draw_document(deployment: Deployment, scope: Scope) -> None:
    """Draw the answer and the review of the document, beside its pages."""
    with failure_panel("The document"):
        reading = extension_queries.load_document_reading(deployment, scope.id)
        if not has_pages(reading):
            st.caption(escape_markdown(f"{describe_document(reading)}. This format has no pages to show."))
        draw_quotes_in_file(reading)
        draw_duplicates(deployment, reading)
        if reading.second_opinion is not None:
            draw_second_opinion(reading.second_opinion)

        def draw(below: DeltaGenerator) -> None:
            if queries.has_operation(deployment, "POST /v1/scope"):
                draw_document_review(deployment, scope, reading, below)
            else:
                draw_reading(reading, key="reading")

        draw_beside_document(deployment, scope, reading, draw)


def _draw_page(deployment: Deployment, scope: Scope, reading: DocumentReading) -> None:
    """Draw a page with a box around each value, or around the chosen value alone, on the page that has it."""
    chosen = choose_value(reading, key="shown")
    has_choice = len(reading.pages) > 1 and chosen is None
    order = st.pagination(len(reading.pages), key="sheet", bind="query-params") if has_choice else 1
    page = reading.pages[min(order, len(reading.pages)) - 1]
    if chosen:
        page = next((one for one in reading.pages if one.number == chosen.page), page)
    picture = extension_queries.load_document_page(deployment, scope.id, page.number)
    draw_document_page(picture, page, reading, chosen)
