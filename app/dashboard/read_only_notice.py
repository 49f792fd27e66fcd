"""Why a key that may only read is shown no form and no button that changes anything."""

import streamlit as st

from app.dashboard.deployment import Deployment

READ_ONLY_REASON = (
    "This key is read only: it shows everything of its organisation and changes nothing. To make changes, "
    "sign in with a full key."
)


def draw_read_only_notice(deployment: Deployment) -> None:
    """Draw the reason above the page, for a key that may only read."""
    if deployment.read_only:
        st.caption(f":material/lock: {READ_ONLY_REASON}")
