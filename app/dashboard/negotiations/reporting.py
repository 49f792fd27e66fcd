"""Reports of what happened outside a negotiation, which a second try does not make twice."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal

import streamlit as st

from app.client import ScopedClient
from app.dashboard.api.write_button import Write
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import CheckedForm, form_button
from app.dashboard.negotiations.external_updates import Envelope, MakeUpdate
from app.dashboard.session_values import first_try_at, is_form_saved

REPORT_OPERATION = "POST /v1/negotiation/{}/external-update"


def make_envelope(idempotency_key: str) -> Envelope:
    """Return the instant and the id of an update. Both stay the same over all tries: the service refuses an
    id or an idempotency key that comes back with other content."""
    now = datetime.now(UTC)
    return Envelope(first_try_at(idempotency_key).get_or_set(now) or now, idempotency_key)


def write_update(negotiation_id: str, make: MakeUpdate) -> Write[None]:
    """Return the write that sends the update which `make` returns."""

    def write(client: ScopedClient, idempotency_key: str) -> None:
        update = make(make_envelope(idempotency_key))
        client.negotiations.external_update(negotiation_id, update, idempotency_key=idempotency_key)

    return write


def report_button(
    deployment: Deployment,
    negotiation_id: str,
    label: str,
    *,
    form: str,
    check: Callable[[], CheckedForm[MakeUpdate]],
    what: str,
    success: str,
    type: Literal["primary", "secondary"] = "secondary",
) -> None:
    """Draw the button that sends the form named `form`. Afterwards the reader is told `success`, and the form
    is marked as saved."""

    def send(client: ScopedClient, make: MakeUpdate, idempotency_key: str) -> None:
        write_update(negotiation_id, make)(client, idempotency_key)

    def mark_saved(_: None) -> None:
        is_form_saved(form).set(True)
        st.toast(success, icon=":material/check:")

    form_button(
        deployment,
        label,
        form=form,
        check=check,
        send=send,
        what=what,
        on_success=mark_saved,
        type=type,
    )
