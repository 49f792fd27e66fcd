"""Price estimates (part 2 of the interface): the total before tax of the whole scope for its term."""

from typing import Annotated

from pydantic import Field

from app.contract.catalog import LearningDataSample
from app.contract.model import Reply
from app.contract.scope import NewScope
from app.contract.values import Date, Id, Number, ReplyInstant, Text, open_words

PERCENTILES = tuple(range(10, 95, 5))
"""The 17 percentiles of an advanced estimate."""


class BasicPercentiles(Reply):
    percentile25: Number
    percentile50: Number
    percentile75: Number


class BasicEstimate(Reply):
    """What a quarter, half and three quarters of comparable purchases stay below."""

    estimate: BasicPercentiles
    currency: str
    timestamp: ReplyInstant


class Percentiles(Reply):
    """17 percentiles, never decreasing."""

    percentile10: Number
    percentile15: Number
    percentile20: Number
    percentile25: Number
    percentile30: Number
    percentile35: Number
    percentile40: Number
    percentile45: Number
    percentile50: Number
    percentile55: Number
    percentile60: Number
    percentile65: Number
    percentile70: Number
    percentile75: Number
    percentile80: Number
    percentile85: Number
    percentile90: Number

    def at(self, percent: int) -> Number:
        """The value of one of the 17 percentiles. KeyError for any other."""
        if percent not in PERCENTILES:
            raise KeyError(percent)
        value: Number = getattr(self, f"percentile{percent}")
        return value


class ProductEstimate(Reply):
    """One product's part. `estimate` stands when `status` is success, `code` and `message` when it is error.
    The parts need not add up to the whole."""

    status: Annotated[str, open_words("success", "error")]
    defaulted: bool
    name: str
    product_id: Id
    estimate: Percentiles | None = None
    code: Annotated[str, open_words("pricing_failed", "validation_failed")] | None = None
    message: str | None = None


class CompanyPurchaseCount(Reply):
    company_id: Id
    company_name: str
    real_purchase_count: int


class SimilarPurchase(LearningDataSample):
    """A past purchase that carried weight, with how alike it is in whole per cent."""

    similarity_rate: Annotated[Number, Field(ge=0, le=100)]


class AdvancedEstimate(Reply):
    """The whole distribution, each product's part and the purchases behind them."""

    estimate: Percentiles
    product_estimates: list[ProductEstimate]
    currency: str
    timestamp: ReplyInstant
    real_purchase_count: list[CompanyPurchaseCount]
    real_similar_purchases: list[SimilarPurchase]


# Extensions: beyond the interface, see `/v1/openapi`.


class PricePreview(NewScope):
    """The body of `POST /v1/pricing/preview`: a scope that is not stored, and the purchases to leave out."""

    exclude: Annotated[list[Text], Field(max_length=1000)] = Field(default_factory=list[str])


class PriceFactor(Reply):
    """Something that moved an estimate by `effect`, a ratio: 0.93 made it 7 % cheaper."""

    name: Annotated[str, open_words("volume", "term", "renewal", "recency", "dimensions")]
    effect: Number


class PriceComparable(Reply):
    """A past purchase that carried weight. `weight` is its share of the whole, 0 to 1; `similarity` and its
    `parts` are whole per cents; `unit_price` is what a unit would cost on the terms asked for. `discount` is
    per cent off the list price where the purchase names one; `converted_from` the currency that was paid in
    where it is another one: the price is then converted at the rate of its day."""

    id: str
    purchase_date: Date
    quantity: Number
    term_months: Number
    unit_price: Number
    weight: Number
    similarity: Number
    parts: dict[str, Number]
    discount: Number | None = None
    converted_from: str | None = None


class ProductExplanation(Reply):
    """What one product's estimate rests on. `level` says how alike the best comparables are,
    `effective_purchases` how many equal ones would say as much, `newest` the day of the latest."""

    product_id: Id
    name: str
    level: Annotated[str, open_words("repeat", "product", "similar", "related", "coarse")]
    best_similarity: Number
    purchases: int
    effective_purchases: Number
    newest: Date
    unit_price: Number = Field(description="The median; a month's where the price is recurring.")
    recurring: bool
    factors: list[PriceFactor]
    comparables: list[PriceComparable]


class PriceExplanation(Reply):
    """What moved an estimate, and how strong and recent the evidence is."""

    currency: str
    timestamp: ReplyInstant
    products: list[ProductExplanation]


class PreviewedEstimate(AdvancedEstimate):
    """An advanced estimate that stored nothing, with its explanation."""

    products: list[ProductExplanation]


class CalibrationLevel(Reply):
    """The figures of the estimates at one level of similarity."""

    level: Annotated[str, open_words("repeat", "product", "similar", "related", "coarse", "none")]
    n: int
    pinball: Number
    coverage80: Number
    coverage50: Number
    width: Number


class CalibrationPoint(Reply):
    """`told` is a probability as estimated, `below` the share of prices that really lay below it."""

    told: Number
    below: Number


class PriceCalibration(Reply):
    """How right the estimates were on past purchases, each estimated from those before it.

    `pinball` is the mean loss of ln unit price over the 10, 25, 50, 75 and 90 % quantiles, `coverage80` and
    `coverage50` the share of prices inside the intervals, `mdape` the median error of the median as a share
    of the price, `width` the median of the 90 % over the 10 % quantile. `refused` of the `n` purchases would
    have got no estimate. `learnt_on` counts the purchases learnt from, the latest of `learnt_until`.
    """

    made_at: ReplyInstant
    learnt_on: int
    learnt_until: Date
    n: int
    refused: int
    pinball: Number
    coverage80: Number
    coverage50: Number
    mdape: Number
    width: Number
    by_similarity: list[CalibrationLevel]
    percentiles: list[CalibrationPoint]
