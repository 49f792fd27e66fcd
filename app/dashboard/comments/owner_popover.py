"""Who looks after a scope or a negotiation: shown to all, changed by who may."""

from collections.abc import Sequence

import streamlit as st
from pydantic import ValidationError

from app.client import ScopedClient
from app.contract.comments import CommentedKind
from app.contract.owners import Owner
from app.contract.validation_messages import describe_fault
from app.dashboard.api import comment_queries, queries
from app.dashboard.deployment import Deployment
from app.dashboard.form_popover import close_form, form_popover
from app.dashboard.kit.form import CheckedForm, form_button
from app.dashboard.record_change import begin_change
from app.dashboard.session_values import form_faults
from components.comments.owner_form import FIELDS, describe_owners, draw_owner_form, read_values
from components.elements.form_fields import get_text, read_fields, set_defaults


def draw_owners(
    deployment: Deployment, kind: CommentedKind, object_id: str, owners: Sequence[Owner] | None
) -> None:
    """Draw the owners, and behind a click the form of the first of them; the others stay."""
    named = owners or ()
    operation = f"PATCH {comment_queries.PATHS[kind]}"
    if not queries.has_operation(deployment, operation):
        st.caption(describe_owners(named), width="content")
        return
    form = f"owner-{object_id}"
    with form_popover(describe_owners(named), form=form, icon=":material/person:"):
        begun = begin_change(form, named, values_of=read_values, what="owner")
        set_defaults(form, read_values(begun))
        draw_owner_form(named, key=form, faults=form_faults(form).get())
        _draw_button(deployment, kind, object_id, form, named[1:], operation)


def _draw_button(
    deployment: Deployment,
    kind: CommentedKind,
    object_id: str,
    form: str,
    others: Sequence[Owner],
    operation: str,
) -> None:
    def check() -> CheckedForm[list[Owner]]:
        fields = read_fields(form, FIELDS)
        name, email = get_text(fields, "name"), get_text(fields, "email")
        if not name:
            faults = {"name": "Enter the owner's name too."} if email else {}
            return CheckedForm(None if email else [*others], faults)
        try:
            return CheckedForm([Owner(name=name, email=email or None), *others], {})
        except ValidationError as error:
            fault = error.errors()[0]
            field = str(fault["loc"][0])
            return CheckedForm(None, {field: f"The {field} {describe_fault(fault)}."})

    def send(client: ScopedClient, named: list[Owner], _: str) -> object:
        if kind == "scope":
            return client.scopes.update(object_id, owners=named)
        return client.negotiations.update(object_id, owners=named)

    form_button(
        deployment,
        "Save the owner",
        form=form,
        check=check,
        send=send,
        what="Naming the owner",
        on_success=lambda _: close_form(form, FIELDS),
        operation=operation,
    )
