"""How right the estimates of one's own negotiations were. An extension, see `/v1/openapi`."""

from .model import Reply
from .values import Flag, Id, Number, ReplyInstant


class DealEstimate(Reply):
    """A price that was agreed, and what was estimated before: totals before tax for the same scope and term.
    `error` is how far the median lay from what was paid, as a share of that; above 0 where it was too high.
    `within80` says whether the price lay in the range of 80 %."""

    negotiation_id: Id
    supplier: str
    estimated_at: ReplyInstant
    signed_at: ReplyInstant
    currency: str
    median: Number
    low: Number | None = None
    high: Number | None = None
    paid: Number
    error: Number
    within80: Flag | None = None


class UncountedDeals(Reply):
    """Deals that no estimate can be compared with, and why, in a sentence."""

    reason: str
    total: int


class DealAccuracy(Reply):
    """How right the estimates were that negotiations began with, of those that were agreed. `deals` counts
    the compared ones; `mdape` is the median error whatever its sign, `bias` the median error with it,
    `coverage80` the share of prices in the range of 80 %. Figures are left out where nothing was compared.
    `statement` says what they are worth."""

    deals: int
    mdape: Number | None = None
    bias: Number | None = None
    coverage80: Number | None = None
    statement: str
    compared: list[DealEstimate]
    uncounted: list[UncountedDeals]
