"""The same purchase with another term or other quantities."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

import streamlit as st

from app.contract.scope import Scope
from components.formatting.escape_markdown import escape_markdown
from components.scopes.fixtures import make_scope
from components.scopes.scope_card import get_main_quantity

DimensionKey = tuple[int, str]
"""The position of a product in the scope, and the id of one of its dimensions."""


@dataclass(frozen=True)
class ScopeChanges:
    """The changes to estimate; a term of None and no quantities where nothing changes."""

    term_length: int | None = None
    quantities: Mapping[DimensionKey, Decimal] = field(default_factory=dict[DimensionKey, Decimal])

    def __bool__(self) -> bool:
        return self.term_length is not None or bool(self.quantities)


def draw_what_if(scope: Scope, *, key: str) -> ScopeChanges:
    """Draw a field for the term and one for the main quantity of each product; return the changes."""
    now = int(scope.scope_terms[0].term_length) if scope.scope_terms else 12
    fields = [
        (at, term, number)
        for at, term in enumerate(scope.product_terms)
        if (number := get_main_quantity(term))
    ]
    grid = st.grid(min(len(fields) + 1, 4), min_column_width=180)
    term = grid.cell().number_input(
        "Term in months", min_value=1, max_value=1200, value=now, step=1, key=f"{key}-term"
    )
    quantities: dict[DimensionKey, Decimal] = {}
    for at, product, (dimension, value) in fields:
        several = f" of {product.product_name}" if len(fields) > 1 else ""
        typed = grid.cell().number_input(
            escape_markdown(f"{dimension.name}{several}"),
            value=float(value),
            min_value=0.0,
            step=1.0,
            format="%g",
            key=f"{key}-{at}",
        )
        if typed != float(value):
            quantities[at, dimension.id] = Decimal(str(typed))
    return ScopeChanges(int(term) if term != now else None, quantities)


def example() -> None:
    changes = draw_what_if(make_scope(), key="example-what-if")
    st.caption(f"{changes}" if changes else "No changes.")
