"""The review of one line of a quote: its product and the reason for it, open questions, other candidates."""

from collections.abc import Callable, Mapping

import streamlit as st

from app.contract.catalog import PricingDimension, Product, SelectField
from app.contract.money import format_money
from app.contract.scope import LineDimension, ReadLine
from components.documents.reviewed_line import (
    ReviewedLine,
    describe_line,
    get_counted_dimension,
    must_choose,
)
from components.formatting.escape_markdown import escape_markdown
from components.scopes.dimension_field import FieldValue, draw_dimension_field, is_available, to_field_value

NEW_PRODUCT = "new"
"""The choice of a product that is not on record yet."""


def draw_line_row(
    reviewed: ReviewedLine,
    product: Product | None,
    choices: Mapping[str, str],
    currency: str,
    *,
    key: str,
    on_choose: Callable[[int, str, str | None], None],
    can_add: bool,
    adds_at_once: bool = False,
) -> tuple[dict[str, FieldValue], bool]:
    """Draw one row: what the line says, its product where the document did not settle it, and each field of
    the product that affects the price and must be chosen. Return the values of these, by dimension id, and
    whether the line is to be added as a new product.

    `choices` are the names of products by id; the likely ones come first. With `adds_at_once` a new product
    is chosen at first."""
    asked = _list_asked(reviewed.line, product)
    is_open = product is None or product.id != reviewed.line.product_id
    cells = st.columns([3, *([3] if is_open else []), *[2 for _ in asked]], vertical_alignment="center")
    with cells[0]:
        amount = "" if reviewed.amount is None else f" :gray[{format_money(reviewed.amount, currency)}]"
        st.markdown(f"**{escape_markdown(describe_line(reviewed.line))}**{amount}")
    adds = False
    if is_open:
        with cells[1]:
            chosen = _draw_product_choice(
                reviewed, choices, key, on_choose, can_add=can_add, adds_at_once=adds_at_once
            )
            adds = chosen == NEW_PRODUCT
    values: dict[str, FieldValue] = {}
    if product is not None:
        for cell, dimension in zip(cells[2 if is_open else 1 :], asked, strict=True):
            with cell:
                values[dimension.id] = _draw_field(reviewed, product, dimension, None, key=key)
    return values, adds


def _draw_product_choice(
    reviewed: ReviewedLine,
    choices: Mapping[str, str],
    key: str,
    on_choose: Callable[[int, str, str | None], None],
    *,
    can_add: bool,
    adds_at_once: bool,
) -> str | None:
    line = reviewed.line
    likely = {one.product_id: f"{one.product_name} ({one.company_name})" for one in line.candidates}
    new = {NEW_PRODUCT: "Add it as a new product"} if can_add else {}
    names = likely | (new if not likely else {}) | {one: choices[one] for one in choices if one not in likely}
    names |= new
    field = f"{key}/product"

    def choose() -> None:
        chosen = st.session_state[field]
        if chosen != NEW_PRODUCT:
            on_choose(line.index, chosen, reviewed.product_id)

    # A product may be chosen in the table of all lines as well.
    if reviewed.product_id in names:
        st.session_state[field] = reviewed.product_id
    elif field not in st.session_state or st.session_state[field] not in (None, NEW_PRODUCT):
        st.session_state[field] = NEW_PRODUCT if adds_at_once and can_add else None
    return st.selectbox(
        f"Product of {escape_markdown(describe_line(line))}",
        list(names),
        format_func=lambda ident: names[ident],
        index=None,
        required=True,
        key=field,
        placeholder="Which product?" if names else "Nothing on record is like it",
        label_visibility="collapsed",
        on_change=choose,
        disabled=not names,
    )


def draw_product_fields(
    reviewed: ReviewedLine,
    product: Product,
    drawn: Mapping[str, FieldValue],
    *,
    key: str,
) -> dict[str, FieldValue]:
    """Draw the dimensions of the line's product, except the quantity, which is in the table, and those that
    were `drawn` elsewhere, and return the values of all. Only what the text of the line states is filled
    in."""
    counted = get_counted_dimension(product)
    typed: dict[str, FieldValue] = {} if counted is None else {counted.id: float(reviewed.quantity or 0)}
    others = [one for one in product.pricing_dimensions if counted is None or one.id != counted.id]
    with st.grid(2, min_column_width=190):
        for dimension in others:
            if dimension.id in drawn:
                typed[dimension.id] = drawn[dimension.id] if is_available(dimension, typed) else None
                continue
            with st.container():
                typed[dimension.id] = _draw_field(reviewed, product, dimension, typed, key=key)
    if counted is not None:
        del typed[counted.id]
    return typed


def _list_asked(line: ReadLine, product: Product | None) -> list[PricingDimension]:
    """Return the dimensions to choose in the row: those that affect the price and depend on no other."""
    if product is None:
        return []
    return [
        one
        for one in product.pricing_dimensions
        if must_choose(line, product, one) and one.depends_on.depends_on_dimension_id is None
    ]


def _draw_field(
    reviewed: ReviewedLine,
    product: Product,
    dimension: PricingDimension,
    typed: Mapping[str, FieldValue] | None,
    *,
    key: str,
) -> FieldValue:
    """Draw one dimension, in the row where `typed` is None, with what the document says about it."""
    understood = (
        next((one for one in reviewed.line.dimensions if one.id == dimension.id), None)
        if reviewed.line.product_id == product.id
        else find_proposed_option(reviewed.line, dimension)
    )
    field = f"{key}/{product.id}/{dimension.id}"
    value = to_field_value(dimension, understood.value if understood else None)
    if value is not None:
        st.session_state.setdefault(field, value)
    if typed is None:
        name = f"{dimension.name}?"
        return draw_dimension_field(dimension, {}, key=field, none_label=name, is_in_row=True)
    if must_choose(reviewed.line, product, dimension):
        chosen = draw_dimension_field(dimension, typed, key=field, none_label="not known yet")
    else:
        chosen = draw_dimension_field(dimension, typed, key=field)
    if understood and understood.words and understood.source == "read":
        st.caption(f"Read: “{escape_markdown(understood.words)}”")
    return chosen


def find_proposed_option(line: ReadLine, dimension: PricingDimension) -> LineDimension | None:
    """Return the option that the text of the line names, for a product other than the matched one."""
    field = dimension.form_field
    words = {one.name.casefold(): one.option for one in line.proposed.dimensions} if line.proposed else {}
    option = words.get(dimension.name.casefold())
    if option is None or not isinstance(field, SelectField):
        return None
    for one in field.options:
        if one.label.casefold() == option.casefold():
            return LineDimension(
                id=dimension.id, name=dimension.name, value=one.value, source="read", words=option
            )
    return None


def draw_question(question: str) -> None:
    st.markdown(f":orange[:material/help:] {escape_markdown(question)}")


def draw_match_reason(line: ReadLine, product: Product) -> None:
    """Draw why the line was matched to its product."""
    if line.product_id == product.id and line.matched_by:
        st.caption(
            f"{escape_markdown(product.name)} by {escape_markdown(product.company.name)}: found by its "
            f"{line.matched_by}."
        )
    else:
        st.caption(
            f"{escape_markdown(product.name)} by {escape_markdown(product.company.name)}: chosen by you."
        )


def draw_candidates(reviewed: ReviewedLine) -> None:
    """Draw why the line may be each of the products that are offered first."""
    for candidate in reviewed.line.candidates:
        if candidate.product_id != reviewed.product_id:
            name = f"{candidate.product_name} by {candidate.company_name}"
            st.caption(f"{escape_markdown(name)}: {escape_markdown(candidate.why)}")
