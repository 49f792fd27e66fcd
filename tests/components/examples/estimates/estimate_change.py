from app.contract.pricing import PreviewedEstimate
from components.estimates.what_if import draw_estimate_change
from tests.components.estimates.fixtures import (
    make_advanced_estimate,
    make_percentiles,
    make_product_explanation,
)


def example() -> None:
    before = make_advanced_estimate()
    after = PreviewedEstimate.model_validate(
        {
            **before.model_dump(),
            "estimate": make_percentiles(51_000),
            "products": [make_product_explanation()],
        }
    )
    draw_estimate_change(before, after)
