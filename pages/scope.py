"""One scope: what is bought, how its document was read, its versions, and the next steps."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from app.client import NotFound
from app.contract.scope import Scope
from app.contract.scope_list import ListedScope
from app.dashboard import navigation, recently_opened
from app.dashboard.api import extension_queries, queries
from app.dashboard.comments.comment_tabs import list_comment_tabs
from app.dashboard.comments.owner_popover import draw_owners
from app.dashboard.failure_panel import failure_panel
from app.dashboard.record_page import draw_record_page
from app.dashboard.sample_data import draw_sample_notice
from app.dashboard.scopes.agreement_button import can_put_on_record, draw_agreement_button
from app.dashboard.scopes.document_following import follow_document
from app.dashboard.scopes.document_view import draw_document, has_readable_document
from app.dashboard.scopes.scope_changes import draw_changes
from app.dashboard.scopes.scope_currency import find_scope_currency
from app.dashboard.scopes.unestimated_lines import find_unestimated_lines
from app.dashboard.signing_in import identity
from components.documents.document_progress import draw_document_progress, is_finished
from components.documents.unestimated_lines import draw_unestimated_lines
from components.elements.empty_state import draw_empty_state
from components.elements.identifier import draw_identifier
from components.elements.page_header import Colour, draw_page_header
from components.elements.tabs import draw_tabs, open_tab
from components.formatting.datetimes import draw_timestamp
from components.scopes.scope_card import OptionLabels, draw_scope_card, get_option_labels, make_scope_title
from components.scopes.scope_status import label_scope_status
from components.scopes.scope_versions import draw_scope_versions

BOUGHT, DOCUMENT, CHANGES = "Purchase", "Document", "Changes"

deployment = identity.require_deployment()


def waits_for_review(scope: Scope) -> bool:
    """Return whether its document was read and nobody confirmed it."""
    return has_readable_document(deployment, scope) and scope.next_scope_id is None


def get_tab_key(scope: Scope) -> str:
    """Return the key of the tabs, which is another one where another tab is open at first."""
    return "review-tab" if waits_for_review(scope) else "scope-tab"


def is_unreadable(scope: Scope) -> bool:
    return scope.document_processing is not None and scope.document_processing.status == "failed"


def draw_actions(scope: Scope) -> None:
    """Draw the next steps that the deployment offers; a review that waits comes before them."""
    can_negotiate = queries.has_operation(deployment, "POST /v1/negotiation/start")
    can_create = queries.has_operation(deployment, "POST /v1/scope")
    with st.container(horizontal=True, vertical_alignment="center"):
        if scope.product_terms and st.button(
            "Estimate the price",
            type="secondary" if waits_for_review(scope) else "primary",
            icon=":material/bar_chart:",
            key="estimate",
        ):
            navigation.open_page("estimates", ids=scope.id)
        if (
            is_unreadable(scope)
            and queries.has_operation(deployment, "POST /v1/scope/from-document")
            and st.button("Upload another file", type="primary", icon=":material/upload_file:", key="another")
        ):
            navigation.open_page("scopes", **{"scopes-tab": "From a quote"})
        if can_negotiate and st.button("Start a negotiation", icon=":material/handshake:", key="negotiate"):
            navigation.open_page("negotiations", scope=scope.id)
        if can_put_on_record(deployment, scope):
            draw_agreement_button(deployment, scope, "Save contract")
        if can_create and st.button(
            "Describe the purchase in a form" if is_unreadable(scope) else "Create a follow-up",
            icon=":material/edit_note:",
            key="follow-up",
            help="A new version, linked to this one",
        ):
            navigation.open_page("scopes", follows=scope.id)


def draw_version_links(scope: Scope) -> None:
    earlier, later = scope.previous_scope_id, scope.next_scope_id
    if earlier or later:
        with st.container(horizontal=True):
            if earlier:
                navigation.draw_link("scope", "Earlier version", icon=":material/arrow_back:", id=earlier)
            if later:
                navigation.draw_link("scope", "Later version", icon=":material/arrow_forward:", id=later)


def load_option_labels(scope: Scope) -> OptionLabels:
    """Return what the chosen options are called, from the catalog: a scope has their values only."""
    labels: list[Mapping[str, str]] = []
    for term in scope.product_terms:
        try:
            labels.append(get_option_labels(term, queries.load_product(deployment, term.product_id)))
        except NotFound:
            labels.append({})
    return labels


def draw_bought_tab(scope: Scope) -> None:
    if scope.scope_terms or scope.product_terms:
        currency = find_scope_currency(deployment, scope.id)
        draw_scope_card(scope, currency, option_labels=load_option_labels(scope))
        draw_lines_without_estimate(scope)
    if scope.product_terms:
        return
    if has_readable_document(deployment, scope):
        draw_empty_state(
            "No products matched yet",
            "The lines of this quote have been read. Match them to products, or add them to the catalog in "
            "one step, to estimate their price.",
            icon="search_off",
            action="Review the lines",
            on_action=partial(open_tab, DOCUMENT, key=get_tab_key(scope)),
            key="to-review",
        )
    elif not queries.has_operation(deployment, "POST /v1/scope"):
        draw_empty_state(
            "No products in this quote", "Without products there is no price to estimate.", icon="search_off"
        )
    elif draw_empty_state(
        "No products in this quote",
        "Without products there is no price to estimate. Describe the purchase in a form.",
        icon="search_off",
        action="Describe the purchase",
        key="to-form",
    ):
        navigation.open_page("scopes", follows=scope.id)


def draw_lines_without_estimate(scope: Scope) -> None:
    """Draw the lines of the scope's quote that are in its total and in no estimate."""
    if not queries.has_operation(deployment, "GET /v1/scope/{}/document"):
        return
    try:
        reading = extension_queries.load_document_reading(deployment, scope.id)
    except NotFound:
        return
    draw_unestimated_lines(find_unestimated_lines(reading), reading.currency or "")


def draw_changes_tab(scope: Scope, previous_id: str) -> None:
    with failure_panel("The earlier version"):
        draw_scope_versions(
            queries.load_scope(deployment, previous_id),
            scope,
            find_scope_currency(deployment, scope.id),
            key="versions",
        )


def draw_scope(scope: Scope) -> None:
    recently_opened.remember(deployment, "scope", scope.id)
    source = "from a document" if scope.source == "document" else "by hand"
    badges: list[tuple[str, Colour]] = [(source, "gray")]
    if status := label_scope_status(scope):
        badges.insert(0, status)
    if scope.next_scope_id:
        badges.append(("replaced by a later version", "orange"))
    supplier = scope.supplier if isinstance(scope, ListedScope) else None
    draw_page_header(make_scope_title(scope), caption=supplier.name if supplier else None, badges=badges)
    if isinstance(scope, ListedScope):
        draw_changes(deployment, scope)
        draw_owners(deployment, "scope", scope.id, scope.owners)
    draw_sample_notice(deployment, [scope.id])
    document = scope.document_processing
    tabs: dict[str, Callable[[], None]] = {}
    if is_finished(document):
        if document and is_unreadable(scope):
            draw_document_progress(document, datetime.now(UTC))
        draw_actions(scope)
        draw_version_links(scope)
        if not is_unreadable(scope):
            tabs[BOUGHT] = partial(draw_bought_tab, scope)
        if has_readable_document(deployment, scope):
            tabs[DOCUMENT] = partial(draw_document, deployment, scope)
        if scope.previous_scope_id:
            tabs[CHANGES] = partial(draw_changes_tab, scope, scope.previous_scope_id)
    else:
        follow_document(deployment, scope.id)
    tabs |= list_comment_tabs(deployment, "scope", scope.id)
    if tabs:
        draw_tabs(tabs, key=get_tab_key(scope), default=DOCUMENT if waits_for_review(scope) else None)
    with st.container(horizontal=True, vertical_alignment="center", gap="large"):
        draw_identifier("Quote", scope.id)
        draw_timestamp("Created", scope.created_on)


draw_record_page(
    "quote",
    icon="description",
    list_page="scopes",
    load=partial(queries.load_scope, deployment),
    draw=draw_scope,
)
