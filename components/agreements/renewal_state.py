"""The renewal of an agreement that was started: by whom, by when to decide, and what it leaves out."""

from datetime import UTC, date, datetime

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


def example() -> None:
    draw_renewal_state(
        AgreementRenewal(
            agreement_id="01890000-0000-7000-8000-000000000001",
            negotiation_id="01890000-0000-7000-8000-000000000002",
            status="active",
            act_by=date(2026, 9, 30),
            deadline_missed=True,
            left_out=["Training: it is paid once."],
            statement="The renewal of “Analytics”. The deadline, 30 September 2026, has passed.",
            started_at=datetime(2026, 10, 2, tzinfo=UTC),
            started_by="bea@acme.example",
        )
    )
