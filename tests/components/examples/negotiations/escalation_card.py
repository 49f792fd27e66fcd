import streamlit as st

from app.contract.negotiation import EscalationOption
from components.negotiations.negotiation_state import draw_escalation_card
from tests.components.fixtures import NOON
from tests.components.negotiations.fixtures import make_escalation


def example() -> None:
    def draw_button(option: EscalationOption, name: str) -> None:
        st.button("Decide", key=f"example-{name}", help=option.consequence)

    draw_escalation_card(
        make_escalation(),
        now=NOON,
        draw_button=draw_button,
    )
