from dataclasses import replace

import streamlit as st

from components.negotiations.board import draw_negotiation_board
from tests.components.negotiations.fixtures import make_negotiation_card


def example() -> None:
    cards = [make_negotiation_card(), replace(make_negotiation_card("pending"), id="pending")]
    draw_negotiation_board(
        cards, {"planning": 0, "pending": 1, "active": 8}, key="example-board", on_show_all=st.write
    )
