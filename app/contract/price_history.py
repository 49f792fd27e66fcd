"""What an organisation paid for a unit over time. An extension, see `/v1/openapi`."""

from pydantic import Field

from .model import Reply
from .values import Date, Flag, Id, Number

MAX_HISTORY_PURCHASES = 2_000
"""A history is of at most so many purchases, the latest ones."""


class PricePoint(Reply):
    """A purchase of the organisation. `unitPrice` is of one unit, of one month where it is paid for a time,
    before tax. `agreementId` and `agreementName` say which agreement it is a line of."""

    purchase_id: Id = Field(description="The purchase, by its id.")
    purchase_date: Date
    unit_price: Number = Field(
        description="The price of one unit, of one month where it is paid for a time; before tax."
    )
    quantity: Number
    term_months: int | None = None
    order_id: str | None = Field(default=None, description="The number of its order.")
    agreement_id: Id | None = Field(
        default=None, description="The agreement that it is a line of, by its id."
    )
    agreement_name: str | None = Field(default=None, description="The name of that agreement.")


class PriceLine(Reply):
    """The price of one unit of a product over time, the earliest purchase first. Another supplier, product,
    unit or currency is a line of its own, as is what is paid once. `doubts` say where two of its purchases
    may not be of the same thing."""

    company_id: Id
    supplier: str = Field(description="The supplier's name.")
    product_id: Id
    product_name: str
    unit: str | None = None
    currency: str
    recurring: Flag = Field(
        description="Whether it is paid for a time: its prices are then those of a month."
    )
    points: list[PricePoint] = Field(description="The purchases, the earliest first.")
    doubts: list[str] = Field(
        description="Where two of its purchases may not be of the same thing, in sentences."
    )


class PriceHistory(Reply):
    """The lines of a supplier, or of an agreement with those before and after it; those bought last come
    first. `doubts` are of the whole: what is in one agreement and not in the one that follows."""

    lines: list[PriceLine] = Field(description="The lines, that bought last first.")
    doubts: list[str] = Field(
        description="What is in one agreement and not in the one that follows, in sentences."
    )
