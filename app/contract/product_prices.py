"""What a product was bought for: an extension of the interface, see `/v1/openapi`."""

from pydantic import Field

from .model import Reply
from .pricing import Percentiles
from .values import Date, Flag, Id, ReplyInstant

MAX_PRICED_PURCHASES = 1_000
"""The price ranges of a product are of at most so many of its purchases, the latest ones."""


class UnitPercentiles(Percentiles):
    """The 17 percentiles of the price of one unit, for one month where it is paid for a time; before tax."""


class UnitPriceRange(Reply):
    """What one `unit` of a product cost, in the currency of the whole answer: for one month where
    `recurring`, else once. `purchases` counts those that were compared, from `first_bought` to
    `last_bought`, and `own_purchases` those of them that the caller made. Where they are too few for a
    figure, `reason` says so in a sentence, and prices and days are left out."""

    unit: str | None = None
    recurring: Flag
    purchases: int
    own_purchases: int = Field(description="How many of them are the caller's own.")
    first_bought: Date | None = Field(default=None, description="The day of the oldest of them.")
    last_bought: Date | None = Field(default=None, description="The day of the newest of them.")
    prices: UnitPercentiles | None = Field(
        default=None, description="The percentiles of the price of one unit."
    )
    reason: str | None = Field(default=None, description="Why there is no range, in a sentence.")


class ProductPrices(Reply):
    """The price ranges of a product by unit and period, that of the most purchases first.
    `purchases_on_record` are all that the caller may see, of which the latest are compared; `not_converted`
    of those were left out because they were paid in another currency without an exchange rate."""

    product_id: Id
    currency: str
    timestamp: ReplyInstant
    purchases_on_record: int = Field(description="All purchases of the product that the caller may see.")
    not_converted: int = Field(
        description="How many of the latest are left out for want of an exchange rate."
    )
    ranges: list[UnitPriceRange] = Field(
        description="The price ranges by unit and period, that of the most purchases first."
    )
