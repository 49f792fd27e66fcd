"""How a file writes dates such as 03/04/2026."""

import streamlit as st

from app.contract.imports import DateOrder

FROM_THE_FILE = "As the file shows"
ORDERS: dict[str, DateOrder | None] = {
    FROM_THE_FILE: None,
    "Day first": "day_first",
    "Month first": "month_first",
}


def draw_date_order(order: str | None, *, key: str) -> DateOrder | None:
    """Draw the choice and return what is chosen now; None where the file's own dates decide."""
    orders = list(ORDERS)
    stated = next((label for label, each in ORDERS.items() if each == order), FROM_THE_FILE)
    chosen = st.radio(
        "Dates such as 03/04/2026",
        orders,
        index=orders.index(stated),
        horizontal=True,
        key=key,
        help="Where no date of the file shows which is the day, it is asked",
    )
    return ORDERS[chosen]
