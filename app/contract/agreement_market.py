"""Agreements against the market: what their lines would cost today. An extension, see `/v1/openapi`."""

from datetime import date
from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator, Field

from .agreements import AgreementStatus, read_flag
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

    description: str
    product_id: Id | None = None
    amount: Number | None = None
    percentile25: Number | None = None
    median: Number | None = None
    percentile75: Number | None = None
    position: Annotated[str, open_words(*get_args(VerdictKind))] | None = None
    price_level: PriceLevelWord | None = None
    next_step: NextStep | None = None
    saving: Number | None = None
    purchases: int | None = None
    newest: date | None = None
    statement: str


class ConvertedSaving(Reply):
    """A saving in the currency that savings are ranked in, at the last rate on or before a day."""

    amount: Number
    currency: str
    rate: Number
    rate_day: date


class RenewalForecast(Reply):
    """What the next term costs if nobody acts, before tax. Without an amount where it is not known;
    `statement` says what it follows from, or why."""

    amount: Number | None = None
    start: date | None = None
    end: date | None = None
    statement: str


class AgreementMarket(Reply):
    """An agreement against the market as of `pricedAt`. `amount` is what its lines cost for the term,
    `compared` how many per cent of that were compared with enough purchases, `estimate` what half of buyers
    paid less than for those, `saving` what the lines cost above it; absent where nothing was compared.
    `nextStep` is what to do about all lines, at their present quantities and for as long as now: given where
    the certainty is strong, and what was not compared is part of it as it is priced."""

    agreement_id: Id
    name: str
    supplier_name: str | None = None
    status: Annotated[str, open_words(*get_args(AgreementStatus))]
    act_by: date | None = None
    currency: str | None = None
    amount: Number | None = None
    compared: Number
    certainty: Annotated[str, open_words(*get_args(MarketCertainty))]
    estimate: Number | None = None
    saving: Number | None = None
    saving_converted: ConvertedSaving | None = None
    next_step: NextStep | None = None
    renewal: RenewalForecast
    lines: list[MarketLine]
    priced_at: ReplyInstant


class MarketSum(Reply):
    """The agreements of one currency: what was compared, what it costs, and what could be saved."""

    currency: str
    agreements: int
    amount: Number
    saving: Number


class AgreementMarketPage(ListPage[AgreementMarket]):
    """A page of agreements against the market: those first where most can be saved, weighed by how much was
    compared and halved for each half-year until somebody must act. `sums` adds up all that match the query,
    `waiting` counts the agreements that have not been priced since they changed."""

    sums: list[MarketSum] = Field(default_factory=list[MarketSum])
    waiting: int = 0


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
