"""What became of an agreement's lines as purchases, and what was paid for a unit over time. An extension, see
`/v1/openapi`."""

from typing import Annotated

from pydantic import Field

from .agreements import MAX_LINES
from .model import Reply, Request
from .values import WHOLE, Date, Flag, Id, Number, ReplyInstant, open_words


class RecordedPurchase(Reply):
    """A purchase of the organisation on record: `unitPrice` is of one unit and `pricePeriod`, before tax.
    `orderId` is the number of its order."""

    id: Id
    purchase_date: Date
    quantity: Number
    unit: str | None = None
    unit_price: Number
    price_period: Annotated[str, open_words("month", "year", "term", "once")]
    term_months: int | None = None
    currency: str
    order_id: str | None = Field(
        default=None,
        description="The number of its order; of a purchase made of an agreement, that one's id.",
    )


class PurchaseDecision(Request):
    """The body of `POST /v1/agreements/{agreementId}/purchases/decision`: whether a purchase that may be that
    of a line, counted from 0, is the `same`. Decided again, the last word counts."""

    line: Annotated[int, Field(ge=0, lt=MAX_LINES), WHOLE] = Field(
        description="The number of the line, from 0."
    )
    purchase_id: Id = Field(description="One of the purchases that may be the same (`alike`).")
    same: Flag = Field(description="Whether it is that of the line, and so counts once.")


class DecidedPurchase(Reply):
    """A purchase of which somebody has decided whether it is that of a line."""

    purchase: RecordedPurchase = Field(description="The purchase on record.")
    same: bool = Field(description="Whether it is that of the line, and so counts once.")
    decided_at: ReplyInstant = Field(description="When it was decided.")
    decided_by: str | None = Field(
        default=None, description="The person or key that decided, and on whose behalf."
    )


class AgreementPurchase(Reply):
    """What became of one line of an agreement, counted from 0: `learned`, a purchase made of it; `same`, a
    purchase that was on record otherwise, such as an imported order; `not_learned`, with the reason; or
    `pending`, not looked at yet. `alike` are purchases that may be the same as that of the line but are not
    surely so: both count until one of them is removed, or a person decides. `decided` are those of which
    somebody has."""

    line: int = Field(description="The number of the line, from 0.")
    description: str = Field(description="What is bought, in the words of the agreement.")
    product_id: Id | None = None
    state: Annotated[str, open_words("learned", "same", "not_learned", "pending")] = Field(
        description="What became of the line."
    )
    reason: str | None = Field(default=None, description="Why the line is no purchase, in a sentence.")
    purchase: RecordedPurchase | None = Field(default=None, description="The purchase that the line is.")
    alike: list[RecordedPurchase] = Field(
        description="Purchases that may be the same, but are not surely so."
    )
    decided: list[DecidedPurchase] | None = Field(
        default=None, description="Purchases of which a person has decided whether they are that of the line."
    )


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
