from decimal import Decimal

from components.documents.review_form import (
    LEFT_OUT,
    NOT_A_PRODUCT,
    UnestimatedLine,
    draw_unestimated_lines,
)


def example() -> None:
    draw_unestimated_lines(
        [
            UnestimatedLine("Training day", Decimal(2000), NOT_A_PRODUCT),
            UnestimatedLine("Harbour Vault", Decimal("8540.50"), LEFT_OUT),
        ],
        "USD",
    )
