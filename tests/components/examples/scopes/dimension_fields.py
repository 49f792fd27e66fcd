import streamlit as st

from components.scopes import FieldValue, draw_dimension_field, get_default_value
from tests.components.catalog.fixtures import make_product


def example() -> None:
    typed: dict[str, FieldValue] = {}
    for dimension in make_product().pricing_dimensions:
        key = f"example-dimension-{dimension.id}"
        st.session_state.setdefault(key, get_default_value(dimension))
        typed[dimension.id] = draw_dimension_field(
            dimension,
            typed,
            key=key,
        )
