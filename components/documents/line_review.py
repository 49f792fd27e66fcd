"""The review of one line of a quote: its product and the reason for it, open questions, other candidates."""

from collections.abc import Callable
from decimal import Decimal

import streamlit as st

from app.contract.catalog import PricingDimension, Product, SelectField
from app.contract.scope import LineCandidate, LineDimension, ReadLine, ReadValue
from components.catalog.fixtures import make_product
from components.documents.reviewed_line import (
    ReviewedLine,
    describe_line,
    get_counted_dimension,
    must_choose,
    read_quantity,
)
from components.fixtures import make_id
from components.formatting.escape_markdown import escape_markdown
from components.scopes.dimension_field import FieldValue, draw_dimension_field, to_field_value

_UNKNOWN_LABEL = "not known yet"


def draw_product_fields(reviewed: ReviewedLine, product: Product, *, key: str) -> dict[str, FieldValue]:
    """Draw the dimensions of the line's product, except the quantity, which is in the table, and return their
    values. Only what the text of the line states is filled in."""
    counted = get_counted_dimension(product)
    typed: dict[str, FieldValue] = {}
    if counted is not None:
        typed[counted.id] = float(reviewed.quantity or 0)
    others = [one for one in product.pricing_dimensions if counted is None or one.id != counted.id]
    read = {one.id: one for one in reviewed.line.dimensions}
    with st.grid(2, min_column_width=190):
        for dimension in others:
            understood = (
                read.get(dimension.id)
                if reviewed.line.product_id == product.id
                else find_proposed_option(reviewed.line, dimension)
            )
            field = f"{key}/{product.id}/{dimension.id}"
            value = to_field_value(dimension, understood.value if understood else None)
            if value is not None:
                st.session_state.setdefault(field, value)
            must_ask = must_choose(reviewed.line, product, dimension)
            with st.container():
                typed[dimension.id] = (
                    draw_dimension_field(dimension, typed, key=field, none_label=_UNKNOWN_LABEL)
                    if must_ask
                    else draw_dimension_field(dimension, typed, key=field)
                )
                if understood and understood.words and understood.source == "read":
                    st.caption(f"Read: “{escape_markdown(understood.words)}”")
    if counted is not None:
        del typed[counted.id]
    return typed


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


def draw_candidates(
    reviewed: ReviewedLine, *, key: str, on_choose: Callable[[int, str, str | None], None]
) -> None:
    """Draw the products that the line may be, each with a reason and a button to choose it."""
    for candidate in reviewed.line.candidates:
        if candidate.product_id == reviewed.product_id:
            continue
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                f"Choose {escape_markdown(candidate.product_name)}",
                icon=":material/check:",
                key=f"{key}/take-{candidate.product_id}",
                on_click=on_choose,
                args=(reviewed.line.index, candidate.product_id, reviewed.product_id),
            )
            st.caption(f"by {escape_markdown(candidate.company_name)}. {escape_markdown(candidate.why)}")


def example() -> None:
    product = make_product()
    line = ReadLine(
        index=0,
        values=[
            ReadValue(name="description", value="Ledger Cloud with SSO"),
            ReadValue(name="quantity", value=Decimal(120)),
        ],
        product_id=product.id,
        product_name=product.name,
        matched_by="wording",
        dimensions=[
            LineDimension(id=make_id(12), name="Single sign-on", value=Decimal(1), source="read", words="SSO")
        ],
        candidates=[
            LineCandidate(
                product_id=make_id(2),
                product_name="Ledger Cloud Plus",
                company_id=make_id(9),
                company_name="Ledgerworks",
                score=Decimal(82),
                why="The product is “plus”, which the line does not say.",
            )
        ],
    )
    reviewed = ReviewedLine(line, product.id, read_quantity(line, product), Decimal(52_400))
    st.markdown(f"**{escape_markdown(describe_line(line))}**")
    draw_match_reason(line, product)
    draw_product_fields(reviewed, product, key="example-line")
    draw_question("Not known yet: the edition.")

    def choose(line: int, product_id: str, instead_of: str | None) -> None:
        st.toast(f"Line {line + 1} is {product_id}, not {instead_of}")

    draw_candidates(reviewed, key="example-line", on_choose=choose)
