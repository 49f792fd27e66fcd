"""Build what callers see of a past purchase: a learning data sample, without its buyer."""

from collections.abc import Collection, Mapping
from datetime import date
from typing import Any

from app.service.catalog.wire import Record, to_json_number
from app.service.purchase_records.records import MONTHS_PER_PERIOD

DEFAULT_QUANTITY_NAME = "Quantity"

Row = Mapping[str, Any]


def total_price(row: Row) -> float:
    """Return the total before tax for the whole term, of a row of `purchase`."""
    months = MONTHS_PER_PERIOD.get(row["price_period"])
    periods = row["term_months"] / months if months and row["term_months"] else 1.0
    return row["quantity"] * row["unit_price"] * periods


def build_learning_sample(
    row: Row, *, product_name: str, quantity_name: str | None, dimension_columns: Collection[str]
) -> Record:
    """The sample of a row of `purchase`. `dimension_columns` are the attributes that are pricing dimensions
    of the product, and `quantity_name` is the dimension of the number bought. No term is 0 months."""
    day: date = row["purchase_date"]
    others = [column for column in dimension_columns if column in row["attributes"]]
    return {
        "id": row["id"],
        "startDate": f"{day}T00:00:00.000Z",
        "termMonths": row["term_months"] or 0,
        "negotiatedPrice": to_json_number(round(total_price(row), 2)),
        "productNames": [product_name],
        "primaryDimensionName": quantity_name or DEFAULT_QUANTITY_NAME,
        "primaryDimensionValue": to_json_number(row["quantity"]),
        "numberOfOtherDimensions": len(others),
    }
