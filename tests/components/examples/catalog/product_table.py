from app.contract.catalog import ProductSummary
from components.catalog import draw_product_table


def example() -> None:
    product = ProductSummary(
        id="018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f",
        name="Acme Platform",
        description="Does the work.",
        default_price=120,  # pyright: ignore[reportArgumentType]
        currency="USD",
        is_custom_estimate_available=True,
        last_updated_at=None,
    )
    draw_product_table([product], {})
