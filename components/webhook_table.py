"""The registered addresses and what each is told of."""

from collections.abc import Sequence

import streamlit as st

from app.contract.events import EVENT_NAMES
from app.contract.webhooks import Webhook
from components import specimens
from components.curl import without_secrets
from components.pick_table import pick_table


def draw_webhook_table(webhooks: Sequence[Webhook], *, key: str) -> str | None:
    """Draw them; the id of the one that was chosen."""
    chosen = pick_table(
        [
            {"Address": without_secrets(webhook.url), "Events": _events(webhook), "Id": webhook.id}
            for webhook in webhooks
        ],
        key=key,
        alt=f"{len(webhooks)} webhooks, newest first",
        opens="Address",
        columns={"Events": st.column_config.TextColumn(width="large"), "Id": st.column_config.TextColumn()},
    )
    return None if chosen is None else webhooks[chosen].id


def _events(webhook: Webhook) -> str:
    return "all events" if set(webhook.events) == set(EVENT_NAMES) else ", ".join(webhook.events)


def example() -> None:
    draw_webhook_table(
        [
            Webhook(
                id=specimens.identity(1),
                url="https://user:pass@example.com/hooks",
                events=["scope.extracted"],
            )
        ],
        key="example-webhooks",
    )
