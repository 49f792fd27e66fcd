"""What runs in the browser beside Streamlit's own scripts, and the style of every page.

All of it is one element, since each costs time at every run. A script installs itself once for each load of
the page.
"""

import streamlit as st

from app.dashboard import (
    browser_history,
    form_keys,
    last_visit,
    page_style,
    popover_keys,
    record_links,
    table_keys,
)
from app.dashboard.deployment import Deployment
from app.dashboard.signing_in import identity


def install_browser_scripts(deployment: Deployment | None) -> None:
    """Install them in the browser; without a deployment nobody is signed in."""
    scripts = [
        identity.RELOAD_SCRIPT,
        browser_history.SCRIPT,
        record_links.SCRIPT,
        table_keys.SCRIPT,
        popover_keys.SCRIPT,
        form_keys.SCRIPT,
    ]
    if deployment is not None:
        scripts.append(last_visit.build_visit_script(deployment))
    markup = f"<style>{page_style.STYLE}</style><script>{''.join(scripts)}</script>"
    st.html(markup, unsafe_allow_javascript=True)
