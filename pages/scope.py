"""One scope: what is bought, how its document was read, its versions, and the next steps."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.client import NotFound
from app.contract.scope import DocumentReading, Scope
from app.contract.scope_list import ListedScope
from app.dashboard import navigation, recently_opened
from app.dashboard.api import queries
from app.dashboard.comments import HISTORY, draw_owners, list_comment_tabs
from app.dashboard.estimates.answer import draw_answer, draw_negotiation_button
from app.dashboard.estimates.estimate_evidence import draw_downloads, draw_evidence
from app.dashboard.estimates.scope_estimates import load_estimate
from app.dashboard.kit.needs import Tab, draw_offered_tabs, draw_page_button
from app.dashboard.kit.record_page import draw_record_page
from app.dashboard.sample_data import draw_sample_notice
from app.dashboard.scopes.document_review import draw_beside_document, draw_document
from app.dashboard.scopes.dropped_quotes import follow_document
from app.dashboard.scopes.review_validation import find_unestimated_lines
from app.dashboard.scopes.scope_creation import find_scope_currency
from app.dashboard.scopes.scope_listing import (
    can_put_on_record,
    describe_confirmation,
    draw_agreement_button,
    draw_changes,
    draw_outcome,
)
from app.dashboard.signing_in import identity
from components.documents.document_review import draw_document_progress, is_finished
from components.documents.review_form import draw_unestimated_lines
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import Colour, draw_page_header
from components.estimates.verdict import draw_estimate_refusal
from components.scopes import (
    OptionLabels,
    draw_scope_card,
    draw_scope_versions,
    get_option_labels,
    label_scope_status,
    make_scope_title,
)

BOUGHT, EVIDENCE, CHANGES = "Purchase", "Evidence", "Changes"

deployment = identity.require_deployment()


def has_answer(scope: Scope) -> bool:
    """Whether the page has the verdict on the scope, with the way to negotiate."""
    return bool(scope.product_terms) and scope.next_scope_id is None


def is_unreadable(scope: Scope) -> bool:
    return scope.document_processing is not None and scope.document_processing.status == "failed"


def draw_actions(scope: Scope, *, may_start: bool) -> None:
    """Draw what can be done with the scope on other pages, as far as the deployment offers it; with
    `may_start` a negotiation."""
    draw_button = partial(draw_page_button, deployment)
    if scope.product_terms:
        why = "Beside the estimates of other quotes"
        draw_button("Compare", "estimates", icon="bar_chart", key="compare", help=why, ids=scope.id)
    if is_unreadable(scope):
        draw_button(
            "Upload another file",
            "scopes",
            icon="upload_file",
            key="another",
            needs="POST /v1/scope/from-document",
            type="primary",
        )
    if may_start:
        draw_negotiation_button(deployment, scope)
    if can_put_on_record(deployment, scope):
        draw_agreement_button(deployment, scope, "Save contract", name="agreement-of")
    if scope.next_scope_id is None:
        draw_button(
            "Describe the purchase in a form" if is_unreadable(scope) else "Create a follow-up",
            "scopes",
            icon="edit_note",
            key="follow-up",
            needs="POST /v1/scope",
            help="A new version, linked to this one",
            follows=scope.id,
        )


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
    """Draw the answer, and what it is about beside the document; or the review of the document."""
    document = scope.document_processing
    can_review = queries.has_operation(deployment, "GET /v1/scope/{}/document")
    if document is not None and document.status == "completed" and can_review:
        draw_document(deployment, scope)
        return
    reading = queries.find_document_reading(deployment, scope.id)
    draw_beside_document(deployment, scope, reading, partial(draw_purchase, scope, reading))


def draw_purchase(scope: Scope, reading: DocumentReading | None, below: DeltaGenerator) -> None:
    if has_answer(scope):
        draw_answer(deployment, scope)
    else:
        below = st.container()
    with below:
        if scope.scope_terms or scope.product_terms:
            currency = find_scope_currency(deployment, scope.id)
            draw_scope_card(scope, currency, option_labels=load_option_labels(scope))
        if reading is not None:
            draw_unestimated_lines(find_unestimated_lines(reading), reading.currency or "")
    if scope.product_terms:
        return
    can_create = queries.has_operation(deployment, "POST /v1/scope")
    if draw_empty_state(
        "No products in this quote",
        "Without products there is no price to estimate."
        + (" Describe the purchase in a form." if can_create else ""),
        "search_off",
        action="Describe the purchase" if can_create else None,
        key="to-form",
    ):
        navigation.open_page("scopes", follows=scope.id)


def draw_evidence_tab(scope: Scope) -> None:
    estimate = load_estimate(deployment, scope.id)
    if isinstance(estimate, str):
        draw_estimate_refusal(estimate)
    else:
        draw_evidence(deployment, scope, estimate, key="evidence-tab")
        draw_downloads(deployment, [(scope, estimate)])


def draw_origin(scope: Scope) -> None:
    """Draw the way to the history of the version that this one follows, and who made this one of it."""
    if earlier := scope.previous_scope_id:
        navigation.draw_link_with_note(
            "scope",
            "History of the earlier version",
            describe_confirmation(deployment, earlier),
            icon="history",
            id=earlier,
            **{"scope-tab": HISTORY},
        )


def draw_changes_tab(scope: Scope, previous_id: str) -> None:
    previous = queries.load_scope(deployment, previous_id)
    draw_scope_versions(previous, scope, find_scope_currency(deployment, scope.id), key="versions")


def draw_scope(scope: Scope) -> None:
    recently_opened.remember(deployment, "scope", scope.id)
    has_document = scope.source == "document" or bool(queries.find_document_reading(deployment, scope.id))
    badges: list[tuple[str, Colour]] = [("from a document" if has_document else "by hand", "gray")]
    if status := label_scope_status(scope):
        badges.insert(0, status)
    elif scope.next_scope_id:
        badges.append(("replaced by a later version", "orange"))
    supplier = scope.supplier if isinstance(scope, ListedScope) else None
    title = make_scope_title(scope)
    caption = supplier.name if supplier and supplier.name not in title else None
    draw_page_header(title, caption=caption, badges=badges)
    document = scope.document_processing
    is_made = not has_answer(scope) and draw_outcome(deployment, scope)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if document is None or is_finished(document):
            draw_actions(scope, may_start=not (has_answer(scope) or is_made or is_unreadable(scope)))
            if earlier := scope.previous_scope_id:
                navigation.draw_link("scope", "Earlier version", icon="arrow_back", id=earlier)
        if isinstance(scope, ListedScope) and scope.requirement_id:
            navigation.draw_link("requirement", "Comparison", icon="view_column", id=scope.requirement_id)
        if isinstance(scope, ListedScope):
            draw_changes(deployment, scope)
            draw_owners(deployment, "scope", scope.id, scope.owners)
    draw_sample_notice(deployment, [scope.id])
    # The first tab is there from the beginning, so that it stays the open one when the document was read.
    bought, tabs = partial(draw_bought_tab, scope), dict[str, Tab]()
    if document is not None and not is_finished(document):
        bought = partial(follow_document, deployment, scope.id)
    else:
        if document is not None and is_unreadable(scope):
            bought = partial(draw_document_progress, document, datetime.now(UTC))
        if scope.product_terms:
            tabs[EVIDENCE] = Tab(partial(draw_evidence_tab, scope), what="The evidence")
        if scope.previous_scope_id:
            changes = partial(draw_changes_tab, scope, scope.previous_scope_id)
            tabs[CHANGES] = Tab(changes, what="The earlier version")
    spoken = list_comment_tabs(deployment, "scope", scope.id, partial(draw_origin, scope))
    tabs = {BOUGHT: Tab(bought), **tabs, **spoken}
    draw_offered_tabs(deployment, tabs, key="scope-tab")


draw_record_page(
    "quote",
    icon="description",
    list_page="scopes",
    load=partial(queries.load_scope, deployment),
    draw=draw_scope,
    moment=lambda scope: ("Created", scope.created_on),
)
