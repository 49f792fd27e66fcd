"""Whom the organisation asks for a second opinion on its documents, to be read and changed."""

from functools import partial

from app.client import ScopedClient
from app.contract.second_opinion import SecondOpinionChange, SecondOpinionSettings
from app.dashboard.api import extension_queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.form import CheckedForm, form_button
from app.dashboard.record_change import begin_change, end_change
from app.dashboard.scopes.second_opinion_validation import validate_second_opinion
from app.dashboard.session_values import form_faults
from components.deployment.second_opinion_form import (
    FIELDS,
    draw_second_opinion_form,
    read_second_opinion_form,
    read_values,
)

FORM = "second-opinion"


def draw_second_opinion_settings(deployment: Deployment) -> None:
    """Draw the settings of the second opinion. Needs `PATCH /v1/second-opinion`."""
    with failure_panel("The second opinion"):
        current = extension_queries.load_second_opinion(deployment)
        begun = begin_change(FORM, current, values_of=read_values, what="second opinion")
        draw_second_opinion_form(begun, key=FORM, faults=form_faults(FORM).get())
        form_button(
            deployment,
            "Save the second opinion",
            form=FORM,
            operation="PATCH /v1/second-opinion",
            check=partial(_check, begun, current),
            send=_send,
            what="Saving the second opinion",
            on_success=lambda _: end_change(FORM, FIELDS),
            icon=":material/save:",
        )


def _check(begun: SecondOpinionSettings, current: SecondOpinionSettings) -> CheckedForm[SecondOpinionChange]:
    return validate_second_opinion(read_second_opinion_form(key=FORM), begun, current)


def _send(client: ScopedClient, change: SecondOpinionChange, _: str) -> SecondOpinionSettings:
    return client.second_opinion.update(change)
