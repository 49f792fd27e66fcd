"""What became of an agreement's lines as purchases. An extension, see `/v1/openapi`."""

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
