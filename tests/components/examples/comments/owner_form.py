import streamlit as st

from app.contract.owners import Owner
from components.comments.owner_form import describe_owners, draw_owner_form


def example() -> None:
    owners = [Owner(name="Bea Buyer", email="bea@acme.example"), Owner(name="Carl")]
    st.markdown(describe_owners(owners))
    draw_owner_form(owners, key="example-owner", faults={"name": "Enter the owner's name too."})
