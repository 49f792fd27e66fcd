"""Fields for the same purchase with another term or other dimensions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from app.contract.catalog import Product
from app.contract.scope import Scope
from components.formatting.escape_markdown import escape_markdown
from components.scopes.dimension_field import FieldValue, draw_dimension_field, to_field_value


@dataclass(frozen=True)
class TypedChanges:
    """What the fields hold: the term in months, and the values of the dimensions by the product's position
    and the dimension's id."""

    term_length: int
    dimensions: Mapping[int, Mapping[str, FieldValue]] = field(
        default_factory=dict[int, Mapping[str, FieldValue]]
    )


def draw_what_if(scope: Scope, products: Sequence[Product | None], *, key: str) -> TypedChanges:
    """Draw a field for the term and one for each dimension of each product, filled with what the scope says;
    `products` has the product of each term, None where it is not in the catalog."""
    now = int(scope.scope_terms[0].term_length) if scope.scope_terms else 12
    term_key = f"{key}/term"
    st.session_state.setdefault(term_key, now)
    dimensions: dict[int, Mapping[str, FieldValue]] = {}
    keys = [term_key]
    with st.grid(4, min_column_width=180):
        with st.container():
            term = st.number_input("Term in months", min_value=1, max_value=1200, step=1, key=term_key)
        for at, (bought, product) in enumerate(zip(scope.product_terms, products, strict=True)):
            if product is None:
                continue
            stated = {one.id: one.value for one in bought.pricing_dimensions}
            typed: dict[str, FieldValue] = {}
            for dimension in product.pricing_dimensions:
                place = f"{key}/{at}/{dimension.id}"
                keys.append(place)
                value = to_field_value(dimension, stated.get(dimension.id))
                if value is not None:
                    st.session_state.setdefault(place, value)
                with st.container():
                    typed[dimension.id] = draw_dimension_field(dimension, typed, key=place)
                    if len(scope.product_terms) > 1:
                        st.caption(escape_markdown(product.name))
            dimensions[at] = typed

    def reset() -> None:
        for place in keys:
            st.session_state.pop(place, None)

    st.button("Back to the quote's values", icon=":material/undo:", key=f"{key}/reset", on_click=reset)
    return TypedChanges(int(term), dimensions)
