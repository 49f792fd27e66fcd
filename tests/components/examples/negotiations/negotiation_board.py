import streamlit as st

from components.negotiations.board import draw_negotiation_board
from tests.components.negotiations.fixtures import make_listed_negotiation


def example() -> None:
    cards = [
        make_listed_negotiation(),
        make_listed_negotiation("pending").model_copy(update={"id": "pending"}),
    ]
    draw_negotiation_board(
        cards, {"planning": 0, "pending": 1, "active": 8}, key="example-board", on_show_all=st.write
    )
