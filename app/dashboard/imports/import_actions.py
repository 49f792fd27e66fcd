"""What can be done with an import: check it again with other columns, confirm, cancel or undo it."""

from collections.abc import Callable
from contextlib import suppress
from typing import Literal

import streamlit as st
from pydantic import ValidationError

from app.client import ApiError, ScopedClient
from app.contract.imports import DateOrder, Import, ImportPreview, NewImport
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from components.formatting.counts import format_count
from components.imports.column_choice import ColumnChoice
from components.imports.import_words import describe_kind, name_row

_STAYS = "What another import brought too stays, and so does what scopes or negotiations refer to."
_UNDOING = {
    "purchases": (
        "The rows of this import are removed, with the suppliers and products that came with them. " + _STAYS
    ),
    "catalog": (
        "The suppliers and products that this import added are removed, and those that it changed are as "
        "before. " + _STAYS
    ),
    "agreements": "The agreements of this import are removed. Those that somebody has changed or decided on "
    "since stay, and so do those that another import brought too.",
    "rates": "The rates of this import are removed. Rates that were on record before count again.",
}
CONFIRM_OPERATION, WITHDRAW_OPERATION = "POST /v1/imports/{}/confirm", "DELETE /v1/imports/{}"


def draw_confirmation(deployment: Deployment, one: Import, *, on_discarded: Callable[[], None]) -> None:
    """Draw the buttons for a file that is checked."""
    preview = one.preview
    number = ((preview.new or 0) + (preview.changed or 0)) if preview else 0

    def confirm(client: ScopedClient, idempotency_key: str) -> object:
        return client.imports.confirm(one.id, idempotency_key=idempotency_key)

    with st.container(horizontal=True, vertical_alignment="center"):
        if one.status == "ready" and queries.has_operation(deployment, CONFIRM_OPERATION):
            write_button(
                deployment,
                f"Import {format_count(number, name_row(one.kind))}",
                name=f"confirm-{one.id}",
                what="Starting the import",
                write=confirm,
                icon=":material/upload_file:",
                type="primary",
                disabled=not number,
                help=None if number else _explain_nothing(preview),
            )
        _draw_withdrawal(deployment, one, "Discard", icon="close", on_success=lambda _: on_discarded())


def _explain_nothing(preview: ImportPreview | None) -> str:
    if preview is not None and preview.total:
        return "Everything is on record already, or refused"
    return "The file has headings, and no rows under them"


def draw_cancel(deployment: Deployment, one: Import) -> None:
    """Draw the button that stops an import; what was imported so far is taken back."""
    _draw_withdrawal(deployment, one, "Cancel", icon="cancel")


def draw_undo(deployment: Deployment, one: Import) -> None:
    """Draw the button that undoes an import, with what that means."""
    if not queries.has_operation(deployment, WITHDRAW_OPERATION):
        return
    with st.popover("Undo this import", icon=":material/undo:", key="undo"):
        st.markdown(_UNDOING.get(one.kind or "", _UNDOING["purchases"]))
        _draw_withdrawal(
            deployment,
            one,
            f"Remove its {name_row(one.kind)}s",
            icon="undo",
            type="primary",
        )


def draw_check_as(
    deployment: Deployment, one: Import, kind: str, *, on_checked: Callable[[str], None]
) -> None:
    """Draw the button that checks the file as one of another kind, whose columns are recognised anew."""
    _draw_check(
        deployment,
        one,
        NewImport.model_validate({"fileId": one.file_id, "kind": kind}),
        label=f"Check the file as {(describe_kind(kind) or kind).lower()}",
        on_checked=on_checked,
        type="primary",
    )


def draw_check_again(
    deployment: Deployment,
    one: Import,
    choice: ColumnChoice,
    *,
    base_currency: str | None = None,
    date_order: DateOrder | None = None,
    on_checked: Callable[[str], None],
) -> None:
    """Draw the button that checks the file with the chosen columns."""
    is_wrong = bool(choice.chosen_twice)
    if is_wrong:
        st.error(f"More than one column holds: {', '.join(choice.chosen_twice)}.", icon=":material/error:")
    try:
        new = NewImport.model_validate(
            {
                "fileId": one.file_id,
                "kind": one.kind,
                "mapping": dict(choice.mapping),
                "ignore": list(choice.ignore),
                **({"baseCurrency": base_currency} if base_currency else {}),
                **({"dateOrder": date_order} if date_order else {}),
            }
        )
    except ValidationError:
        st.error("A currency is written with three capital letters, such as USD.", icon=":material/error:")
        return
    _draw_check(
        deployment,
        one,
        new,
        label="Check again with these columns",
        on_checked=on_checked,
        disabled=is_wrong,
    )


def _draw_check(
    deployment: Deployment,
    one: Import,
    new: NewImport,
    *,
    label: str,
    on_checked: Callable[[str], None],
    disabled: bool = False,
    type: Literal["primary", "secondary"] = "secondary",
) -> None:
    """Draw a button that checks the file of an import anew, in an import that takes its place."""

    def check(client: ScopedClient, idempotency_key: str) -> str:
        made = client.imports.create(new, idempotency_key=idempotency_key)
        with suppress(ApiError):  # it imports nothing while nobody confirms it
            client.imports.withdraw(one.id)
        return made.id

    write_button(
        deployment,
        label,
        name=f"recheck-{one.id}-{hash(new.model_dump_json())}",
        what="Checking the file",
        write=check,
        on_success=on_checked,
        icon=":material/fact_check:",
        type=type,
        disabled=disabled,
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
