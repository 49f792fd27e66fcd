import streamlit as st

from components.scopes import draw_scope_card, get_option_labels, make_scope_title
from tests.components.catalog.fixtures import make_product
from tests.components.scopes.fixtures import make_scope


def example() -> None:
    scope = make_scope()
    st.subheader(make_scope_title(scope))
    names = get_option_labels(scope.product_terms[0], make_product())
    draw_scope_card(scope, "USD", option_labels=[names])
