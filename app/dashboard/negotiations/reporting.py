"""Telling a negotiation what happened, so that a second try is recognised as the first."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal

import streamlit as st

from app.client import ActingClient
from app.contract.negotiation import ExternalUpdate
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.session_values import first_try_at, form_faults, is_form_saved
from components.negotiations.external_updates import EnteredUpdate, Envelope


def make_envelope(idempotency_key: str) -> Envelope:
    """The instant and the id of what a write tells. Both stay over its tries: the service refuses an id or an
    idempotency key that comes back with other content."""
    now = datetime.now(UTC)
    return Envelope(first_try_at(idempotency_key).get_or_set(now) or now, idempotency_key)


def report_update(
    negotiation_id: str, make: Callable[[Envelope], ExternalUpdate]
) -> Callable[[ActingClient, str], None]:
    """A write that sends what `make` makes."""

    def write(client: ActingClient, idempotency_key: str) -> None:
        update = make(make_envelope(idempotency_key))
        client.negotiations.external_update(negotiation_id, update, idempotency_key=idempotency_key)

    return write


def report_button(
    deployment: Deployment,
    negotiation_id: str,
    label: str,
    *,
    form: str,
    read: Callable[[], EnteredUpdate],
    what: str,
    saved: str,
    type: Literal["primary", "secondary"] = "secondary",
) -> None:
    """The button that sends what the form named `form` holds, as `read` finds it. Faults are left in the
    session; after the write the reader is told `success` and the form is marked as saved."""

    def is_complete() -> bool:
        entered = read()
        form_faults(form).set(entered.faults)
        return entered.make is not None

    def make(envelope: Envelope) -> ExternalUpdate:
        entered = read()
        if entered.make is None:
            raise RuntimeError("the form changed between the click and the write")
        return entered.make(envelope)

    def done(_: None) -> None:
        is_form_saved(form).set(True)
        st.toast(saved, icon=":material/check:")

    write_button(
        deployment,
        label,
        name=form,
        what=what,
        write=report_update(negotiation_id, make),
        on_success=done,
        type=type,
        is_ready=is_complete,
    )
