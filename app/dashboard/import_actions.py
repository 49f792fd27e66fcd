"""Files that are imported: uploaded, looked through, confirmed, followed and undone."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st
from pydantic import ValidationError

from app.client import ApiError, ScopedClient
from app.contract.imports import Import, ImportSheet, NewImport
from app.dashboard import navigation
from app.dashboard.api.write_button import confirmed_write, write_button
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import CheckedForm, Form
from app.dashboard.session_values import upload_count
from components.elements.page_header import draw_heading
from components.formatting import escape_markdown, format_count
from components.imports.file_questions import draw_file_questions, read_file_answers
from components.imports.import_preview import QUESTION_LABELS, describe_answers, draw_table_upload, name_row

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile


def draw_file_upload(deployment: Deployment) -> None:
    """Draw the upload. The import of a single file is opened; several stand in the list."""
    uploads = upload_count("imports")
    files = draw_table_upload("Files to import", key=f"imports-{uploads.get()}")

    def upload(client: ScopedClient, idempotency_key: str) -> list[str]:
        return [_begin_import(client, file, f"{idempotency_key}-{at}") for at, file in enumerate(files)]

    def follow(import_ids: list[str]) -> None:
        uploads.set(uploads.get() + 1)
        if len(import_ids) == 1:
            _open_checked(import_ids[0])

    write_button(
        deployment,
        "Check the file" if len(files) < 2 else f"Check {len(files)} files",
        name=f"import-{'-'.join(file.file_id for file in files)}",
        what="Uploading",
        write=upload,
        on_success=follow,
        icon="fact_check",
        type="primary",
        disabled=not files,
        help=None if files else "Choose a file first",
    )
    st.caption("Checking imports nothing. You see what would be imported and refused, and confirm it then.")


def _begin_import(client: ScopedClient, file: "UploadedFile", idempotency_key: str) -> str:
    stored = client.files.upload(
        file.getvalue(), filename=file.name, mime_type=file.type, idempotency_key=f"{idempotency_key}-file"
    )
    return client.imports.create(NewImport(file_id=stored.id), idempotency_key=idempotency_key).id


_STAYS = "What another import brought too stays, and so does what quotes or negotiations refer to."
_UNDOING = {
    "purchases": (
        "The rows of this import are removed, with the suppliers and products that came with them. " + _STAYS
    ),
    "catalog": (
        "The suppliers and products that this import added are removed, and those that it changed are as "
        "before. " + _STAYS
    ),
    "agreements": "The contracts of this import are removed. Those that somebody has changed or decided on "
    "since stay, and so do those that another import brought too.",
    "rates": "The rates of this import are removed. Rates that were on record before count again.",
}
CURRENCY_FAULT = "A currency is written with three capital letters, such as USD."
CONFIRM_OPERATION, WITHDRAW_OPERATION = "POST /v1/imports/{}/confirm", "DELETE /v1/imports/{}"


def draw_confirmation(deployment: Deployment, one: Import) -> None:
    """Draw the buttons for a file that is checked."""
    preview = one.preview
    number = ((preview.new or 0) + (preview.changed or 0)) if preview else 0
    why = (
        "Everything is on record already, or refused"
        if preview is not None and preview.total
        else "The file has headings, and no rows under them"
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        if one.status == "ready":
            write_button(
                deployment,
                f"Import {format_count(number, name_row(one.kind))}",
                name=f"confirm-{one.id}",
                operation=CONFIRM_OPERATION,
                what="Starting the import",
                write=lambda client, key: client.imports.confirm(one.id, idempotency_key=key),
                icon="upload_file",
                type="primary",
                disabled=not number,
                help=None if number else why,
            )
        draw_withdrawal(
            deployment, one, "Discard", icon="close", on_success=lambda _: navigation.open_page("imports")
        )


def draw_undo(deployment: Deployment, one: Import) -> None:
    """Draw the button that undoes an import, with what that means."""
    confirmed_write(
        deployment,
        "Undo this import",
        _UNDOING.get(one.kind or "", _UNDOING["purchases"]),
        confirm=f"Remove its {name_row(one.kind)}s",
        name=f"withdraw-{one.id}",
        operation=WITHDRAW_OPERATION,
        what="Taking the import back",
        write=lambda client, _: client.imports.withdraw(one.id),
        icon="undo",
    )


def make_new_check(one: Import, changes: Mapping[str, Any]) -> NewImport:
    """Return an import of the same file with all that was said of it before, but for `changes`, where None
    takes something back. Raises ValidationError."""
    said = {name: getattr(one, name) for name in NewImport.model_fields} | dict(changes)
    return NewImport.model_validate({name: value for name, value in said.items() if value is not None})


def check_answers(one: Import, answers: Mapping[str, Any]) -> CheckedForm[NewImport]:
    """Return the import that the answers make, or which of them are missing or wrong. States that were
    answered before stay so."""
    faults = {name: CURRENCY_FAULT if name == "currency" else "Choose one." for name in answers}
    missing = {name: faults[name] for name, answer in answers.items() if not answer}
    if missing:
        return CheckedForm(None, missing)
    changes = {**answers, "states": {**one.states, **answers.get("states", {})}}
    try:
        return CheckedForm(make_new_check(one, changes), {})
    except ValidationError as error:
        wrong = {str(each["loc"][0]) for each in error.errors() if each["loc"]}
        return CheckedForm(None, {name: faults.get(name, "This cannot be sent.") for name in wrong})


def draw_questions(deployment: Deployment, one: Import) -> None:
    """Draw what the file does not say, as a form whose answers begin another check."""
    if one.preview is None or not one.preview.asks:
        return
    asks = one.preview.asks
    # What was chosen stays when the same table is checked again in another way.
    form = Form(deployment, f"answers-{one.file_id}-{one.preview.sheet or ''}", NewImport, ())
    with st.container(border=True):
        draw_heading("What the file does not say")
        draw_file_questions(asks, key=form.key, faults=form.faults)
        form.draw_button(
            "Check with these answers",
            check=lambda: check_answers(one, read_file_answers(asks, key=form.key)),
            send=partial(_check_anew, one),
            what="Checking the file",
            on_success=_open_checked,
            icon="fact_check",
            operation="POST /v1/imports",
        )


def draw_answers(deployment: Deployment, one: Import) -> None:
    """Draw what a person said of the file, and the button that asks for it again."""
    answers = describe_answers(one)
    if not answers:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"You said: {escape_markdown('; '.join(answers))}.", width="content")
        draw_new_check(
            deployment,
            one,
            {name: {} if name == "states" else None for name in QUESTION_LABELS},
            "Ask again",
            type="tertiary",
        )


def plan_sheet(one: Import, sheet: ImportSheet) -> Mapping[str, Any]:
    """Return what changes in a check of another sheet. What it holds is recognised anew unless it has the
    columns of the sheet that was read."""
    if one.preview is not None and {each.name for each in one.preview.columns} <= {*sheet.columns}:
        return {"sheet": sheet.name}
    return {"sheet": sheet.name, "kind": None, "mapping": {}, "ignore": []}


def draw_new_check(
    deployment: Deployment,
    one: Import,
    changes: Mapping[str, Any],
    label: str,
    *,
    disabled: bool = False,
    type: Literal["primary", "secondary", "tertiary"] = "secondary",
) -> None:
    """Draw a button that checks the file of an import anew, in an import that takes its place."""
    try:
        new = make_new_check(one, changes)
    except ValidationError:
        st.error(CURRENCY_FAULT, icon=":material/error:")
        return
    write_button(
        deployment,
        label,
        name=f"recheck-{one.id}-{hash(new.model_dump_json())}",
        what="Checking the file",
        write=lambda client, key: _check_anew(one, client, new, key),
        on_success=_open_checked,
        icon="fact_check",
        type=type,
        disabled=disabled,
    )


def _check_anew(one: Import, client: ScopedClient, new: NewImport, idempotency_key: str) -> str:
    made = client.imports.create(new, idempotency_key=idempotency_key)
    with suppress(ApiError):  # it imports nothing while nobody confirms it
        client.imports.withdraw(one.id)
    return made.id


def _open_checked(import_id: str) -> None:
    navigation.open_page("import_file", id=import_id)


def draw_withdrawal(
    deployment: Deployment,
    one: Import,
    label: str,
    *,
    icon: str,
    on_success: Callable[[object], object] | None = None,
) -> None:
    """Draw the button that ends an import; what was imported so far is taken back."""
    write_button(
        deployment,
        label,
        name=f"withdraw-{one.id}",
        operation=WITHDRAW_OPERATION,
        what="Taking the import back",
        write=lambda client, _: client.imports.withdraw(one.id),
        on_success=on_success,
        icon=icon,
    )
