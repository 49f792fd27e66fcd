"""Settings: what is set up once and looked at rarely."""

import streamlit as st

from app.dashboard import navigation
from app.dashboard.signing_in import identity
from components.elements.page_header import draw_page_header

deployment = identity.require_deployment()

draw_page_header("Settings", caption="What is set up once and looked at rarely.")
for entry in navigation.PAGES:
    if entry.parent == "settings" and (deployment.is_admin or not entry.for_admins):
        with st.container(border=True, gap="xsmall"):
            navigation.draw_link(entry.name, f"**{entry.title}**", icon=entry.icon)
            st.caption(entry.help)
