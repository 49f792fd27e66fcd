"""The entry script: who is signed in, the navigation, and the page that the address asks for."""

from pathlib import Path

import streamlit as st

from app.dashboard import navigation, start_actions
from app.dashboard.api.write_button import drop_lost_clicks
from app.dashboard.browser_scripts import install_browser_scripts
from app.dashboard.deployment import READ_ONLY_REASON
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.needs import draw_what_is_lacking
from app.dashboard.sample_data import draw_tour
from app.dashboard.signing_in import identity
from app.dashboard.signing_in.sign_in_page import draw_sign_in_page

# A file of ours: icons by name are fetched from a foreign host, which the policy forbids.
FOLDER = Path(__file__).parent

st.set_page_config(page_icon=FOLDER / "mark.svg", layout="wide")
st.logo(str(FOLDER / "wordmark.svg"), size="large")

deployment = identity.find_deployment()
# All pages are registered before one signs in too, so that the address one came with is still there after.
page = navigation.register_pages()
if deployment is None:
    st.set_page_config(page_title="Sign in · Parley")
    draw_sign_in_page()
else:
    with st.sidebar:
        search_button = st.container()
        for_person = [f"for {deployment.person}"] if deployment.person else []
        navigation.draw_menu(page, [deployment.host, *for_person])
    if deployment.read_only:
        st.caption(f":material/lock: {READ_ONLY_REASON}")
    draw_tour(deployment)
    with failure_panel(f"The page “{page.title}”"):
        # It asks the service, so it comes after what is known without.
        with search_button:
            start_actions.draw_search_button(deployment)
        if not draw_what_is_lacking(deployment, navigation.find_entry(page)):
            page.run()
    drop_lost_clicks()
identity.hand_ticket_to_browser()
install_browser_scripts(deployment)
