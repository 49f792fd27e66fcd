"""The decision of a requirement by a scenario."""

from typing import Any

import streamlit as st

from app.contract.sourcing import Requirement, Scenario
from app.contract.sourcing_award import NewAward
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import Field, Form
from components.elements.form_fields import Fields, mark_required
from components.formatting.texts import escape_markdown
from components.sourcing.scenarios import format_amount

DECIDABLE = ("optimal", "gap")
MAKES = {"negotiations": "Negotiations", "agreements": "Contracts"}


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
    form = make_award_form(deployment, requirement, scenario)
    amount = "" if scenario.total is None else f" for {format_amount(scenario.total, requirement.currency)}"
    with st.expander(
        f"Award the requirement by this scenario{escape_markdown(amount)}", expanded=bool(form.faults)
    ):
        form.begin()
        form.draw_fault()
        form.draw_fields(["make", "reason"])
        negotiates: bool = form.read()["make"] != "agreements"
        with st.grid(3, min_column_width=200):
            form.draw_fields(
                ["decidedBy", "contactName", "contactEmail"] if negotiates else ["decidedBy", "termStart"]
            )
        form.keep_draft()
        form.draw_button(
            f"Award it{amount}",
            send=lambda client, body, key: client.requirements.award(
                requirement.id, body, idempotency_key=key
            ),
            what="Awarding the requirement",
            icon=":material/gavel:",
        )


def make_award_form(deployment: Deployment, requirement: Requirement, scenario: Scenario) -> Form[NewAward]:
    """Return the form: what is made of it, why, and who decides. Contracts begin with a day, and negotiations
    with a person."""
    return Form(
        deployment,
        f"award-{scenario.id}",
        NewAward,
        (
            Field(
                "make",
                "What is made of it",
                kind="radio",
                words=MAKES,
                default="negotiations",
                captions=(
                    "One starts from each quote that gets something.",
                    "The price of each quote is put on record.",
                ),
            ),
            Field(
                "reason",
                mark_required("Why it is decided so"),
                "Say why it is decided so.",
                kind="area",
            ),
            Field("decidedBy", "Who decides"),
            Field("contactName", mark_required("Who negotiates")),
            Field("contactEmail", mark_required("Their email"), most=254),
            Field("termStart", "First day of the term", default=requirement.needed_by),
        ),
        shape=lambda values: _shape(values, scenario.id),
        check_fields=_check,
    )


def _shape(values: Fields, scenario_id: str) -> dict[str, Any]:
    left_out = ("termStart",) if values["make"] != "agreements" else ("contactName", "contactEmail")
    return {"scenarioId": scenario_id, **values, **dict.fromkeys(left_out)}


def _check(values: Fields) -> dict[str, str]:
    if values["make"] == "agreements":
        return {}
    needed = {"contactName": "Enter the name.", "contactEmail": "Enter the address."}
    return {name: fault for name, fault in needed.items() if not values[name]}
