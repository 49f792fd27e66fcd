"""Price estimates (part 2 of the interface): the total before tax of the whole scope for its term."""

from typing import Annotated

from pydantic import Field

from app.contract.catalog import LearningDataSample
from app.contract.model import Reply
from app.contract.values import Id, Number, ReplyInstant, open_words

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
