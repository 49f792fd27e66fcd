"""The deletion of an agreement on its page, behind a question."""

import streamlit as st

from app.client import ScopedClient
from app.contract.agreements import Agreement, DeletedAgreement
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment


def draw_agreement_deletion(deployment: Deployment, one: Agreement) -> None:
    """Draw a button that says what is lost, and asks before it is."""
    if not queries.has_operation(deployment, "DELETE /v1/agreements/{}"):
        return

    def delete(client: ScopedClient, _: str) -> DeletedAgreement:
        return client.agreements.delete(one.id)

    def open_list(_: DeletedAgreement) -> None:
        navigation.open_page("agreements")

    with st.popover("Delete", icon=":material/delete:"):
        st.markdown(
            "The contract is gone for good, with the decisions on it, its alerts and the purchases that"
            " estimates learned from it. Its quote, document and negotiation stay."
        )
        write_button(
            deployment,
            "Delete it for good",
            name=f"delete-{one.id}",
            what="Deleting the contract",
            write=delete,
            on_success=open_list,
            icon=":material/delete_forever:",
        )
