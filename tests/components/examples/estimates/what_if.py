import streamlit as st

from components.estimates.what_if import draw_what_if
from tests.components.catalog.fixtures import make_product
from tests.components.scopes.fixtures import make_scope


def example() -> None:
    term, _ = draw_what_if(make_scope(), [make_product()], key="example-what-if")
    st.caption(f"Term: {term}")
