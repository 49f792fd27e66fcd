"""Changes of a requirement that leave its lines as they are."""

import streamlit as st

from app.client import ScopedClient
from app.contract.sourcing import Requirement, RequirementChange
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import form_button
from app.dashboard.record_change import begin_change, end_change
from app.dashboard.session_values import form_faults
from app.dashboard.sourcing.requirement_validation import validate_requirement_change
from components.sourcing.requirements import (
    CHANGE_FIELDS,
    draw_requirement_change_form,
    read_requirement,
    read_requirement_change_form,
)


def draw_requirement_change(deployment: Deployment, requirement: Requirement) -> None:
    """Draw the form. Needs `PATCH /v1/requirements/{}`."""
    form = f"change-{requirement.id}"
    faults = form_faults(form).get()

    def send(client: ScopedClient, change: RequirementChange, _: str) -> Requirement:
        return client.requirements.update(requirement.id, change)

    def finish(_: Requirement) -> None:
        end_change(form, CHANGE_FIELDS)

    begun = begin_change(form, requirement, values_of=read_requirement, what="requirement")
    draw_requirement_change_form(begun, key=form, faults=faults)
    if faults.get(""):
        st.caption(faults[""])
    form_button(
        deployment,
        "Save the changes",
        form=form,
        check=lambda: validate_requirement_change(read_requirement_change_form(key=form), begun),
        send=send,
        what="Saving the changes",
        on_success=finish,
        icon=":material/save:",
    )
