"""The decision of a requirement by a scenario."""

from typing import Any

import streamlit as st
from pydantic import ValidationError

from app.client import ScopedClient
from app.contract.sourcing import Requirement, Scenario
from app.contract.sourcing_award import Award, NewAward
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.form_rows import place_faults
from app.dashboard.kit.form import CheckedForm, form_button
from app.dashboard.session_values import form_faults
from components.elements.form_fields import Fields, forget_fields, get_date, get_text
from components.formatting.texts import escape_markdown
from components.sourcing.award import FIELDS, draw_award_form, read_award_form
from components.sourcing.scenarios import format_amount

DECIDABLE = ("optimal", "gap")


def draw_awarding(deployment: Deployment, requirement: Requirement, scenario: Scenario) -> None:
    """Draw the form that awards the requirement by this scenario, where that can be."""
    if (
        requirement.award is not None
        or scenario.status not in DECIDABLE
        or not scenario.award
        or scenario.outdated  # what it rests on is said above it
        or not queries.has_operation(deployment, "POST /v1/requirements/{}/award")
    ):
        return
    form = f"award-{scenario.id}"
    faults = form_faults(form).get()

    def send(client: ScopedClient, body: NewAward, key: str) -> Award:
        return client.requirements.award(requirement.id, body, idempotency_key=key)

    def finish(_: Award) -> None:
        forget_fields(form, FIELDS)

    amount = "" if scenario.total is None else f" for {format_amount(scenario.total, requirement.currency)}"
    with st.expander(
        f"Award the requirement by this scenario{escape_markdown(amount)}", expanded=bool(faults)
    ):
        draw_award_form(key=form, faults=faults, first_day=requirement.needed_by)
        if faults.get(""):
            st.caption(faults[""])
        form_button(
            deployment,
            f"Award it{amount}",
            form=form,
            check=lambda: validate_award(read_award_form(key=form), scenario.id),
            send=send,
            what="Awarding the requirement",
            on_success=finish,
            icon=":material/gavel:",
        )


def validate_award(fields: Fields, scenario_id: str) -> CheckedForm[NewAward]:
    """Return the award to send, or the faults by field."""
    faults: dict[str, str] = {}
    negotiates = fields.get("make") != "agreements"
    if not get_text(fields, "reason"):
        faults["reason"] = "Say why it is decided so."
    if negotiates and not get_text(fields, "contactName"):
        faults["contactName"] = "Enter the name."
    if negotiates and not get_text(fields, "contactEmail"):
        faults["contactEmail"] = "Enter the address."
    if faults:
        return CheckedForm(None, faults)
    stated: dict[str, Any] = {
        "scenarioId": scenario_id,
        "make": "negotiations" if negotiates else "agreements",
        "reason": get_text(fields, "reason"),
        "decidedBy": get_text(fields, "decidedBy") or None,
        "contactName": (negotiates and get_text(fields, "contactName")) or None,
        "contactEmail": (negotiates and get_text(fields, "contactEmail")) or None,
        "termStart": None if negotiates else get_date(fields, "termStart"),
    }
    try:
        sent = {name: value for name, value in stated.items() if value is not None}
        return CheckedForm(NewAward.model_validate(sent), {})
    except ValidationError as refusal:
        return CheckedForm(None, place_faults(refusal))
