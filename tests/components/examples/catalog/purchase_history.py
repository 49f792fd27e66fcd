from app.contract.catalog import LearningDataSample
from components.catalog import draw_purchase_table
from components.estimates.similar_purchases import draw_price_against_quantity


def _example_sample(number: int) -> LearningDataSample:
    record: dict[str, object] = {
        "id": f"sample-{number}",
        "startDate": f"202{number}-03-01",
        "termMonths": 12 * number,
        "negotiatedPrice": 1000 * 3**number,
        "productNames": ["Acme Platform"],
        "primaryDimensionName": "Users",
        "primaryDimensionValue": 10**number,
        "numberOfOtherDimensions": 1,
    }
    return LearningDataSample.model_validate(record)


def example() -> None:
    samples = [_example_sample(number) for number in range(5)]
    draw_purchase_table(samples, "USD", key="example-purchases")
    draw_price_against_quantity(samples, "USD", key="example-purchase-scatter")
