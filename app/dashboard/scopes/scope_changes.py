"""What a person changes of a scope: its name, its place in lists, and the contract that it becomes."""

import streamlit as st

from app.client import NotFound
from app.contract.scope import Scope
from app.contract.scope_list import ListedScope, ScopeChange
from app.dashboard import navigation
from app.dashboard.api import extension_queries, queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import Form
from components.elements.form_fields import Field
from components.formatting.datetimes import format_local_time, get_reader_zone


def can_put_on_record(deployment: Deployment, scope: Scope) -> bool:
    """Return whether the scope is of a document that somebody confirmed, and can be an agreement."""
    if (
        not scope.product_terms
        or scope.source == "document"
        or not queries.has_operation(deployment, "GET /v1/scope/{}/document")
        or not queries.has_operation(deployment, "POST /v1/agreements/from-document")
    ):
        return False
    try:
        extension_queries.load_document_reading(deployment, scope.id)
    except NotFound:
        return False
    return True


def draw_agreement_button(
    deployment: Deployment, scope: Scope, label: str, *, name: str, is_next_step: bool = False
) -> None:
    """Draw the button, which opens the agreement. `name` is its own where a page has several."""
    write_button(
        deployment,
        label,
        name=f"{name}-{scope.id}",
        what="Saving the contract",
        write=lambda client, key: client.agreements.from_document(scope.id, idempotency_key=key),
        on_success=lambda made: navigation.open_page("agreement", id=made.id),
        icon=":material/contract:",
        type="primary" if is_next_step else "secondary",
        help="Saves it as a contract with its dates, so that no deadline is missed",
    )


def draw_changes(deployment: Deployment, scope: ListedScope) -> None:
    """Draw the buttons that rename and archive the scope."""
    if not queries.has_operation(deployment, "PATCH /v1/scope/{}"):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
        if not deployment.read_only:
            _draw_name_form(deployment, scope)
        if scope.archived_at is None:
            _draw_archive_button(deployment, scope, archived=True)
    if scope.archived_at is not None:
        since = format_local_time(scope.archived_at, get_reader_zone())
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(
                f":material/archive: **Archived** since {since}. It is left out of lists and choices, and "
                "nothing of it waits for you."
            )
            _draw_archive_button(deployment, scope, archived=False)


def _draw_name_form(deployment: Deployment, scope: ListedScope) -> None:
    form = Form(
        deployment,
        f"rename-{scope.id}",
        ScopeChange,
        (
            Field(
                "name",
                "Name of this quote",
                help="Without a name the quote is called after its supplier and products.",
            ),
        ),
        record={"name": scope.name},
        changes="quote",
    )
    with form.draw_popover("Rename", icon=":material/edit:"):
        form.draw()
        form.draw_button(
            "Save name",
            send=lambda client, change, _: client.scopes.update(
                scope.id, name=change.name, without_name=change.name is None
            ),
            what="Renaming the quote",
        )


def _draw_archive_button(deployment: Deployment, scope: ListedScope, *, archived: bool) -> None:
    write_button(
        deployment,
        "Archive" if archived else "Restore",
        name=f"{'archive' if archived else 'restore'}-{scope.id}",
        what="Archiving the quote" if archived else "Restoring the quote",
        write=lambda client, _: client.scopes.update(scope.id, archived=archived),
        icon=":material/archive:" if archived else ":material/unarchive:",
        type="tertiary" if archived else "secondary",
        help="Leaves it out of lists and choices. Nothing is deleted or stopped, and it can be restored."
        if archived
        else None,
    )
