"""The savings of agreed prices, and how right the estimates before them were: records beyond the interface,
see `/v1/openapi`."""

from typing import Annotated, Literal

from pydantic import Field

from .model import Reply
from .values import Flag, Id, Number, ReplyInstant, open_words

SavingsBaseline = Literal["first_offer", "target", "previous_price", "median_estimate"]
MAIN_BASELINES: tuple[SavingsBaseline, ...] = ("first_offer", "median_estimate")
"""The savings of an agreed price are those against the first of these that there is."""


class SavingsMeasure(Reply):
    """What an agreed price saved against one baseline: `baseline` less what was agreed, negative where more
    was agreed; `rate` in per cent of the baseline. `basis` says in words what the baseline is."""

    against: Annotated[str, open_words(SavingsBaseline)]
    baseline: Number
    saved: Number
    rate: Number | None = None
    basis: str = Field(description="What the baseline is, in words.")


class SavingsSum(Reply):
    """Agreed negotiations of one group in one currency. `baseline` is what savings are measured against,
    summed; `target` sums those that had one. `measures` sum each baseline over the negotiations that have it;
    their `basis` says over how many."""

    key: str = Field(description="What the sum is of: a supplier's id, a month or a category's id.")
    name: str = Field(description="The name of what the sum is of.")
    currency: str
    negotiations: int = Field(description="How many agreed prices it sums.")
    baseline: Number
    target: Number | None = None
    agreed: Number
    savings: Number
    savings_rate: Number | None = None
    measures: list[SavingsMeasure] = Field(default_factory=list[SavingsMeasure])


class AgreedNegotiation(Reply):
    """One agreed price with the baseline of its savings. `target` is that for the agreed term; `unmeasured`
    says why the price is not measured against a baseline that there was. `purchases` is how many the estimate
    is based on."""

    negotiation_id: Id
    supplier: str = Field(description="The supplier's name.")
    company_id: Id | None = None
    category: str | None = None
    agreed_at: ReplyInstant = Field(description="When the price was agreed.")
    currency: str
    against: Annotated[str, open_words(*MAIN_BASELINES)] | None = None
    baseline: Number | None = None
    target: Number | None = None
    agreed: Number
    savings: Number | None = None
    savings_rate: Number | None = None
    measures: list[SavingsMeasure] = Field(default_factory=list[SavingsMeasure])
    unmeasured: str | None = None
    purchases: int = Field(description="How many purchases the estimate rests on.")


class SavingsReport(Reply):
    """Savings of all agreed prices, in total and by supplier, month (`2026-11`) and category. Those without a
    baseline are listed and not summed."""

    total: list[SavingsSum] = Field(
        description="The savings of all agreed prices, one sum for each currency."
    )
    by_supplier: list[SavingsSum] = Field(description="The savings by supplier.")
    by_month: list[SavingsSum] = Field(description="The savings by the month in which the price was agreed.")
    by_category: list[SavingsSum] = Field(description="The savings by category of the supplier.")
    negotiations: list[AgreedNegotiation] = Field(
        description="Every agreed price, with or without a baseline."
    )


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
