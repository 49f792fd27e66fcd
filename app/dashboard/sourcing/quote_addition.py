"""The quotes of a requirement, and ways to add one: from a file, from a scope, or by hand."""

from datetime import UTC, datetime

import streamlit as st

from app.client import ScopedClient
from app.contract.sourcing import MAX_QUOTES, NewSourcingQuote, Requirement, SourcingQuote
from app.dashboard import navigation
from app.dashboard.api import queries, sourcing_queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.form import form_button
from app.dashboard.scopes.scope_choice import find_scopes, name_scope
from app.dashboard.session_values import form_faults
from app.dashboard.sourcing.quote_correction import draw_quote_correction
from app.dashboard.sourcing.quote_files import draw_quote_files, follow_reading
from app.dashboard.sourcing.quote_validation import validate_quote
from components.elements.empty_state import draw_empty_state
from components.elements.form_fields import forget_fields
from components.elements.search_choice import FoundOptions, draw_search_choice
from components.sourcing.quote_form import FIELDS, draw_quote_form, read_quote_form
from components.sourcing.quote_list import draw_quote_list

SCOPE = "scope"
"""The scope whose quote is to be added, in the address."""


def draw_quotes(deployment: Deployment, requirement: Requirement) -> None:
    """Draw the quotes and the ways to add one. Needs `GET /v1/requirements/{}/quotes`."""
    quotes = sourcing_queries.load_quotes(deployment, requirement.id)
    can_add = queries.has_operation(deployment, "POST /v1/requirements/{}/quotes")
    if quotes:
        draw_quote_list(quotes, datetime.now(UTC).date(), key="quotes")
        draw_quote_correction(deployment, requirement, quotes)
    else:
        draw_empty_state(
            "No quotes yet",
            "Drop one, take one that was read, or enter it by hand." if can_add else "Nobody has added one.",
            icon="request_quote",
        )
    follow_reading(deployment, requirement.id)
    if not can_add:
        return
    if len(quotes) >= MAX_QUOTES:
        st.caption(f"A requirement has {MAX_QUOTES} quotes at most.")
        return
    st.subheader("Drop suppliers' quotes", anchor=False)
    draw_quote_files(deployment, requirement)
    st.subheader("Take a quote that was read", anchor=False)
    with failure_panel("The quotes to choose from"):
        _draw_addition_from_scope(deployment, requirement, {one.scope_id for one in quotes if one.scope_id})
    st.subheader("Enter a quote by hand", anchor=False)
    _draw_addition_by_hand(deployment, requirement)


def _draw_addition_from_scope(deployment: Deployment, requirement: Requirement, taken: set[str]) -> None:
    def find(text: str) -> FoundOptions:
        return find_scopes(deployment, text, priced_only=False)

    def choose(scope_id: str) -> None:
        st.query_params[SCOPE] = scope_id

    def forget(_: SourcingQuote) -> None:
        st.query_params.pop(SCOPE, None)

    draw_search_choice(find, "scope", taken, key="quote-scope", on_choose=choose)
    scope_id = st.query_params.get(SCOPE)
    if not scope_id or scope_id in taken:
        return
    scope = queries.load_scope(deployment, scope_id)
    navigation.draw_link_with_note(
        "scope",
        name_scope(scope),
        "its confirmed lines are added",
        icon=":material/description:",
        id=scope_id,
    )
    body = NewSourcingQuote(scope_id=scope_id)
    write_button(
        deployment,
        "Add its quote",
        name=f"quote-of-{scope_id}",
        what="Adding the quote",
        write=lambda client, key: client.requirements.add_quote(requirement.id, body, idempotency_key=key),
        on_success=forget,
        icon=":material/add:",
        type="primary",
    )


def _draw_addition_by_hand(deployment: Deployment, requirement: Requirement) -> None:
    # A new form behind each quote, so that it begins empty.
    form = f"quote-{requirement.id}-{requirement.quote_count}"
    lines = requirement.lines

    def send(client: ScopedClient, body: NewSourcingQuote, key: str) -> SourcingQuote:
        return client.requirements.add_quote(requirement.id, body, idempotency_key=key)

    def finish(_: SourcingQuote) -> None:
        forget_fields(form, FIELDS)

    faults = form_faults(form).get()
    draw_quote_form(lines, requirement.currency, key=form, faults=faults)
    if faults.get(""):
        st.caption(faults[""])
    form_button(
        deployment,
        "Add the quote",
        form=form,
        check=lambda: validate_quote(*read_quote_form(lines, key=form), lines),
        send=send,
        what="Adding the quote",
        on_success=finish,
        icon=":material/add:",
    )
