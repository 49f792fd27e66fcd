"""The form that puts a contract on record."""

import streamlit as st

from app.dashboard import navigation
from app.dashboard.agreements.agreement_forms import make_new_form
from app.dashboard.signing_in import identity
from components.elements.page_header import draw_page_header

deployment = identity.require_deployment()


navigation.draw_link("agreements", "All contracts", icon="arrow_back")
draw_page_header("New contract", caption="Only the name is needed: what is not known is asked for later.")
form = make_new_form(deployment)
st.caption("Leave out what you do not know: it is listed as missing, and no date is made of it.")
form.draw(columns=2)
form.draw_button(
    "Save contract",
    send=lambda client, body, key: client.agreements.create(body, idempotency_key=key),
    what="Saving the contract",
    on_success=lambda made: navigation.open_page("agreement", id=made.id),
    icon="add",
)
