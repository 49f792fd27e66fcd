"""How many purchases are on record, supplier by supplier."""

from collections.abc import Sequence

import streamlit as st

from app.contract.pricing import CompanyPurchaseCount
from components import fixtures
from components.formatting.escape_markdown import plain
from components.formatting.money import quantity


def draw_purchase_count(counts: Sequence[CompanyPurchaseCount]) -> None:
    """One sentence; it says so when there is nothing on record."""
    known = [count for count in counts if count.real_purchase_count > 0]
    if not known:
        st.caption("No purchases from these suppliers are on record in the past two years.")
        return
    said = ", ".join(
        f"**{quantity(count.real_purchase_count)}** from {plain(count.company_name)}" for count in known
    )
    st.caption(f"Purchases on record in the past two years: {said}.")


def example() -> None:
    draw_purchase_count(fixtures.advanced_estimate().real_purchase_count)
    draw_purchase_count([])
