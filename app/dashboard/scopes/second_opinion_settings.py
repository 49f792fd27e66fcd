"""Whom the organisation asks for a second opinion on its documents, to be read and changed."""

from typing import Any

import streamlit as st

from app.contract.second_opinion import SecondOpinionChange, SecondOpinionSettings
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.form import Form
from components.elements.form_fields import Field, Fields
from components.formatting import format_count


def draw_second_opinion_settings(deployment: Deployment) -> None:
    """Draw the settings of the second opinion. Needs `PATCH /v1/second-opinion`."""
    with failure_panel("The second opinion"):
        st.caption(
            "Where sums or lines of a quote are doubtful, the words of those pages are sent to a model that"
            " you choose. It points at words; the figures are read and added up here, and nothing becomes"
            " certain by it. Each quote says what was sent."
        )
        form = make_form(deployment, queries.load_second_opinion(deployment))
        form.draw()
        form.draw_button(
            "Save the second opinion",
            operation="PATCH /v1/second-opinion",
            send=lambda client, change, _: client.second_opinion.update(change),
            what="Saving the second opinion",
            icon="save",
        )


def make_form(deployment: Deployment, current: SecondOpinionSettings) -> Form[SecondOpinionChange]:
    """Return the form that changes the settings. A key is never shown; only the service decides whether the
    address may be called."""

    def check(values: Fields) -> dict[str, str]:
        """Say what is wrong with the settings that come of it."""
        changed = {name: value for name, value in values.items() if value != (form.filled[name] or None)}
        wanted = {**form.record, **changed}
        faults: dict[str, str] = {}
        if not wanted["address"] and (wanted["enabled"] or current.address):
            faults["address"] = "Enter the address of the service."
        if not wanted["model"] and (wanted["enabled"] or current.model):
            faults["model"] = "Enter the name of the model."
        if values["key"] and values["without_key"]:
            faults["key"] = "Type a key, or tick that none is needed."
        if wanted["enabled"] and not (values["key"] or values["without_key"] or current.has_key):
            faults["key"] = "Type the key, or tick that none is needed."
        return faults

    def shape(values: Fields) -> dict[str, Any]:
        content = {name: value for name, value in values.items() if name not in ("key", "without_key")}
        if values["key"]:
            content["key"] = values["key"]
        elif values["without_key"] and any(
            values[name] != (form.filled[name] or None) for name in ("without_key", "address")
        ):
            content["key"] = None
        return content

    form = Form(
        deployment,
        "second-opinion",
        SecondOpinionChange,
        (
            Field("enabled", "Ask for a second opinion"),
            Field(
                "address",
                "Address",
                kind="address",
                placeholder="https://models.example.com/v1",
                help="A service compatible with OpenAI's chat completions; /chat/completions is added.",
            ),
            Field("model", "Model"),
            Field(
                "calls_per_day",
                "Calls a day",
                help=f"{format_count(current.calls_today, 'call')} so far today, which begins at midnight"
                " UTC.",
            ),
            Field(
                "key",
                "Key",
                kind="secret",
                placeholder="A key is stored; type another to replace it" if current.has_key else None,
            ),
            Field("without_key", "The service needs no key", kind="flag"),
        ),
        shape=shape,
        check_fields=check,
        record={**dict(current), "without_key": current.address is not None and not current.has_key},
        changes="second opinion",
    )
    return form
