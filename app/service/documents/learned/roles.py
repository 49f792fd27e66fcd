"""What a printed figure can be."""

from typing import Literal, TypeAlias, get_args

FigureRole: TypeAlias = Literal[
    "quantity", "unit_price", "list_price", "amount", "period",
    "subtotal", "discount", "tax", "total", "other",
]  # fmt: skip
"""`period` is the number of months, or of other periods, that an amount is charged for; `discount` is of a
line or of the document, in percent or money."""

ROLES: tuple[FigureRole, ...] = get_args(FigureRole)
"""In the order of the columns of the model's probabilities."""
