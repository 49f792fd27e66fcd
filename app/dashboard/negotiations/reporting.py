"""Telling a negotiation what happened, so that a second try is recognised as the first."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal

import streamlit as st

from app.client import ActingClient
from app.contract.negotiation import ExternalUpdate
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from components.negotiations.external_updates import EnteredUpdate, Envelope


def envelope(idempotency_key: str) -> Envelope:
    """The instant and the id of what a write tells. Both stay over its tries: the service refuses an id or an
    idempotency key that comes back with other content."""
    happened_at: datetime = st.session_state.setdefault(f"{idempotency_key}.at", datetime.now(UTC))
    return Envelope(happened_at, idempotency_key)


def tell(
    negotiation_id: str, make: Callable[[Envelope], ExternalUpdate]
) -> Callable[[ActingClient, str], None]:
    """A write that sends what `make` makes."""

    def write(client: ActingClient, idempotency_key: str) -> None:
        update = make(envelope(idempotency_key))
        client.negotiations.external_update(negotiation_id, update, idempotency_key=idempotency_key)

    return write


def tell_button(
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
    state under `{form}.wrong`; after the write `saved` is said and `{form}.forget` set."""
    state = st.session_state

    def is_complete() -> bool:
        entered = read()
        state[f"{form}.wrong"] = entered.faults
        return entered.make is not None

    def make(envelope: Envelope) -> ExternalUpdate:
        entered = read()
        if entered.make is None:
            raise RuntimeError("the form changed between the click and the write")
        return entered.make(envelope)

    def done(_: None) -> None:
        state[f"{form}.forget"] = True
        st.toast(saved, icon=":material/check:")

    write_button(
        deployment,
        label,
        name=form,
        what=what,
        write=tell(negotiation_id, make),
        done=done,
        type=type,
        ready=is_complete,
    )
