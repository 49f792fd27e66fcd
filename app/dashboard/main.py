"""The entry script: who is signed in, the navigation, and the page that the address asks for."""

import streamlit as st

from app.dashboard import identity, navigation
from app.dashboard.faults import shown_as_panel
from app.dashboard.sign_in import sign_in_page

st.set_page_config(page_title="Parley", page_icon=":material/handshake:", layout="wide")

deployment = identity.signed_in()
# All pages are registered before one signs in too, so that the address one came with is still there after.
page = navigation.navigate(visible=deployment is not None)
if deployment is None:
    sign_in_page()
else:
    with st.sidebar:
        st.caption(deployment.host + (f"  \nfor {deployment.person}" if deployment.person else ""))
    with shown_as_panel(f"The page “{page.title}”"):
        page.run()
identity.hand_ticket_to_browser()
