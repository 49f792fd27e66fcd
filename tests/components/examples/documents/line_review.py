from decimal import Decimal

import streamlit as st

from app.contract.scope import LineCandidate, LineDimension, ReadLine, ReadValue
from components.documents.review_form import (
    ReviewedLine,
    draw_candidates,
    draw_line_row,
    draw_match_reason,
    draw_product_fields,
    read_quantity,
)
from tests.components.catalog.fixtures import make_product
from tests.components.fixtures import make_id


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

    def choose(line: int, product_id: str, instead_of: str | None) -> None:
        st.toast(f"Line {line + 1} is {product_id}, not {instead_of}")

    choices = {product.id: product.name}
    answered, _ = draw_line_row(
        reviewed, product, choices, "USD", key="example-line", on_choose=choose, can_add=True
    )
    draw_match_reason(line, product)
    draw_product_fields(answered, product, key="example-line")
    draw_candidates(reviewed)
