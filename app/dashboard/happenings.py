"""Telling a negotiation what happened, so that a second try is recognised as the first."""

from collections.abc import Callable
from datetime import UTC, datetime

import streamlit as st

from app.client import ActingClient
from app.contract.negotiation import ExternalUpdate
from components.external_updates import Envelope


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
