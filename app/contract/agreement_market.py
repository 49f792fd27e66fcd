"""Agreements against the market: what their lines would cost today. An extension, see `/v1/openapi`."""

from datetime import date
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from .agreements import AgreementStatus, RenewalForecast, read_flag
from .model import Reply
from .page import ListPage, ListQuery
from .price_level import PriceLevelWord, VerdictKind
from .pricing import NextStep
from .values import Id, Number, ReplyInstant, open_words

MarketCertainty = Literal["strong", "partial", "thin"]
"""How much of an agreement's price was compared with enough purchases like it: four fifths, some, or
none."""


class MarketLine(Reply):
    """A line of an agreement against purchases of the same product. Amounts are before tax, for the whole
    term. `position` is withheld where the purchases are too few or too different, and absent where the line
    cannot be compared; `priceLevel` says it more exactly, as for a verdict; `statement` says where the price
    stands, or why not. `nextStep` is what to do about this line alone, `saving` what it
    costs above the median."""

    description: str = Field(description="What is bought, as the agreement names it.")
    product_id: Id | None = None
    amount: Number | None = Field(
        default=None, description="What it costs: a total before tax, for the term."
    )
    percentile25: Number | None = None
    median: Number | None = None
    percentile75: Number | None = None
    position: Annotated[str, open_words(VerdictKind)] | None = Field(
        default=None,
        description="Whether the price is low, usual or high; withheld where too little is known.",
    )
    price_level: PriceLevelWord | None = None
    next_step: NextStep | None = None
    saving: Number | None = Field(default=None, description="What it costs above the median.")
    purchases: int | None = Field(default=None, description="How many purchases it was compared with.")
    newest: date | None = Field(
        default=None, description="The day of the latest purchase that it was compared with."
    )
    statement: str = Field(description="Where the price stands, or why it cannot be compared, in a sentence.")


class ConvertedSaving(Reply):
    """A saving in the currency that savings are ranked in, at the last rate on or before a day."""

    amount: Number = Field(description="The saving, converted.")
    currency: str = Field(description="The currency that it was converted into.")
    rate: Number = Field(description="What one unit of the agreement's currency was worth.")
    rate_day: date = Field(
        description="The day that the rate is of: the last on or before that of the conversion."
    )


class AgreementMarket(Reply):
    """An agreement against the market as of `pricedAt`. `amount` is what its lines cost for the term,
    `compared` how many per cent of that were compared with enough purchases, `estimate` what half of buyers
    paid less than for those, `saving` what the lines cost above it; absent where nothing was compared.
    `nextStep` is what to do about all lines, at their present quantities and for as long as now: given where
    the certainty is strong, and what was not compared is part of it as it is priced."""

    agreement_id: Id
    name: str
    supplier_name: str | None = None
    status: Annotated[str, open_words(AgreementStatus)]
    act_by: date | None = None
    currency: str | None = None
    amount: Number | None = Field(
        default=None, description="What its lines cost, as far as that is known: before tax, for the term."
    )
    compared: Number = Field(
        description="How many per cent of the amount were compared with enough purchases."
    )
    certainty: Annotated[str, open_words(MarketCertainty)] = Field(
        description="How much was compared: four fifths or more, some, or nothing."
    )
    estimate: Number | None = Field(
        default=None, description="What half of buyers paid less than, for the lines that were compared."
    )
    saving: Number | None = Field(
        default=None, description="What the compared lines cost above the median, for the term."
    )
    saving_converted: ConvertedSaving | None = Field(
        default=None, description="The saving in the currency that savings are ranked in."
    )
    next_step: NextStep | None = None
    renewal: RenewalForecast = Field(description="What the next term costs if nobody acts.")
    lines: list[MarketLine] = Field(description="Its lines, each against purchases of the same product.")
    priced_at: ReplyInstant = Field(description="When it was priced.")


class MarketSum(Reply):
    """The agreements of one currency: what was compared, what it costs, and what could be saved."""

    currency: str
    agreements: int = Field(description="How many agreements it sums.")
    amount: Number = Field(description="What their lines cost: before tax, for their terms.")
    saving: Number = Field(description="What they cost above the medians.")


class AgreementMarketPage(ListPage[AgreementMarket]):
    """A page of agreements against the market: those first where most can be saved, weighed by how much was
    compared and halved for each half-year until somebody must act. `sums` adds up all that match the query,
    `waiting` counts the agreements that have not been priced since they changed."""

    sums: list[MarketSum] = Field(
        default_factory=list[MarketSum], description="What all that match the query cost, for each currency."
    )
    waiting: int = Field(default=0, description="How many agreements are still to be priced.")


class MarketQuery(ListQuery, total=False):
    """Which agreements are compared with the market."""

    name: Annotated[
        str | None, Field(max_length=500, description="Part of the name or of the supplier's, in any case.")
    ]
    company_id: Annotated[Id | None, Field(description="Only those with this supplier.")]
    agreement_id: Annotated[Id | None, Field(description="Only this one.")]
    saving: Annotated[
        Annotated[bool, BeforeValidator(read_flag)] | None,
        Field(description="Only those with a possible saving, or without."),
    ]
