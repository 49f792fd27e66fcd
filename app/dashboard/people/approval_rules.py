"""What an organisation asks a second person for, and the form that changes it."""

from decimal import Decimal
from functools import partial

import streamlit as st

from app.client import ScopedClient
from app.contract.approvals import ApprovalRules, ApprovalRulesChange
from app.contract.values import MAX_AMOUNT
from app.dashboard.api import people_queries
from app.dashboard.api.form_button import CheckedForm, form_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.record_change import begin_change, end_change
from app.dashboard.session_values import form_faults
from components.elements.form_fields import Fields, draw_fault, get_amount, read_fields, set_defaults

FORM = "approval-rules"
FIELDS = ("awards", "webhooks", "prices_above")


def draw_rules(deployment: Deployment) -> None:
    """Draw the form, which takes the role owner."""
    with failure_panel("What needs a second person"):
        current = people_queries.load_approval_rules(deployment)
        begun = begin_change(FORM, current, values_of=_read_values, what="setting")
        set_defaults(FORM, _read_values(begun))
        st.caption(
            "Another person than who asks for it, with the same role, approves it here. API keys ask and"
            " approve nothing. What asks for less than before needs a second owner itself."
        )
        st.checkbox("Awards of comparisons", key=f"{FORM}/awards")
        st.checkbox("New webhooks, new secrets of webhooks, and their deletion", key=f"{FORM}/webhooks")
        st.number_input(
            f"Agreed prices above ({current.currency}, before tax)",
            min_value=0.0,
            max_value=float(MAX_AMOUNT - 1),
            value=None,
            key=f"{FORM}/prices_above",
            help="A price in another currency counts at the rate of the day, and needs a second person where"
            " there is none. Empty: no price needs one.",
            width=320,
        )
        draw_fault(form_faults(FORM).get().get(""))
        form_button(
            deployment,
            "Save",
            form=FORM,
            operation="PATCH /v1/approval-rules",
            check=partial(check_rules, begun),
            send=_send,
            what="Saving what needs a second person",
            on_success=lambda _: end_change(FORM, FIELDS),
            icon=":material/save:",
        )


def _send(client: ScopedClient, change: ApprovalRulesChange, _: str) -> ApprovalRules:
    return client.approvals.change_rules(change)


def check_rules(begun: ApprovalRules) -> CheckedForm[ApprovalRulesChange]:
    """Return what the form changes, or that it changes nothing."""
    typed = read_fields(FORM, FIELDS)
    stated: dict[str, bool | Decimal | None] = {
        "awards": bool(typed["awards"]),
        "webhooks": bool(typed["webhooks"]),
        "prices_above": get_amount(typed, "prices_above"),
    }
    changed = {name: value for name, value in stated.items() if value != getattr(begun, name)}
    if not changed:
        return CheckedForm(None, {"": "Nothing was changed."})
    return CheckedForm(ApprovalRulesChange.model_validate(changed), {})


def _read_values(rules: ApprovalRules) -> Fields:
    above = rules.prices_above
    return {
        "awards": rules.awards,
        "webhooks": rules.webhooks,
        "prices_above": None if above is None else float(above),
    }
