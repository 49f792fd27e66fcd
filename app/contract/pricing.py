"""Price estimates: the total before tax of the whole scope for its term; how far purchases may be from what
is asked for, in age and quantity, and still say what it costs; and what a product was bought for."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated, TypeVar

from pydantic import Field

from .catalog import LearningDataSample
from .dates import DAYS_IN_MONTH
from .model import Reply
from .price_level import PriceLevelWord, VerdictKind
from .scope import Coverage, NewScope
from .values import Amount, Date, Flag, Id, Number, ReplyInstant, Text, open_words

Quantity = TypeVar("Quantity", float, Decimal)

MAX_AGE_MONTHS = 24
"""The greatest age in months of the newest purchase: how prices changed since is not known beyond that."""
MAX_QUANTITY_RATIO = 10
"""How many times the largest quantity of the purchases may be asked for, and how many times what is asked for
the smallest may be: how the price changes with the quantity is not known beyond that."""

MAX_TERM_RATIO = 10
"""How many times the longest term of the purchases may be asked for."""


def is_too_old(purchased_on: date, today: date) -> bool:
    """Whether a purchase is more than `MAX_AGE_MONTHS` old."""
    return (today - purchased_on).days > MAX_AGE_MONTHS * DAYS_IN_MONTH


def find_far_quantity(asked: Quantity, bought: Sequence[Quantity]) -> Quantity | None:
    """The nearest of the quantities that were bought where even that is more than `MAX_QUANTITY_RATIO` times
    from what is asked for; None where it is not, or nothing was bought."""
    if not bought or min(bought) / MAX_QUANTITY_RATIO <= asked <= MAX_QUANTITY_RATIO * max(bought):
        return None
    return max(bought) if asked > max(bought) else min(bought)


PERCENTILES = tuple(range(10, 95, 5))
"""The 17 percentiles of an advanced estimate."""


class BasicPercentiles(Reply):
    """Totals before tax for the whole term, in the estimate's currency."""

    percentile25: Number
    percentile50: Number
    percentile75: Number


class BasicEstimate(Reply):
    """Percentiles 25, 50 and 75 of the price: a quarter, half and three quarters of purchases cost less."""

    estimate: BasicPercentiles
    currency: str
    timestamp: ReplyInstant


class Percentiles(Reply):
    """The 17 percentiles of a price, which never decrease: totals before tax for the whole term."""

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
        """Return one of the 17 percentiles. Raises KeyError for any other."""
        if percent not in PERCENTILES:
            raise KeyError(percent)
        value: Number = getattr(self, f"percentile{percent}")
        return value


class ProductEstimate(Reply):
    """The estimate of one product. `estimate` is given when `status` is success, `code` and `message` when it
    is error. The estimates of products need not add up to that of the whole."""

    status: Annotated[str, open_words("success", "error")] = Field(
        description="Whether there is an estimate."
    )
    defaulted: bool = Field(description="Whether a dimension that nobody stated was assumed.")
    name: str = Field(description="The product's name.")
    product_id: Id
    estimate: Percentiles | None = None
    code: Annotated[str, open_words("pricing_failed", "validation_failed")] | None = Field(
        default=None, description="Why there is no estimate, as one word."
    )
    message: str | None = Field(default=None, description="Why there is no estimate, in words.")


class CompanyPurchaseCount(Reply):
    """How many purchases from a company are on record for the past two years."""

    company_id: Id = Field(description="The company, by its id.")
    company_name: str
    real_purchase_count: int


class SimilarPurchase(LearningDataSample):
    """A past purchase that the estimate is based on. `similarity_rate` is its similarity in whole per
    cent."""

    similarity_rate: Annotated[Number, Field(ge=0, le=100)] = Field(
        description="How similar the purchase is, in whole per cent."
    )


class AdvancedEstimate(Reply):
    """The distribution of the price, the estimate of each product, and the purchases they are based on."""

    estimate: Percentiles
    product_estimates: list[ProductEstimate]
    currency: str
    timestamp: ReplyInstant
    real_purchase_count: list[CompanyPurchaseCount]
    real_similar_purchases: list[SimilarPurchase]


# Extensions: beyond the interface, see `/v1/openapi`.


OPENING_PERCENTILE, TARGET_PERCENTILE = 10, 25
"""The percentiles of what a buyer asks for first and of what the buyer aims at: a tenth and a quarter of
comparable purchases cost less."""

MIN_PURCHASES = 5
"""The fewest purchases that a figure may be based on: fewer are no evidence, and could be recognised."""
MIN_LIKE_FOR_LIKE = MIN_PURCHASES
"""How many like-for-like purchases a verdict needs."""
MIN_AGREEING = 2
"""How many of them are enough where they cost about the same."""
FEW_LEARNT = 50
"""With fewer purchases learnt from ranges were measured to hold too few prices, or too many."""
MAX_RANGE_RATIO = 6
"""The greatest ratio of percentile 90 to percentile 10 for a verdict: a wider range fits any quote."""
IMPLAUSIBLE_RATIO = 3
"""A quote of this many times the median or more, or of the median divided by this or less, is probably for
something else."""
MIN_COVERED_PERCENT = 80
"""The percentage of a quote's money that estimates must cover for a verdict on the whole."""


class PricePreview(NewScope):
    """The body of `POST /v1/pricing/preview`: a scope that is not stored, the purchases to leave out, and the
    total before tax that a supplier asks for it."""

    exclude: Annotated[list[Annotated[Text, Field(max_length=100)]], Field(max_length=1000)] = Field(
        default_factory=list[str], description="The ids of past purchases to leave out of the estimate."
    )
    quoted: Amount | None = None


class PriceFactor(Reply):
    """A cause that changed an estimate by the ratio `effect`: 0.93 lowered it by 7 %."""

    name: Annotated[str, open_words("volume", "term", "renewal", "recency", "dimensions")] = Field(
        description="The cause."
    )
    effect: Number = Field(description="The ratio by which it changed the price: 0.93 lowered it by 7 %.")


class PriceComparable(Reply):
    """A past purchase that the estimate is based on. `weight` is its share of the whole, 0 to 1; `similarity`
    and its `parts` are whole per cents; `unit_price` is what a unit would cost on the terms asked for.
    `discount` is per cent off the list price where the purchase names one; `converted_from` the currency that
    was paid in where it is another one: the price is then converted at the rate of its day.

    `relation` says whether it is the same product, edition and unit of the same supplier (or an identical
    telling item number), the same product otherwise, a similar one or another; `own` that the caller made it.
    `paid` is the price of one `unit` for one `price_period` as paid, in `paid_currency`; `attributes` are its
    edition and other dimensions by their labels. `other_pack` says that its wording states another pack than
    yours: `unit_price` is then for as many pieces, where the article is the same otherwise.
    `supplier` is named where the caller may know it."""

    id: str = Field(description="The purchase, by its id.")
    purchase_date: Date
    quantity: Number = Field(description="How much was bought.")
    term_months: Number
    unit_price: Number = Field(description="What a unit would cost on the terms asked for.")
    weight: Number = Field(description="Its share of the estimate, 0 to 1.")
    similarity: Number = Field(description="How similar the purchase is, in whole per cent.")
    parts: dict[str, Number] = Field(description="What the similarity is made of, each in whole per cent.")
    discount: Number | None = None
    converted_from: str | None = Field(
        default=None, description="The currency that was paid in, where the price was converted."
    )
    relation: Annotated[str, open_words("same_article", "same_product", "similar", "other")] | None = Field(
        default=None, description="How alike it is to what is asked for."
    )
    own: Flag = Field(default=False, description="Whether the caller's organisation made the purchase.")
    other_pack: Flag = Field(default=False, description="Whether its wording states another pack than yours.")
    supplier: str | None = Field(
        default=None, description="The supplier's name, where the caller may know it."
    )
    product_name: str | None = None
    attributes: dict[str, str] = Field(
        default_factory=dict[str, str],
        description="The edition and other dimensions that were bought, by their labels.",
    )
    unit: str | None = None
    paid: Number | None = Field(
        default=None, description="The price of one unit for one price period, as paid."
    )
    paid_currency: str | None = Field(default=None, description="The currency that was paid in.")
    price_period: Annotated[str, open_words("month", "year", "term", "once")] | None = None


class ListPrice(Reply):
    """What the supplier publishes for this product at about this quantity. `unit_price` is of one unit, a
    month's where the price is recurring; `total` for the quantity and term asked for; `stated_on` the day of
    the purchase or price list that names it, absent where the catalog does. `reason` compares the estimate
    with it."""

    unit_price: Number
    total: Number = Field(
        description="The list price of the quantity and term asked for: a total before tax."
    )
    quantity: Number | None = Field(default=None, description="The quantity at which the supplier states it.")
    stated_on: Date | None = Field(
        default=None, description="The day of the purchase or price list that names the list price."
    )
    scope_id: Id | None = Field(
        default=None, description="The scope that was read from the price list that states it."
    )
    source: Annotated[str, open_words("purchase", "catalog", "price_list")] = Field(
        description="Where it is stated: in a purchase, in the catalog or in a price list of yours."
    )
    reason: str


class QuotedPrice(Reply):
    """What a supplier asked of the caller for this product in another quote: asked, not paid. `unit_price` is
    of one unit, a month's share where a term is stated."""

    scope_id: Id
    quoted_on: Date
    quantity: Number
    term_months: Number | None = None
    amount: Number = Field(description="What was asked, as a total before tax.")
    unit_price: Number
    currency: str


class UnknownDimension(Reply):
    """A dimension that decides the price and that nobody has stated."""

    id: Id
    name: str


class Accuracy(Reply):
    """How accurate such estimates were: of this `supplier`, at this `level` of likeness, of `all`, or
    `not_measured`. Measured on `n` of the latest past purchases, each estimated from those before it; `mdape`
    is the median error of the median as a share of the price, `coverage80` is the share of prices inside the
    interval of 80 %. Of all, `verdicts` were given on quotes made of them at half, once, twice and ten times
    what was paid, a fifth with another purchase's edition or unit; `wrong_verdicts` are those called low at
    more than 1.25 times what was paid, very high at no more than that, or high at less."""

    basis: Annotated[str, open_words("supplier", "level", "all", "not_measured")] = Field(
        description="Which past purchases were measured: of the supplier, of this level, or all."
    )
    n: int = Field(default=0, description="How many past purchases it was measured on.")
    mdape: Number | None = None
    coverage80: Number | None = None
    verdicts: int | None = Field(default=None, description="How many verdicts were measured.")
    wrong_verdicts: int | None = Field(default=None, description="How many of them were wrong.")


class Widening(Reply):
    """How much wider the 80 % range is than that of other estimates at its level, because ranges of queries
    as new as this one have missed more often: `by` 0.14 is by 14 %. `newness` says what is new: the supplier;
    the product; the order, where the product was bought in one only; or nothing, as all is `known`. `reason`
    says so in a sentence."""

    newness: Annotated[str, open_words("new_supplier", "new_product", "one_order", "known")] = Field(
        description="What is new to the purchases on record: supplier, product, order or nothing."
    )
    by: Number = Field(description="By how much the 80 % range is wider: 0.14 is by 14 %.")
    reason: str


VerdictWord = Annotated[str, open_words(VerdictKind)]


class NextStep(Reply):
    """What to do about a quoted price. `amount` is what to ask for, rounded as people round, or to accept: a
    total before tax for the whole term, of all that is quoted where the verdict is on the whole. It is absent
    where the price should be compared with another quote."""

    action: Annotated[str, open_words("ask", "accept", "compare")]
    amount: Number | None = None


class VerdictPart(Reply):
    """The recurring or the one-off part of a quote: its quoted amount and its expected `median`."""

    recurring: Flag
    judged_amount: Number = Field(description="What this part is quoted at: a total before tax.")
    median: Number


class PriceVerdict(Reply):
    """The verdict on a quote. `priceLevel` says where the price stands among comparable purchases: low (below
    percentile 25), usual (to percentile 75), high (above it) or very high (above percentile 90). `word`
    follows from it: accept a low price, consider a usual one, negotiate about a high or very high one;
    `withheld` has no level. `reasons` are sentences, the most important first. `basis` says whether the
    whole quote is judged or only the lines that an estimate covers; `judged_amount` is what they are quoted
    at, before tax and for the whole term, compared with the `median` of the same. `target` (percentile 25) is
    what to aim at for all that is quoted where the verdict is on the whole: what no estimate covers is part
    of it as it is quoted. `to_target` is what is quoted less the target. `parts` are given where a quote has
    a recurring and a one-off part. `nextStep` is what to do. The `reasons` of a `withheld` verdict say why
    there is none; it has no target."""

    word: VerdictWord = Field(description="The verdict as one word.")
    price_level: PriceLevelWord | None = None
    reasons: list[str] = Field(description="Why, in sentences, the most important first.")
    basis: Annotated[str, open_words("whole", "covered_lines")] = Field(
        description="Whether the whole quote is judged or only the lines that an estimate covers."
    )
    judged_amount: Number = Field(
        description="What is judged, as it is quoted: a total before tax for the whole term."
    )
    target: Number | None = Field(
        default=None, description="What the buyer aims at: percentile 25 of the price."
    )
    to_target: Number | None = Field(
        default=None, description="How much the judged amount is above the target."
    )
    median: Number | None = None
    parts: list[VerdictPart] = Field(
        default_factory=list[VerdictPart],
        description="The recurring and the one-off part, where a quote has both.",
    )
    next_step: NextStep | None = None


class ProductExplanation(Reply):
    """The evidence behind one product's estimate. `level` is the similarity of the best comparables,
    `effective_purchases` the number of equally weighted purchases that would be as strong evidence, `newest`
    the day of the latest.

    `like_for_like` counts the purchases shown that are the same product in the same unit, equal in all that
    moves its price; `newest_like_for_like` is the latest of those. `quantity` is in `unit`, `months` what the
    price is for (absent where it is paid once); `quoted_amount` what this product is quoted at for all of it
    and `quoted_unit_price` for one unit and month. `quoted` are prices asked in the caller's other quotes.

    `learnt_on` counts the purchases that estimates have learnt from: how much each comparable counts, and how
    sure a range may be. At 0 both are built in. `learning_due` says that purchases were imported since, and
    when they are learnt from; the estimate is then another."""

    product_id: Id
    name: str = Field(description="The product's name.")
    level: Annotated[str, open_words("repeat", "product", "similar", "related", "coarse")] = Field(
        description="How similar the best comparable purchases are."
    )
    best_similarity: Number = Field(description="The similarity of the most similar purchase, in per cent.")
    purchases: int
    effective_purchases: Number = Field(
        description="How many equally weighted purchases would be evidence as strong."
    )
    newest: Date = Field(description="The day of the latest purchase behind the estimate.")
    unit_price: Number = Field(description="The median; a month's where the price is recurring.")
    recurring: bool
    factors: list[PriceFactor] = Field(
        description="What moved the price away from that of the comparable purchases."
    )
    comparables: list[PriceComparable] = Field(
        description="The past purchases that the estimate rests on, the weightiest first."
    )
    sample: Flag = Field(default=False, description="Whether it comes from invented sample data.")
    like_for_like: int | None = Field(
        default=None, description="How many shown purchases are equal in all that moves the price."
    )
    newest_like_for_like: Date | None = Field(
        default=None, description="The day of the latest purchase that is equal in all that moves the price."
    )
    unit: str | None = None
    quantity: Number | None = None
    months: Number | None = Field(
        default=None, description="The months that the price is for; absent where it is paid once."
    )
    quoted_amount: Number | None = None
    quoted_unit_price: Number | None = Field(
        default=None, description="What is quoted for one unit, for one month where it is paid for a time."
    )
    list_price: ListPrice | None = Field(default=None, description="What the supplier publishes for it.")
    unknown_dimensions: list[UnknownDimension] = Field(
        default_factory=list[UnknownDimension], description="What decides the price and nobody has stated."
    )
    quoted: list[QuotedPrice] = Field(
        default_factory=list[QuotedPrice], description="What was asked for it in the caller's other quotes."
    )
    accuracy: Accuracy | None = Field(
        default=None, description="How accurate such estimates were on past purchases."
    )
    widening: Widening | None = Field(
        default=None,
        description="How much wider the range is made because the query is new; absent where it is not.",
    )
    learnt_on: int | None = Field(
        default=None, description="How many purchases were learnt from; 0 where nothing was learnt yet."
    )
    learning_due: ReplyInstant | None = Field(
        default=None, description="When learning from the latest import begins; absent where none waits."
    )
    verdict: PriceVerdict | None = None


class PriceExplanation(Reply):
    """The causes that changed an estimate, and how strong and recent its evidence is. `coverage` is that of
    the document behind the scope, `verdict` is on the price that is quoted for it."""

    currency: str
    timestamp: ReplyInstant
    products: list[ProductExplanation]
    coverage: Coverage | None = Field(default=None, description="How much of the quote the estimate covers.")
    verdict: PriceVerdict | None = None


class PreviewedEstimate(AdvancedEstimate):
    """An advanced estimate of a scope that is not stored, with its explanation and the verdict on the quoted
    amount, if any."""

    products: list[ProductExplanation]
    verdict: PriceVerdict | None = None


MAX_PRICED_PURCHASES = 1_000
"""The price ranges of a product are of at most so many of its purchases, the latest ones."""


class UnitPercentiles(Percentiles):
    """The 17 percentiles of the price of one unit, for one month where it is paid for a time; before tax."""


class UnitPriceRange(Reply):
    """What one `unit` of a product cost, in the currency of the whole answer: for one month where
    `recurring`, else once. `purchases` counts those that were compared, from `first_bought` to
    `last_bought`, and `own_purchases` those of them that the caller made. Where they are too few for a
    figure, `reason` says so in a sentence, and prices and days are left out."""

    unit: str | None = None
    recurring: Flag
    purchases: int
    own_purchases: int = Field(description="How many of them are the caller's own.")
    first_bought: Date | None = Field(default=None, description="The day of the oldest of them.")
    last_bought: Date | None = Field(default=None, description="The day of the newest of them.")
    prices: UnitPercentiles | None = Field(
        default=None, description="The percentiles of the price of one unit."
    )
    reason: str | None = Field(default=None, description="Why there is no range, in a sentence.")


class ProductPrices(Reply):
    """The price ranges of a product by unit and period, that of the most purchases first.
    `purchases_on_record` are all that the caller may see, of which the latest are compared; `not_converted`
    of those were left out because they were paid in another currency without an exchange rate."""

    product_id: Id
    currency: str
    timestamp: ReplyInstant
    purchases_on_record: int = Field(description="All purchases of the product that the caller may see.")
    not_converted: int = Field(
        description="How many of the latest are left out for want of an exchange rate."
    )
    ranges: list[UnitPriceRange] = Field(
        description="The price ranges by unit and period, that of the most purchases first."
    )
