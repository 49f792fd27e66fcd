"""How many purchases are on record for each supplier."""

from collections.abc import Sequence

import streamlit as st

from app.contract.money import format_quantity
from app.contract.pricing import CompanyPurchaseCount
from components.formatting.escape_markdown import escape_markdown


def draw_purchase_count(counts: Sequence[CompanyPurchaseCount]) -> None:
    """Draw one sentence, also where there is no purchase on record."""
    positive = [count for count in counts if count.real_purchase_count > 0]
    if not positive:
        st.caption("No purchases from these suppliers are on record in the past two years.")
        return
    listing = ", ".join(
        f"**{format_quantity(count.real_purchase_count)}** from {escape_markdown(count.company_name)}"
        for count in positive
    )
    st.caption(f"Purchases on record in the past two years: {listing}.")
