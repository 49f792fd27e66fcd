from decimal import Decimal

import streamlit as st

from app.contract.scope import DocumentReading, ReadLine, ReadValue, Scope
from components.documents.review_form import (
    AssignedProducts,
    describe_lines,
    describe_reading,
    draw_lines,
)
from tests.components.catalog.fixtures import make_product
from tests.components.fixtures import make_id
from tests.components.scopes.fixtures import make_scope


def example() -> None:
    scope: Scope = make_scope()
    product = make_product()
    values = [
        ReadValue(name="description", value=product.name, page=1, confidence=Decimal("0.9")),
        ReadValue(name="quantity", value=Decimal(120), page=1, confidence=Decimal("0.98"), sure=True),
        ReadValue(name="amount", value=Decimal(52400), page=1, confidence=Decimal("0.98"), sure=True),
    ]
    training = ReadValue(name="description", value="Training day", page=1, confidence=Decimal("0.7"))
    reading = DocumentReading(
        scope_id=scope.id,
        file_id=make_id(71),
        filename="quote.pdf",
        kind="quote",
        pages=[],
        values=[
            ReadValue(name="term_months", value=Decimal(12), page=1, confidence=Decimal("0.6")),
            ReadValue(name="net_total", value=Decimal(52400), page=1, confidence=Decimal("0.98"), sure=True),
        ],
        lines=[
            ReadLine(
                index=0,
                values=values,
                product_id=product.id,
                product_name=product.name,
                tags=["recurring"],
                first_month=6,
                months=6,
            ),
            ReadLine(index=1, values=[training], tags=["one_off", "optional"]),
        ],
        warnings=[],
    )
    products = {product.id: product}
    lines = draw_lines(
        reading, {product.id: product.name}, products, AssignedProducts({}), key="example-review"
    )
    st.caption(describe_reading(reading.values[0], reading))
    st.markdown(describe_lines(lines, ()))
