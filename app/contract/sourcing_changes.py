"""What is corrected of a quote that answers a requirement, and what is left of a removed one."""

from typing import Annotated

from pydantic import Field

from .model import Change, Reply
from .price_steps import PriceBreaks, VolumeDiscounts
from .sourcing import MAX_LINES, Recurrence, UnitText
from .values import WHOLE, Amount, CurrencyCode, Date, Flag, Id, Months, Name, Percentage, Positive, Text


class ChangedQuoteLine(Change):
    """What is corrected of a line of a quote, which `id` names."""

    removable = frozenset(
        {
            *("unit", "tax_included", "tax_percent", "term_months", "breaks", "minimum_quantity"),
            *("maximum_quantity", "bundle_id"),
        }
    )

    id: Id
    quantity: Positive | None = None
    unit: UnitText | None = None
    unit_price: Amount | None = None
    tax_included: Flag | None = None
    tax_percent: Percentage | None = None
    recurring: Recurrence | None = None
    term_months: Months | None = Field(
        default=None, description="For how many months a price for the term is."
    )
    breaks: PriceBreaks | None = None
    minimum_quantity: Positive | None = None
    maximum_quantity: Positive | None = None
    bundle_id: Annotated[Text, Field(min_length=1, max_length=100)] | None = None


class SourcingQuoteChange(Change):
    """The body of `PATCH /v1/requirements/{requirementId}/quotes/{quoteId}`. Lines that it does not name stay
    as they are; what a line says stays, because it was aligned by that. With another `supplierName` the
    quote is no longer that of the company it was of."""

    removable = frozenset(
        {"valid_until", "payment_terms_days", "minimum_order", "lead_time_days", "discounts"}
    )

    supplier_name: Name | None = None
    currency: CurrencyCode | None = None
    valid_until: Date | None = Field(default=None, description="The last day on which it is valid.")
    payment_terms_days: Annotated[int, Field(ge=0, le=3650), WHOLE] | None = None
    minimum_order: Amount | None = None
    lead_time_days: Annotated[int, Field(ge=0, le=3650), WHOLE] | None = None
    discounts: VolumeDiscounts | None = Field(default=None, description="What is taken off from amounts on.")
    lines: Annotated[list[ChangedQuoteLine], Field(min_length=1, max_length=MAX_LINES)] | None = None


class RemovedQuote(Reply):
    """The quote that was removed, by its id."""

    id: Id
