"""How right the estimates of one's own negotiations were. An extension, see `/v1/openapi`."""

from pydantic import Field

from .model import Reply
from .values import Flag, Id, Number, ReplyInstant


class DealEstimate(Reply):
    """A price that was agreed, and what was estimated before: totals before tax for the same scope and term.
    `error` is how far the median lay from what was paid, as a share of that; above 0 where it was too high.
    `within80` says whether the price lay in the range of 80 %."""

    negotiation_id: Id
    supplier: str = Field(description="The supplier's name.")
    estimated_at: ReplyInstant = Field(description="When it was estimated.")
    signed_at: ReplyInstant = Field(description="When the price was agreed.")
    currency: str
    median: Number = Field(description="The median of the estimate: a total before tax.")
    low: Number | None = Field(default=None, description="Percentile 10 of the estimate: a total before tax.")
    high: Number | None = Field(
        default=None, description="Percentile 90 of the estimate: a total before tax."
    )
    paid: Number = Field(description="What was agreed: a total before tax.")
    error: Number = Field(description="How far the median lay from what was paid, as a share of that.")
    within80: Flag | None = Field(default=None, description="Whether the price lay in the range of 80 %.")


class UncountedDeals(Reply):
    """Deals that no estimate can be compared with, and why, in a sentence."""

    reason: str = Field(description="Why they could not be compared, in a sentence.")
    total: int = Field(description="How many deals they are.")


class DealAccuracy(Reply):
    """How right the estimates were that negotiations began with, of those that were agreed. `deals` counts
    the compared ones; `mdape` is the median error whatever its sign, `bias` the median error with it,
    `coverage80` the share of prices in the range of 80 %. Figures are left out where nothing was compared.
    `statement` says what they are worth."""

    deals: int = Field(description="How many deals were compared.")
    mdape: Number | None = None
    bias: Number | None = Field(
        default=None, description="The median error of the medians, above 0 where they were too high."
    )
    coverage80: Number | None = None
    statement: str = Field(description="What the figures are worth, in sentences.")
    compared: list[DealEstimate] = Field(description="The compared deals, the newest first.")
    uncounted: list[UncountedDeals] = Field(
        description="How many deals could not be compared, by the reason."
    )
