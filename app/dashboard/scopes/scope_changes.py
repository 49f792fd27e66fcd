"""What a person changes of a scope: its name, and whether it is archived."""

import streamlit as st
from pydantic import ValidationError

from app.client import ScopedClient
from app.contract.scope_list import MAX_SCOPE_NAME, ListedScope, ScopeChange
from app.contract.validation_messages import describe_fault
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.form_popover import close_form, form_popover
from app.dashboard.kit.form import CheckedForm, form_button
from app.dashboard.record_change import begin_change
from app.dashboard.session_values import form_faults
from components.elements.form_fields import draw_fault, get_text, read_fields, set_default
from components.formatting.datetimes import format_local_time, get_reader_zone


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
        _draw_archived_notice(deployment, scope)


def _draw_name_form(deployment: Deployment, scope: ListedScope) -> None:
    form = f"rename-{scope.id}"

    def check() -> CheckedForm[ScopeChange]:
        name = get_text(read_fields(form, ["name"]), "name")
        try:
            return CheckedForm(ScopeChange(name=name or None), {})
        except ValidationError as error:
            return CheckedForm(None, {"name": f"The name {describe_fault(error.errors()[0])}."})

    def send(client: ScopedClient, change: ScopeChange, _: str) -> ListedScope:
        return client.scopes.update(scope.id, name=change.name, without_name=change.name is None)

    with form_popover("Rename", form=form, icon=":material/edit:"):
        begun = begin_change(form, scope, values_of=lambda one: {"name": one.name}, what="quote")
        set_default(f"{form}/name", begun.name)
        st.text_input(
            "Name of this quote",
            key=f"{form}/name",
            persist_state="page",
            max_chars=MAX_SCOPE_NAME,
            help="Without a name the quote is called after its supplier and products.",
        )
        draw_fault(form_faults(form).get().get("name"))
        form_button(
            deployment,
            "Save name",
            form=form,
            check=check,
            send=send,
            what="Renaming the quote",
            on_success=lambda _: close_form(form, ["name"]),
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


def _draw_archived_notice(deployment: Deployment, scope: ListedScope) -> None:
    since = format_local_time(scope.archived_at, get_reader_zone())
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(
            f":material/archive: **Archived** since {since}. It is left out of lists and choices, and "
            "nothing of it waits for you."
        )
        _draw_archive_button(deployment, scope, archived=False)
