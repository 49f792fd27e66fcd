"""A webhook's secret between the call that made it and the reader who stores it: it cannot be read again."""

import streamlit as st

_KEY = "webhook-secret"


def hold(webhook_id: str, secret: str) -> None:
    """Keeps the secret for this session, in the place of one before."""
    st.session_state[_KEY] = (webhook_id, secret)


def held(webhook_id: str) -> str | None:
    """The secret of this webhook, while it is not yet stored."""
    kept: tuple[str, str] | None = st.session_state.get(_KEY)
    return kept[1] if kept is not None and kept[0] == webhook_id else None


def forget() -> None:
    st.session_state.pop(_KEY, None)
