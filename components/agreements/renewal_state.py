"""The renewal of an agreement that was started: by whom, by when to decide, and what it leaves out."""

import streamlit as st

from app.contract.renewals import AgreementRenewal
from components.formatting.escape_markdown import escape_markdown


def draw_renewal_state(renewal: AgreementRenewal) -> None:
    """Draw what the renewal says of itself; as a warning where the deadline had passed."""
    by = f" Started by {renewal.started_by}." if renewal.started_by else ""
    text = escape_markdown(renewal.statement + by)
    if renewal.deadline_missed:
        st.warning(text, icon=":material/event_busy:")
    else:
        st.info(text, icon=":material/autorenew:")
    if renewal.left_out:
        left_out = "\n".join(f"- {escape_markdown(line)}" for line in renewal.left_out)
        st.caption(f"Left out of the new quote:\n{left_out}")
