"""Sourcing: a requirement, the quotes that answer it, one table of them, and whom to award what. An
extension, see `/v1/openapi`.

Amounts are before tax, for the whole term of the requirement, in its currency, to the cent.
"""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticKnownError

from .model import Change, Part, Reply, Request, Wire
from .page import ListPage
from .price_level import PriceLevelWord, VerdictKind
from .price_steps import PriceBreaks, VolumeDiscounts
from .pricing import NextStep
from .sourcing_award import Award
from .values import (
    WHOLE,
    Amount,
    CurrencyCode,
    Date,
    Flag,
    Id,
    Months,
    Name,
    Number,
    Percentage,
    Positive,
    ReplyInstant,
    Text,
    open_words,
)

PERIODS = {"month": "a month", "year": "a year", "term": "for the term", "once": "once"}
"""How often a price is paid, by `recurring`."""


Recurrence = Literal["month", "year", "term", "once"]
"""How often a price is paid: each month, each year, once a term, or once and not again at a renewal."""
AlignmentState = Literal["confirmed", "proposed", "doubtful", "none"]
"""A person said so; it was found by comparing; it was found and may be wrong; or nothing is like the line."""
Objective = Literal["cheapest_split", "cheapest_single", "by_hand", "earliest"]
ScenarioStatus = Literal["optimal", "gap", "infeasible", "solving"]
"""Proven; the best known, with a bound; no award keeps to everything; or still being solved."""
NO_AWARD_FOUND = "No award was found in time, which does not say that there is none."
"""What `gap` means of a scenario without a total."""
QuoteStatus = Literal["reading", "needs_review", "ready", "failed"]
"""Its document is being read; a person must say which lines it answers; it can be compared; or its document
could not be read."""

RequirementStatus = Literal["open", "awarded"]

MAX_LINES = 500
MAX_QUOTES = 20

LineText = Annotated[Text, Field(min_length=1, max_length=2_000)]


UnitText = Annotated[Text, Field(min_length=1, max_length=100)]


class NewRequirementLine(Part):
    """What is needed. `unit` is what its quantity counts: `kg`, `bag of 100`, `user`; without one, pieces. A
    line that is not `mustHave` may stay open."""

    description: LineText
    quantity: Positive
    unit: Annotated[Text, Field(max_length=100)] | None = None
    must_have: Flag = True
    product_id: Id | None = None


class _RequirementFields(Wire):
    needed_by: Date | None = None
    discount_rate: Percentage | None = None


class NewRequirement(_RequirementFields, Request):
    """The body of `POST /v1/requirements`. `discountRate` is in per cent a year, for present values.

    With `scopeId` everything else may be left out, and is then taken from that scope; where the scope states
    prices, as one that was read from a quote does, these become the first quote of the requirement."""

    scope_id: Id | None = Field(default=None, description="The scope that says what is needed, by its id.")
    name: Name | None = Field(default=None, validate_default=True)
    currency: CurrencyCode | None = Field(default=None, validate_default=True)
    term_months: Months | None = Field(default=None, validate_default=True)
    lines: Annotated[list[NewRequirementLine], Field(min_length=1, max_length=MAX_LINES)] | None = Field(
        default=None, validate_default=True
    )

    @field_validator("name", "currency", "term_months", "lines")
    @classmethod
    def _state_without_scope(cls, value: object, info: ValidationInfo) -> object:
        # Of a scope whose id is wrong, that is said alone.
        if value is None and info.data.get("scope_id", "wrong") is None:
            raise PydanticKnownError("missing")
        return value


class RequirementChange(Change):
    """The body of `PATCH /v1/requirements/{requirementId}`. Its lines stay: what was aligned with them
    would lose its meaning."""

    removable = frozenset({"needed_by", "discount_rate"})

    name: Name | None = None
    needed_by: Date | None = None
    discount_rate: Percentage | None = None


class RequirementLine(NewRequirementLine, Reply):
    """A line of a requirement."""

    id: Id


class Requirement(_RequirementFields, Reply):
    """What is to be bought, and how many quotes answer it; once it is awarded, to whom and why."""

    id: Id
    name: str
    currency: CurrencyCode
    term_months: Months
    status: Annotated[str, open_words(RequirementStatus)] = Field(
        default="open", description="Whether it is open or awarded."
    )
    award: Award | None = Field(default=None, description="Whom it was awarded to, and why.")
    scope_id: Id | None = Field(default=None, description="The scope that it was taken from, by its id.")
    lines: list[RequirementLine]
    quote_count: int = Field(description="How many quotes answer it.")
    created_at: ReplyInstant
    updated_at: ReplyInstant


class NewSourcingQuoteLine(Part):
    """A line of a quote. Without `requirementLineId` it is aligned by what it says; an `alternate` is another
    way to answer the line, and is not compared with the others.

    `unit` is what its quantity counts and its price is for: one that differs from the requirement's is
    converted, or the line is not compared. `unitPrice` and `breaks` are before tax unless `taxIncluded`: then
    `taxPercent` is taken out, and without it the line is not compared. A price for the `term` is for as many
    months as the requirement has unless `termMonths` says otherwise: then it is not compared. It is sold from
    `minimumQuantity` on, and its prices are stated up to `maximumQuantity`."""

    requirement_line_id: Id | None = None
    alternate: Flag = False
    description: LineText
    quantity: Positive
    unit: UnitText | None = None
    unit_price: Amount
    tax_included: Flag | None = None
    tax_percent: Percentage | None = None
    recurring: Recurrence
    term_months: Months | None = Field(
        default=None, description="For how many months a price for the term is."
    )
    breaks: PriceBreaks | None = None
    minimum_quantity: Positive | None = None
    maximum_quantity: Positive | None = None
    bundle_id: Annotated[Text, Field(min_length=1, max_length=100)] | None = None


class _QuoteFields(Wire):
    valid_until: Date | None = Field(default=None, description="The last day on which it is valid.")
    payment_terms_days: Annotated[int, Field(ge=0, le=3650), WHOLE] | None = None
    minimum_order: Amount | None = None
    lead_time_days: Annotated[int, Field(ge=0, le=3650), WHOLE] | None = None
    discounts: VolumeDiscounts | None = Field(default=None, description="What is taken off from amounts on.")


class NewSourcingQuote(_QuoteFields, Request):
    """The body of `POST /v1/requirements/{requirementId}/quotes`: a quote by hand, the scope that was made of
    one, or an uploaded file, which is read in the background. Of a scope, the supplier, the currency and the
    lines are those that were confirmed; of a file, those that are read: it has neither currency nor lines
    here."""

    scope_id: Id | None = None
    file_id: Id | None = Field(
        default=None, description="The uploaded file to read the quote from, by its id."
    )
    company_id: Id | None = None
    supplier_name: Name | None = None
    currency: CurrencyCode | None = None
    lines: Annotated[list[NewSourcingQuoteLine], Field(min_length=1, max_length=MAX_LINES)] | None = None


class SourcingQuoteLine(NewSourcingQuoteLine, Reply):
    """A line of a quote, and what says that it answers its line: `confidence` is 0 to 1, `alignmentReason`
    who decided so before. `documentLine` is its place in the document behind the quote's scope, which shows
    where each value stands; `page` and `box` are where the line does."""

    id: Id
    document_line: int | None = Field(
        default=None, description="Its place among the lines of the document behind the scope of its quote."
    )
    page: int | None = None
    box: list[Number] | None = None
    alignment: Annotated[str, open_words(AlignmentState)]
    confidence: Number | None = None
    alignment_reason: str | None = Field(
        default=None, description="Who decided before that such a line answers it, and when."
    )


class _InCurrency(Reply):
    currency: str
    currency_stated: bool = Field(
        default=True,
        description="Whether its document or a person says its currency; what it asks is compared only then.",
    )

    @property
    def shown_currency(self) -> str:
        """The code of its currency, or a question mark."""
        return self.currency if self.currency_stated else "?"


class SourcingQuote(_QuoteFields, _InCurrency):
    """A quote that answers a requirement. `reason` says what must be reviewed or what failed; `warnings` what
    of its document is not in its lines. While its document is read it has no lines, the file's name stands
    for its supplier's, and the requirement's currency for its own."""

    id: Id
    requirement_id: Id
    status: Annotated[str, open_words(QuoteStatus)] = Field(
        default="ready",
        description="Whether it is being read, must be reviewed, is ready or could not be read.",
    )
    reason: str | None = Field(
        default=None, description="What a person must still say, or why its document could not be read."
    )
    warnings: list[str] = Field(default_factory=list[str])
    scope_id: Id | None = None
    file_id: Id | None = Field(default=None, description="The uploaded file that it is read from, by its id.")
    company_id: Id | None = None
    supplier_name: str
    lines: list[SourcingQuoteLine]
    created_at: ReplyInstant


class AlignedLine(Part):
    """Which line of the requirement a line of a quote answers; none with `null`."""

    quote_line_id: Id
    requirement_line_id: Id | None = None
    alternate: Flag = False


class Alignment(Request):
    """The body of `PUT /v1/requirements/{requirementId}/alignment`: what a person said; others stay."""

    lines: Annotated[list[AlignedLine], Field(min_length=1, max_length=MAX_LINES * MAX_QUOTES)]


class MatrixCell(Reply):
    """What a quote asks for a line. `unitPrice` is as quoted, for one `unit` of the quote;
    `comparedUnitPrice` is for one unit of the requirement and before tax, where that differs. `amount` is for
    the quantity of the requirement and the whole term; `years` the same by years. Where it is not comparable,
    `reason` says why; it then counts in no total."""

    quote_id: Id
    quote_line_id: Id
    unit_price: Number
    unit: str | None = None
    compared_unit_price: Number | None = Field(
        default=None, description="The price of one of the requirement's units, before tax."
    )
    amount: Number | None = Field(
        default=None, description="What it costs for the quantity and the term of the requirement."
    )
    years: list[Number] = Field(default_factory=list[Number])
    recurring: str
    comparable: bool = Field(description="Whether it is compared, and counts in totals.")
    lowest: bool = Field(
        default=False,
        description="Whether no other quote asks less, among at least two that can be compared.",
    )
    alternate: bool = False
    alignment: Annotated[str, open_words(AlignmentState)]
    reason: str | None = None


class MatrixVerdict(Reply):
    """What the market estimate says of a cell that is compared; `position` is withheld where the purchases
    are too few or too different, and then there is no `priceLevel`; `statement` says where the amount stands
    or why that is not said. `nextStep` is what to do about this line alone."""

    quote_line_id: Id
    position: Annotated[str, open_words(VerdictKind)] = Field(
        description="Whether the amount is low, usual or high; withheld where too little is known."
    )
    price_level: PriceLevelWord | None = None
    next_step: NextStep | None = None
    statement: str = Field(description="Where the amount stands, or why that is not said, in a sentence.")


class MatrixEstimate(Reply):
    """What a line would cost by comparable purchases, in the currency of the requirement: percentiles of the
    amount for its quantity and the whole term, and of them the median of one unit, a month's where the price
    is `recurring`. Where it is not known they are absent, never 0, and `statement` says why."""

    product_id: Id | None = Field(
        default=None, description="The product of the catalog that was estimated, by its id."
    )
    product_name: str | None = Field(default=None, description="The name of that product.")
    unit_price: Number | None = Field(
        default=None, description="The median price of one unit: of a month where it is paid each month."
    )
    recurring: Annotated[str, open_words(Recurrence)] | None = Field(
        default=None, description="Whether the price of a unit is paid each month or once."
    )
    percentile25: Number | None = None
    median: Number | None = Field(
        default=None, description="What half of buyers paid less than, for the quantity and the whole term."
    )
    percentile75: Number | None = None
    purchases: int | None = Field(default=None, description="How many purchases it rests on.")
    converted: int | None = Field(
        default=None, description="How many of the purchases were paid in another currency."
    )
    newest: date | None = Field(default=None, description="The day of the latest purchase that it rests on.")
    verdicts: list[MatrixVerdict] = Field(
        default_factory=list[MatrixVerdict], description="What it says of each cell that is compared."
    )
    statement: str = Field(description="What it rests on, or why it is not known, in sentences.")


class MatrixLine(Reply):
    """A line of the requirement with a cell for each line of a quote that answers it. `gaps` are the quotes
    that do not; `market` is what comparable purchases say."""

    line: RequirementLine = Field(description="The line of the requirement.")
    market: MatrixEstimate | None = Field(
        default=None, description="What comparable purchases say that it costs."
    )
    cells: list[MatrixCell] = Field(description="What quotes ask for the line.")
    gaps: list[Id] = Field(description="The quotes that do not answer the line, by their ids.")


class MatrixTotal(Reply):
    """What a quote costs for several lines of the requirement over its whole term, before tax and with
    `discount` taken off: `lines` of the `ofLines` are in it, and without any there is no amount. `rank` is
    its place among the totals of the same lines, 1 for the lowest. One that covers less, or that cannot be
    ordered, has none, and `statement` says what is missing."""

    amount: Number | None = Field(
        default=None,
        description="What the lines cost, `discount` taken off; absent where none can be compared.",
    )
    discount: Number = Field(description="What volume discounts take off it.")
    lines: int = Field(description="Of how many lines it is.")
    of_lines: int = Field(description="How many lines are needed.")
    rank: int | None = Field(
        default=None,
        description="Its place among totals of the same lines, 1 for the lowest; absent if not ranked.",
    )
    statement: str | None = Field(default=None, description="Why it is not ranked, in sentences.")


class MatrixQuote(_InCurrency):
    """A column. `wholeTerm` is what it costs in all, and `mustHaves` what it costs for the lines that must be
    had alone, where others need not. Its other sums are of its comparable cells before volume discounts, but
    for `presentValue`. `rate` is the value of one unit of its currency in that of the requirement on
    `rateDate`; `notes` say why it is not compared, or what is not in it."""

    quote_id: Id
    status: Annotated[str, open_words(QuoteStatus)] = Field(
        default="ready",
        description="Whether it is being read, must be reviewed, can be compared or could not be read.",
    )
    notes: list[str] = Field(
        default_factory=list[str], description="Why it is not compared, or what is not in it, in sentences."
    )
    supplier_name: str
    rate: Number | None = None
    rate_date: date | None = Field(
        default=None, description="The day that the rate is of: the last on or before that of the conversion."
    )
    valid_until: date | None = Field(default=None, description="The last day on which it is valid.")
    expired: bool = Field(description="Whether the quote is no longer valid.")
    lines_answered: int = Field(description="How many lines it answers with a price that can be compared.")
    must_haves_open: list[Id] = Field(
        description="The lines that must be awarded and that it does not answer, by their ids."
    )
    once: Number = Field(description="What is paid once and not again at a renewal.")
    recurring: Number
    years: list[Number]
    total: Number = Field(description="What its comparable cells add up to, before volume discounts.")
    discount: Number = Field(description="What volume discounts take off `total`.")
    present_value: Number | None = Field(
        default=None, description="What the payments are worth at the start of the term, discounts taken off."
    )
    whole_term: MatrixTotal = Field(description="What it costs for all lines over the whole term.")
    must_haves: MatrixTotal | None = Field(
        default=None, description="What it costs for the lines that must be had alone, where others need not."
    )
    unaligned: list[SourcingQuoteLine] = Field(
        description="The lines of the quote that answer no line of the requirement."
    )


class Matrix(Reply):
    """The table of a requirement: lines by quotes. `ranking` says which quote costs the least and which ones
    cannot be ranked, `statement` what the figures assume."""

    requirement: Requirement = Field(description="What is to be bought.")
    quotes: list[MatrixQuote]
    lines: list[MatrixLine]
    ranking: str = Field(
        description="Which quote costs the least, and which ones cannot be ranked and why, in sentences."
    )
    statement: str


class ScenarioConstraints(Part):
    """What an award must keep to. `maxShare` is the largest part of the awarded amount that one supplier may
    have, in per cent."""

    max_suppliers: Annotated[int, Field(ge=1, le=MAX_QUOTES), WHOLE] | None = Field(
        default=None, description="How many suppliers are awarded something, at most."
    )
    excluded_quotes: Annotated[list[Id], Field(max_length=MAX_QUOTES)] | None = Field(
        default=None, description="The quotes that get nothing, by their ids."
    )
    keep_quotes: Annotated[list[Id], Field(max_length=MAX_QUOTES)] | None = Field(
        default=None, description="The quotes that get something, by their ids."
    )
    max_share: Annotated[Percentage, Field(gt=0)] | None = Field(
        default=None, description="Per cent of the awarded amount that one supplier has at most."
    )
    whole_bundles: Flag = Field(default=False, description="Whether a bundle is awarded whole or not at all.")


class NewScenario(Request):
    """The body of `POST /v1/requirements/{requirementId}/scenarios`. `award` names the lines of quotes that
    are awarded, for `by_hand` alone."""

    objective: Objective
    constraints: ScenarioConstraints | None = None
    award: Annotated[list[Id], Field(min_length=1, max_length=MAX_LINES * 2)] | None = Field(
        default=None, description="The lines of quotes that are awarded by hand, by their ids."
    )


class AwardedLine(Reply):
    """A line that is awarded. One without `requirementLineId` comes with its bundle."""

    requirement_line_id: Id | None = None
    quote_line_id: Id
    quote_id: Id
    supplier_name: str
    amount: Number


class ExcludedThing(Reply):
    """What could not be considered, and why."""

    what: str = Field(description="The quote or its line, in words.")
    why: str


class ConstraintCost(Reply):
    """What a constraint costs. Without an amount, more lines would be covered without it."""

    constraint: str = Field(description="The constraint, in a sentence.")
    amount: Number | None = None
    proven: bool = Field(description="Whether both amounts that it compares are proven.")


class SingleSupplier(Reply):
    """The cheapest award of everything to one supplier, beside a split. Without a supplier, none could have
    all that must be had under the constraints. `saving` is what the split saves; without it the two cover
    other lines, so that they do not compare."""

    supplier_name: str | None = Field(
        default=None, description="The supplier; absent where none could have all that must be had."
    )
    total: Number | None = Field(default=None, description="What it would cost, discounts taken off.")
    saving: Number | None = Field(default=None, description="What the split saves against it.")
    proven: bool = Field(description="Whether both awards are proven.")


class Scenario(Reply):
    """An award and what it costs, discounts taken off. `bound` is what no award is below; `gap` the part of
    the total, in per cent, that might still be saved. `contradiction` names constraints that cannot all be
    kept. `singleSupplier` stands beside a split among several suppliers. `outdated` says what has changed
    since it was solved: nothing while it is empty, and unknown where it is missing."""

    id: Id
    requirement_id: Id
    objective: Annotated[str, open_words(Objective)]
    constraints: ScenarioConstraints
    status: Annotated[str, open_words(ScenarioStatus)]
    total: Number | None = Field(default=None, description="What the award costs, discounts taken off.")
    discount: Number | None = None
    bound: Number | None = Field(
        default=None, description="What no award that covers as many lines costs less than."
    )
    gap: Number | None = Field(
        default=None, description="How many per cent of the total might still be saved."
    )
    award: list[AwardedLine] = Field(description="The lines that are awarded.")
    open_lines: list[Id] = Field(
        description="The lines of the requirement that are not awarded, by their ids."
    )
    excluded: list[ExcludedThing] = Field(description="What could not be considered, and why.")
    costs: list[ConstraintCost] = Field(
        description="What constraints cost; those that cost nothing are left out."
    )
    single_supplier: SingleSupplier | None = Field(
        default=None, description="The cheapest award to one supplier, beside a split."
    )
    contradiction: list[str] = Field(description="Constraints that cannot all be kept, each in a sentence.")
    assumptions: list[str] = Field(description="What the amounts rest on, in sentences.")
    rates_date: date | None = Field(
        default=None, description="The day of the conversions; each rate is the last on or before it."
    )
    outdated: list[str] | None = Field(
        default=None, description="What has changed since it was solved, in sentences."
    )
    created_at: ReplyInstant


RequirementPage = ListPage[Requirement]
SourcingQuotes = ListPage[SourcingQuote]
Scenarios = ListPage[Scenario]
