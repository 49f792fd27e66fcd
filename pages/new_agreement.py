"""The form that puts a contract on record."""

import streamlit as st

from app.client import ScopedClient
from app.contract.agreements import Agreement, NewAgreement
from app.dashboard import navigation
from app.dashboard.agreements.agreement_validation import validate_agreement
from app.dashboard.kit.form import form_button
from app.dashboard.session_values import form_faults
from app.dashboard.signing_in import identity
from components.agreements.agreement_form import draw_agreement_form, read_agreement_form
from components.elements.page_header import draw_page_header

FORM = "agreement"

deployment = identity.require_deployment()


def send_agreement(client: ScopedClient, agreement: NewAgreement, idempotency_key: str) -> Agreement:
    return client.agreements.create(agreement, idempotency_key=idempotency_key)


navigation.draw_link("agreements", "All contracts", icon=":material/arrow_back:")
draw_page_header("New contract", caption="Only the name is needed: what is not known is asked for later.")
faults = form_faults(FORM).get()
if faults.get(""):
    st.error(faults[""], icon=":material/error:")
draw_agreement_form(key=FORM, faults=faults)
form_button(
    deployment,
    "Save contract",
    form=FORM,
    check=lambda: validate_agreement(read_agreement_form(key=FORM)),
    send=send_agreement,
    what="Saving the contract",
    on_success=lambda made: navigation.open_page("agreement", id=made.id),
    icon=":material/add:",
)
