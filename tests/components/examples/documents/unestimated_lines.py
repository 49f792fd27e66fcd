from decimal import Decimal

from app.contract.scope import UncoveredLine
from components.documents.review_form import (
    LEFT_OUT,
    NOT_A_PRODUCT,
    draw_unestimated_lines,
)


def example() -> None:
    draw_unestimated_lines(
        [
            UncoveredLine(description="Training day", amount=Decimal(2000), why=NOT_A_PRODUCT),
            UncoveredLine(description="Harbour Vault", amount=Decimal("8540.50"), why=LEFT_OUT),
        ],
        "USD",
    )
