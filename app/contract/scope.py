"""Scopes (part 2 and 4 of the interface): what is to be bought, for how long and at what price."""

from typing import Annotated, Literal

from pydantic import Field

from app.contract.catalog import Feature
from app.contract.model import Part, Reply, Request
from app.contract.values import (
    Amount,
    Date,
    Flag,
    Id,
    Months,
    Number,
    Percentage,
    Quantity,
    ReplyInstant,
    Text,
    open_words,
)

PurchaseType = Literal["new_purchase", "renewal"]


class NewScopeTerm(Part):
    """A term of the purchase. Money is the pre-tax total for the whole term, in the scope's currency;
    `discount` is a percentage of `list_price`."""

    term_length: Months
    purchase_type: PurchaseType
    auto_renew: Flag | None = None
    start_date: Date | None = None
    end_date: Date | None = None
    list_price: Amount | None = None
    discount: Percentage | None = None
    final_price: Amount | None = None


class DimensionValue(Part):
    """What is bought of one pricing dimension: the number as entered, 1 for a ticked checkbox, the value of
    a select's option as a number or a numeric text."""

    id: Id
    value: Quantity | Annotated[Text, Field(max_length=100)]


class NewProductTerm(Part):
    """One product of the purchase with the quantities of its pricing dimensions."""

    product_id: Id
    pricing_dimensions: Annotated[list[DimensionValue], Field(min_length=1, max_length=100)]
    start_date: Date | None = None
    end_date: Date | None = None
    list_price: Amount | None = None
    discount: Percentage | None = None
    final_price: Amount | None = None


class NewScope(Request):
    """The body of `POST /v1/scope`."""

    scope_terms: Annotated[list[NewScopeTerm], Field(min_length=1, max_length=20)]
    product_terms: Annotated[list[NewProductTerm], Field(min_length=1, max_length=200)]
    previous_scope_id: Id | None = None


class NewScopeFromDocument(Request):
    """The JSON body of `POST /v1/scope/from-document`: an uploaded file's address or a foreign one."""

    file_url: Annotated[Text, Field(max_length=2000, json_schema_extra={"format": "uri"})] | None = None
    purchase_type: PurchaseType | None = None


class ScopeFromDocument(Reply):
    """The scope that the document is being read into."""

    scope_id: Id


class ScopeTerm(Reply):
    term_length: Number
    purchase_type: Annotated[str, open_words("new_purchase", "renewal")]
    list_price: Number | None = None
    discount: Number | None = None
    final_price: Number | None = None


class ScopeDimension(Reply):
    id: Id
    name: str
    description: str | None = None
    value: Number | str | None = None


class ProductTerm(Reply):
    product_id: Id
    product_name: str
    product_family_id: Id | None = None
    description: str | None = None
    icon: str | None = None
    url: str | None = None
    pricing_dimensions: list[ScopeDimension]
    included_features: list[Feature]
    list_price: Number | None = None
    discount: Number | None = None
    final_price: Number | None = None


class DocumentProcessing(Reply):
    """How far the reading of a document is. Until it is completed the scope has no terms."""

    status: Annotated[str, open_words("pending", "processing", "completed", "failed")]
    filename: str
    document_type: Annotated[str, open_words("order_form", "contract", "other")]
    mime_type: str
    error: str | None = None
    updated_at: ReplyInstant


class Scope(Reply):
    """A purchase as described by hand or read from a document."""

    id: Id
    source: Annotated[str, open_words("manual", "document")]
    created_on: ReplyInstant
    scope_terms: list[ScopeTerm]
    product_terms: list[ProductTerm]
    previous_scope_id: Id | None = None
    next_scope_id: Id | None = None
    document_processing: DocumentProcessing | None = None


# Extensions: beyond the interface, see `/v1/openapi`.


class ReadValue(Reply):
    """One value read from a document. `box` is x0, top, x1, bottom in the unit of its page's size, from the
    upper left corner; formats without pages have neither. `sure` means the reader would stake money on it."""

    name: str
    value: Flag | Number | str
    page: int | None = None
    box: list[Number] | None = None
    confidence: Number | None = None
    sure: bool = False


class ReadLine(Reply):
    """One line of the document, with the catalog product it was matched to, if any. `match_score` is in per
    cent, `matched_by` says on what."""

    index: int
    values: list[ReadValue]
    product_id: Id | None = None
    product_name: str | None = None
    match_score: Number | None = None
    matched_by: str | None = None


class ReadPage(Reply):
    """A page of the document; `width` and `height` are in the unit of the boxes."""

    number: int
    width: Number
    height: Number


class DocumentReading(Reply):
    """Everything that was read from a scope's document; no line is left out."""

    scope_id: Id
    file_id: Id
    filename: str
    kind: str
    currency: str | None = None
    pages: list[ReadPage]
    values: list[ReadValue]
    lines: list[ReadLine]
    warnings: list[str]
