"""What an estimate would be with other terms, and how it differs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from app.contract.catalog import Product
from app.contract.money import format_money, format_signed_money
from app.contract.pricing import AdvancedEstimate, PreviewedEstimate
from app.contract.scope import Scope
from components.estimates.price_distribution import QUARTILES
from components.estimates.price_factors import describe_unit_prices
from components.formatting.texts import escape_markdown
from components.scopes.scope_form import FieldValue, draw_dimension_field, to_field_value


def draw_estimate_change(before: AdvancedEstimate, after: AdvancedEstimate) -> None:
    """Draw the quartiles after the change, and how far each has moved."""
    if after.currency != before.currency:
        st.warning(f"With these changes the estimate is in {after.currency}, not in {before.currency}.")
        return
    with st.container(horizontal=True):
        for percent, name in QUARTILES:
            value = after.estimate.at(percent)
            change = value - before.estimate.at(percent)
            st.metric(
                name,
                format_money(value, after.currency),
                delta=format_signed_money(change, after.currency) if change else "no change",
                delta_color="off",
                delta_arrow="off",
                width="content",
            )
    if isinstance(after, PreviewedEstimate):
        for product in after.products:
            st.caption(
                f"{escape_markdown(product.name)}: "
                f"{escape_markdown(describe_unit_prices(product, after.currency))}"
            )


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
