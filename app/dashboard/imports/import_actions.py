"""What can be done with an import: check it again with other columns, confirm, cancel or undo it."""

from collections.abc import Callable
from contextlib import suppress

import streamlit as st

from app.client import ApiError, ScopedClient
from app.contract.imports import Import, NewImport
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from components.formatting.counts import format_count
from components.imports.column_choice import ColumnChoice

CONFIRM_OPERATION, WITHDRAW_OPERATION = "POST /v1/imports/{}/confirm", "DELETE /v1/imports/{}"


def draw_confirmation(deployment: Deployment, one: Import, *, on_discarded: Callable[[], None]) -> None:
    """Draw the buttons for a file that is checked."""
    new = (one.preview.new if one.preview else None) or 0

    def confirm(client: ScopedClient, idempotency_key: str) -> object:
        return client.imports.confirm(one.id, idempotency_key=idempotency_key)

    with st.container(horizontal=True, vertical_alignment="center"):
        if one.status == "ready" and queries.has_operation(deployment, CONFIRM_OPERATION):
            write_button(
                deployment,
                f"Import {format_count(new, 'row')}",
                name=f"confirm-{one.id}",
                what="Starting the import",
                write=confirm,
                icon=":material/upload_file:",
                type="primary",
                disabled=not new,
                help=None if new else "Every row is on record already, or refused",
            )
        _draw_withdrawal(deployment, one, "Discard", icon="close", on_success=lambda _: on_discarded())


def draw_cancel(deployment: Deployment, one: Import) -> None:
    """Draw the button that stops an import; what was imported so far is taken back."""
    _draw_withdrawal(deployment, one, "Cancel", icon="cancel")


def draw_undo(deployment: Deployment, one: Import) -> None:
    """Draw the button that undoes an import, with what that means."""
    if not queries.has_operation(deployment, WITHDRAW_OPERATION):
        return
    with st.popover("Undo this import", icon=":material/undo:", key="undo"):
        st.markdown(
            "The rows of this import are removed, with the suppliers and products that came with them. What "
            "another import brought too stays, and so does what scopes or negotiations refer to."
        )
        _draw_withdrawal(deployment, one, "Remove its rows", icon="undo", type="primary")


def draw_check_again(
    deployment: Deployment, one: Import, choice: ColumnChoice, *, on_checked: Callable[[str], None]
) -> None:
    """Draw the button that checks the file with the chosen columns, in an import that takes the place of this
    one."""

    def check(client: ScopedClient, idempotency_key: str) -> str:
        new = NewImport(file_id=one.file_id, mapping=dict(choice.mapping), ignore=list(choice.ignore))
        if one.kind == "purchases":
            new.kind = one.kind
        made = client.imports.create(new, idempotency_key=idempotency_key)
        with suppress(ApiError):  # it imports nothing while nobody confirms it
            client.imports.withdraw(one.id)
        return made.id

    if choice.chosen_twice:
        st.error(f"More than one column holds: {', '.join(choice.chosen_twice)}.", icon=":material/error:")
    write_button(
        deployment,
        "Check again with these columns",
        name=f"recheck-{one.id}-{hash((tuple(choice.mapping.items()), tuple(choice.ignore)))}",
        what="Checking the file",
        write=check,
        on_success=on_checked,
        icon=":material/fact_check:",
        disabled=bool(choice.chosen_twice),
    )


def _draw_withdrawal(
    deployment: Deployment,
    one: Import,
    label: str,
    *,
    icon: str,
    type: str = "secondary",
    on_success: Callable[[object], object] | None = None,
) -> None:
    def withdraw(client: ScopedClient, idempotency_key: str) -> object:
        return client.imports.withdraw(one.id)

    if queries.has_operation(deployment, WITHDRAW_OPERATION):
        write_button(
            deployment,
            label,
            name=f"withdraw-{one.id}",
            what="Taking the import back",
            write=withdraw,
            on_success=on_success,
            icon=f":material/{icon}:",
            type="primary" if type == "primary" else "secondary",
        )
