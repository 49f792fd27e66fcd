"""What an address of no page leads to."""

import streamlit as st

from app.dashboard import navigation
from components.elements.page_header import draw_page_header
from components.formatting import shorten_text

address = st.query_params.get("address", "")
place = shorten_text(address, 200) if address else "this address"
draw_page_header("Page not found", caption=f"There is no page at {place}")
navigation.draw_link("overview", "Open Home", icon="space_dashboard")
navigation.draw_link("catalog", "Find a supplier in the catalog", icon="storefront")
