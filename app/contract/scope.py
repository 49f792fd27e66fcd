"""Scopes: what is bought, for how long and at what price."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated, Literal, Protocol

from pydantic import Field, ValidationInfo, field_validator

from .catalog import Feature
from .model import Part, Reply, Request
from .money import round_to_cents
from .second_opinion import SecondOpinion
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
    NumericText,
    Percentage,
    Quantity,
    ReplyInstant,
    Text,
    open_words,
)

PurchaseType = Literal["new_purchase", "renewal"]
ScopeSource = Literal["manual", "document"]
DocumentStatus = Literal["pending", "processing", "completed", "failed"]


GUESSED_TERM_MONTHS = 12
"""The length of a term that nobody has said."""
MAX_LINES = 1000
"""Of a document that is confirmed."""


class _Period(Part):
    """The days on which something begins and ends, where they are known."""

    start_date: Date | None = None
    end_date: Date | None = None

    @field_validator("end_date")
    @classmethod
    def _not_before_start(cls, end: date | None, info: ValidationInfo) -> date | None:
        start: date | None = info.data.get("start_date")
        if start is not None and end is not None and end < start:
            raise ValueError(f"must not be before the start, {start}")
        return end


class StatedPrices(Protocol):
    """What a term says of its price."""

    @property
    def list_price(self) -> Decimal | None: ...

    @property
    def discount(self) -> Decimal | None: ...

    @property
    def final_price(self) -> Decimal | None: ...


def find_stated_price(term: StatedPrices) -> Decimal | None:
    """Return the price that a term states: the final one, else the list price less its discount."""
    if term.final_price is not None or term.list_price is None or term.discount is None:
        return term.final_price
    return round_to_cents(term.list_price * (100 - term.discount) / 100)


def add_stated_prices(terms: Sequence[StatedPrices]) -> Decimal | None:
    """Return what the terms cost together, before tax; None where one of them states no price."""
    stated = [price for term in terms if (price := find_stated_price(term)) is not None]
    return sum(stated, Decimal(0)) if stated and len(stated) == len(terms) else None


class NewScopeTerm(_Period):
    """A term of the purchase. Money is the pre-tax total for the whole term, in the scope's currency;
    `discount` is a percentage of `list_price`."""

    term_length: Months
    term_assumed: Flag | None = Field(
        default=None,
        description=(
            "Whether nobody has said for how long it is: `termLength` is then a guess. It means nothing for"
            " what is bought once, and a price that is paid for a time is not judged before the term is said."
        ),
    )
    purchase_type: PurchaseType
    auto_renew: Flag | None = Field(
        default=None, description="Whether the contract renews itself at its end."
    )
    list_price: Amount | None = None
    discount: Percentage | None = None
    final_price: Amount | None = None


class DimensionValue(Part):
    """The quantity or option of one pricing dimension. `value` is the number as entered, 1 for a ticked
    checkbox, or the value of a select's option as a number or a numeric text."""

    id: Id = Field(description="The pricing dimension, by its id.")
    value: Quantity | NumericText = Field(
        description="The number as entered, 1 for a ticked checkbox, or the value of a select's option."
    )


class NewProductTerm(_Period):
    """One product of the purchase with the quantities of its pricing dimensions. Where it has no dates of its
    own, `first_month` is after how many months of the term it begins and `months` for how many it is bought;
    without them it is bought for all of the term."""

    product_id: Id
    pricing_dimensions: Annotated[list[DimensionValue], Field(min_length=1, max_length=100)]
    list_price: Amount | None = None
    discount: Percentage | None = None
    final_price: Amount | None = None
    first_month: Annotated[int, Field(ge=0, lt=1200), WHOLE] | None = Field(
        default=None,
        description=(
            "After how many months of the term it begins, where it is bought for a part of the term and"
            " states no dates."
        ),
    )
    months: Months | None = Field(
        default=None, description="For how many months it is bought, where that is not all of the term."
    )


class NewScope(Request):
    """The body of `POST /v1/scope`."""

    scope_terms: Annotated[list[NewScopeTerm], Field(min_length=1, max_length=20)]
    product_terms: Annotated[list[NewProductTerm], Field(min_length=1, max_length=200)]
    previous_scope_id: Id | None = None


class NewScopeFromDocument(Request):
    """The JSON body of `POST /v1/scope/from-document`: the address of an uploaded file, or its
    path `/v1/files/{fileId}`, or a file elsewhere."""

    file_url: (
        Annotated[Text, Field(max_length=2000, json_schema_extra={"format": "uri-reference"})] | None
    ) = Field(
        default=None,
        description="The document: the path or address of an uploaded file, or an address elsewhere.",
    )
    purchase_type: PurchaseType | None = None


class ScopeFromDocument(Reply):
    """The scope that the document is being read into."""

    scope_id: Id


class ScopeTerm(Reply):
    """A term of the purchase; money as in `NewScopeTerm`."""

    term_length: Number
    term_assumed: Flag | None = Field(
        default=None, description="Whether nobody has said for how long it is: `termLength` is then a guess."
    )
    purchase_type: Annotated[str, open_words(PurchaseType)]
    auto_renew: Flag | None = Field(
        default=None, description="Whether the contract renews itself at its end."
    )
    start_date: Date | None = None
    end_date: Date | None = None
    list_price: Number | None = None
    discount: Number | None = None
    final_price: Number | None = None


class ScopeDimension(Reply):
    """A pricing dimension of a product with the quantity or option that is bought."""

    id: Id
    name: str
    description: str | None = None
    value: Number | str | None = Field(
        default=None, description="The number, the option's value, or 1 for a ticked checkbox."
    )


class ProductTerm(Reply):
    """One product of the purchase. Money is its total before tax for the whole term, or for the `months` from
    `first_month` on that it is bought for."""

    product_id: Id
    product_name: str
    product_family_id: Id | None = None
    description: str | None = None
    icon: str | None = None
    url: str | None = None
    pricing_dimensions: list[ScopeDimension]
    included_features: list[Feature]
    start_date: Date | None = None
    end_date: Date | None = None
    list_price: Number | None = None
    discount: Number | None = None
    final_price: Number | None = None
    first_month: int | None = Field(
        default=None, description="After how many months of the term it begins, where it is for a part of it."
    )
    months: int | None = Field(
        default=None, description="For how many months it is bought, where that is not all of the term."
    )


class DocumentProcessing(Reply):
    """The state of the reading of a document. The scope has no terms until it is completed."""

    status: Annotated[str, open_words(DocumentStatus)] = Field(description="How far the reading is.")
    filename: str
    document_type: Annotated[str, open_words("order_form", "contract", "other")] = Field(
        description="What kind of document it is."
    )
    mime_type: str = Field(description="The document's media type, by its content.")
    error: str | None = None
    updated_at: ReplyInstant


class Scope(Reply):
    """A purchase as described by hand or read from a document."""

    id: Id
    source: Annotated[str, open_words(ScopeSource)] = Field(
        description="Whether it was made by hand or read from a document."
    )
    created_on: ReplyInstant
    scope_terms: list[ScopeTerm]
    product_terms: list[ProductTerm]
    previous_scope_id: Id | None = None
    next_scope_id: Id | None = None
    document_processing: DocumentProcessing | None = None


# Extensions: beyond the interface, see `/v1/openapi`.


class ReadValue(Reply):
    """One value read from a document. `box` is x0, top, x1, bottom in the unit of its page's size, from the
    upper left corner; e-documents have neither. `sure` means that the value was verified, and
    `second` is what a doubtful one may be instead: a date, a currency."""

    name: str = Field(description="What the value is, such as `total` or `documentDate`.")
    value: Flag | Number | str = Field(description="The value, as read from the document.")
    page: int | None = None
    box: list[Number] | None = None
    confidence: Number | None = None
    sure: bool = Field(default=False, description="Whether the value was verified.")
    second: str | None = Field(default=None, description="What a doubtful value may be instead.")


LineRole = Literal["product", "not_product", "left_aside"]
"""What a line of a quote is: a product that is estimated; something that costs and is no product (shipping,
services, a credit, free text); or a product that the buyer leaves out of the estimate."""


LineTag = Literal["optional", "alternative", "one_off", "recurring", "included", "credit", "discount"]
"""What a line is beside its role: in no total; one of several to choose from; paid once; paid again; in the
price of another line; something that reduces the price."""


class LineCandidate(Reply):
    """A catalog product that a line may mean. `score` in per cent; `why` says in words what it rests on."""

    product_id: Id
    product_name: str
    company_id: Id
    company_name: str
    score: Number = Field(description="How well it fits, in per cent.")
    why: str


class LineDimension(Reply):
    """A pricing dimension of the product that a line was matched to. `value` is as in a product term and
    `label` what a person reads, both absent while nobody knows; `source` says where it comes from: `read` in
    the line (`words` are its own), the product's `default`, or `unknown`, which is to be asked."""

    id: Id
    name: str
    value: Number | str | None = Field(
        default=None, description="The value as in a product term; absent while nobody knows it."
    )
    label: str | None = None
    source: Annotated[str, open_words("read", "default", "unknown")] = Field(
        description="Where the value comes from: the line, the product's default, or unknown."
    )
    words: str | None = Field(default=None, description="The words of the line that it was read from.")
    moves_price: bool = Field(default=False, description="Whether the price cannot be judged without it.")


class ProposedDimension(Reply):
    """A pricing dimension that the line's words suggest for a new product, with this purchase's option."""

    name: str = Field(description="The name of the dimension.")
    option: str = Field(description="The option of this purchase.")


class ProposedEntry(Reply):
    """The catalog entry that a line would become where nothing matches it."""

    name: str
    unit: str | None = None
    dimensions: list[ProposedDimension] = Field(default_factory=list[ProposedDimension])


class ReadLine(Reply):
    """One line of the document, with the catalog product it was matched to, if any. `match_score` is in per
    cent, `matched_by` says on what. `role` is proposed, with its reason; `question` is what must be answered
    before the line's price can be judged; `candidates` are other products that it may mean, the likeliest
    first. `recurring` says whether the line is paid for a time, where that can be told; `term_amount` is
    its amount before tax for the whole term, whatever it is billed for. `tags` say what else it is;
    `first_month` is after how many months of the term it begins and `months` for how many it runs, where it
    is for a part of the term."""

    index: int
    values: list[ReadValue] = Field(description="The values of the line, as read from the document.")
    product_id: Id | None = None
    product_name: str | None = None
    match_score: Number | None = Field(
        default=None, description="How well the line fits the product, in per cent."
    )
    matched_by: str | None = Field(default=None, description="What the match rests on.")
    role: Annotated[str, open_words(LineRole)] = Field(
        default="product", description="What the line is, as proposed: a product, no product, or left aside."
    )
    role_reason: str | None = Field(default=None, description="Why the line has this role.")
    question: str | None = Field(
        default=None, description="What must be answered before the line's price can be judged."
    )
    recurring: Flag | None = None
    term_amount: Number | None = Field(
        default=None, description="The line's amount before tax for the whole term."
    )
    tags: list[Annotated[str, open_words(LineTag)]] = Field(
        default_factory=list[str],
        description=(
            "What it is beside its role: `optional` is in no total, of the `alternative` ones some are to"
            " be chosen, `one_off` and `recurring` say how often it is paid, `included` is in the price of"
            " another line, `credit` and `discount` reduce the price."
        ),
    )
    first_month: int | None = Field(
        default=None,
        description=(
            "After how many months of the term it begins, where it is for a part of the term: 12 for the"
            " second year."
        ),
    )
    months: int | None = Field(
        default=None, description="For how many months it runs, where it is for a part of the term."
    )
    candidates: list[LineCandidate] = Field(default_factory=list[LineCandidate])
    dimensions: list[LineDimension] = Field(
        default_factory=list[LineDimension],
        description="The product's dimensions, with what the line says of each.",
    )
    proposed: ProposedEntry | None = Field(
        default=None, description="The catalog entry that the line would become, where nothing matches it."
    )


class SupplierCandidate(Reply):
    """A company of the catalog that the document's supplier may be, and why."""

    company_id: Id
    name: str
    why: str


class ReadSupplier(Reply):
    """Who the document is from: the name as read, and the company of the catalog that it is, if any."""

    name: str | None = Field(default=None, description="The supplier's name, as read from the document.")
    company_id: Id | None = None
    company_name: str | None = None
    candidates: list[SupplierCandidate] = Field(default_factory=list[SupplierCandidate])


class ReadPage(Reply):
    """A page of the document; `width` and `height` are in the unit of the boxes."""

    number: int = Field(description="The number of the page, from 1.")
    width: Number = Field(description="The page's width, in the unit of the boxes.")
    height: Number = Field(description="The page's height, in the unit of the boxes.")


class DuplicateScope(Reply):
    """An earlier scope that was read from the same quote: from the same file, or from a document with the
    same number of the same supplier."""

    scope_id: Id
    filename: str
    created_on: ReplyInstant
    same_file: Flag = Field(
        description="Whether it was the same file; else the number and the supplier are the same."
    )


class QuoteInFile(Reply):
    """A quote of a file that holds several, with the scope that it was read into. `total` is the highest sum
    that it states: with tax, where there is one."""

    scope_id: Id
    document_number: str | None = Field(
        default=None, description="The number that the document calls itself by."
    )
    total: Number | None = Field(
        default=None, description="The highest sum that it states: with tax, where there is one."
    )
    pages: list[int] = Field(description="The numbers of its pages in the file; none in an e-document.")


class DocumentReading(Reply):
    """Everything that was read from a scope's document, with all its lines. `duplicate_of` are the scopes
    that were read from the same quote before, the newest first; `quotes` are all quotes of the file in their
    order, this one among them, where it holds several."""

    scope_id: Id
    file_id: Id
    filename: str
    kind: str = Field(description="What kind of document it is.")
    currency: str | None = None
    assumed_currency: str | None = Field(
        default=None,
        description="The currency that its amounts are taken to be in until somebody says which it is; absent"
        " where the document names one.",
    )
    pages: list[ReadPage] = Field(description="The pages of the document.")
    values: list[ReadValue] = Field(
        description="What was read of the whole document, each value with its place."
    )
    lines: list[ReadLine]
    warnings: list[str]
    supplier: ReadSupplier | None = Field(default=None, description="Who the document is from.")
    duplicate_of: list[DuplicateScope] = Field(
        default_factory=list[DuplicateScope],
        description="Earlier scopes that were read from the same quote, the newest first.",
    )
    quotes: list[QuoteInFile] = Field(default_factory=list[QuoteInFile])
    list_price_lines: list[int] = Field(
        default_factory=list[int],
        description="The lines of a price list, by index, that are list prices of the catalog.",
    )
    second_opinion: SecondOpinion | None = Field(
        default=None,
        description="What a second opinion was asked about the document; absent where nothing was.",
    )


class ConfirmedLine(Part):
    """A line of the document as a person confirmed it. `product_term` is given where the role is
    `product`."""

    index: Annotated[int, Field(ge=0, lt=MAX_LINES), WHOLE]
    role: LineRole = Field(description="What the line is: a product, no product, or left aside.")
    product_term: NewProductTerm | None = Field(
        default=None, description="The product of the line with its quantities, where it is one."
    )


class ConfirmDocument(Request):
    """The body of `POST /v1/scope/{scopeId}/document/confirm`: the term and every line of the document, each
    once. Makes a scope that follows this one and keeps the quote behind it."""

    scope_term: NewScopeTerm = Field(description="The term of the purchase.")
    currency: CurrencyCode | None = Field(
        default=None, description="The currency of all amounts, where it is another than was read or assumed."
    )
    supplier_name: Annotated[Name, Field(max_length=250)] | None = Field(
        default=None, description="Who the document is from, where that is another than was read."
    )
    lines: Annotated[list[ConfirmedLine], Field(min_length=1, max_length=MAX_LINES)] = Field(
        description="Every line of the document, each once."
    )


ListedPer = Literal["once", "month", "quarter", "year"]
"""What a list price is for: `once` what is not paid again."""


class ListedLine(Part):
    """A line of a price list, and the product of the catalog that it is a price of. `per` is what the price
    of one unit is for where the line does not say that."""

    index: Annotated[int, Field(ge=0, lt=MAX_LINES), WHOLE]
    product_id: Id
    per: ListedPer | None = Field(
        default=None, description="What the price of one unit is for; absent where the line says it."
    )


class TakeListPrices(Request):
    """The body of `POST /v1/scope/{scopeId}/document/list-prices`: the lines whose prices are list prices
    from now on, in the place of those that were taken from this document before. None takes them back."""

    lines: Annotated[list[ListedLine], Field(max_length=MAX_LINES)] = Field(
        description="The lines whose prices are list prices of their products; none takes them back."
    )


class UncoveredLine(Reply):
    """A line of the quote that the estimate does not cover. `why` is a sentence."""

    description: str
    amount: Number | None = Field(default=None, description="What the line is quoted at, before tax.")
    why: str


class Coverage(Reply):
    """How much of the quote an estimate covers: `share` of its money (0 to 1, absent where the quote states
    none), in amounts before tax and in lines; `uncovered` are the lines that cost and are not covered."""

    share: Number | None = Field(default=None, description="The covered share of the quoted money, 0 to 1.")
    covered_amount: Number = Field(description="What the covered lines are quoted at, before tax.")
    quoted_amount: Number
    lines: int = Field(description="How many lines of the quote cost something.")
    lines_covered: int = Field(description="How many lines the estimate covers.")
    uncovered: list[UncoveredLine] = Field(
        default_factory=list[UncoveredLine], description="The lines that cost and are not covered."
    )
