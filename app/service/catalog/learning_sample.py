"""Build what callers see of a past purchase: a learning data sample, without its buyer."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date

from app.service.catalog.wire import Record, to_json_number
from app.service.charges.charge import count_periods
from app.service.purchase_records import PricePeriod

DEFAULT_QUANTITY_NAME = "Quantity"


@dataclass(frozen=True)
class SampledPurchase:
    """What a sample is made from, as the columns of `purchase`. `unit_price` is of one unit and
    `price_period`."""

    id: str
    purchase_date: date
    quantity: float
    unit_price: float
    price_period: PricePeriod
    term_months: int | None
    attributes: Mapping[str, str | float]

    @property
    def total(self) -> float:
        """The total before tax for the whole term; for one period where no term is stated."""
        return (
            self.quantity * self.unit_price * float(count_periods(self.price_period, self.term_months) or 1)
        )


def build_learning_sample(
    purchase: SampledPurchase,
    *,
    product_name: str,
    quantity_name: str | None,
    dimension_columns: Collection[str],
) -> Record:
    """The sample of a purchase. `dimension_columns` are the attributes that are pricing dimensions of the
    product, and `quantity_name` is the dimension of the number bought. No term is 0 months."""
    others = [column for column in dimension_columns if column in purchase.attributes]
    return {
        "id": purchase.id,
        "startDate": f"{purchase.purchase_date}T00:00:00.000Z",
        "termMonths": purchase.term_months or 0,
        "negotiatedPrice": to_json_number(round(purchase.total, 2)),
        "productNames": [product_name],
        "primaryDimensionName": quantity_name or DEFAULT_QUANTITY_NAME,
        "primaryDimensionValue": to_json_number(purchase.quantity),
        "numberOfOtherDimensions": len(others),
    }
