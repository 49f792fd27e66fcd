"""What was read from a document, as `scope_document.reading` stores it: the JSON of `Extraction.to_json`, and
what became of its lines and its supplier in the catalog."""

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import NotRequired, TypedDict, cast

from app.contract.scope import LineRole, LineTag
from app.service.documents.extraction import Extraction, Kind, LineItem, NoticeUnit

StoredEvidence = Mapping[str, object]
"""Where each value was read, by its name. `line_items` has that of the lines, in their order."""


class StoredPageSize(TypedDict):
    """The size of a page, in the unit of the boxes. Without a number, as in documents that were read before a
    file could hold several, pages are counted from 1."""

    width: float
    height: float
    number: NotRequired[int]


class StoredLine(TypedDict, total=False):
    """A line as it was read. Only the values are named here that more than the review looks at."""

    description: str
    unit: str
    unit_price: float
    from_quantity: float
    to_quantity: float
    amount: float
    tax_included: bool
    period_months: int
    first_month: int


class StoredMatch(TypedDict):
    """The product that a line became. `score` is in per cent."""

    productId: str
    productName: str
    score: float
    matchedBy: str


class StoredLineDimension(TypedDict):
    """A pricing dimension of the product of a line, with where its value comes from."""

    id: str
    value: NotRequired[int | float | str]
    name: str
    source: str
    label: NotRequired[str]
    words: NotRequired[str]
    movesPrice: NotRequired[bool]


class LineInterpretation(TypedDict):
    """What a line means: the fields of a `ReadLine` that the line itself does not state."""

    role: LineRole
    roleReason: NotRequired[str]
    question: NotRequired[str]
    recurring: NotRequired[bool]
    termAmount: NotRequired[float]
    tags: NotRequired[list[LineTag]]
    firstMonth: NotRequired[int]
    months: NotRequired[int]
    candidates: list[Mapping[str, object]]  # as `catalog.line_match.ProductCandidate`
    dimensions: list[StoredLineDimension]
    proposed: NotRequired[Mapping[str, object]]


class StoredQuote(TypedDict):
    """A quote of a file of several, with the scope that it was read into. `total` is the highest sum that it
    states: with tax, where there is one."""

    scope_id: str
    document_number: NotRequired[str]
    total: NotRequired[float]
    pages: list[int]


class StoredReading(TypedDict):
    """A reading. Amounts and percentages are numbers, days are ISO dates; what was not found is absent.
    `understood`, `supplier_match` and `doubts` are absent where the document was read before there were any;
    `doubts` are those of the warnings that have to be settled before its price is judged; `is_term_assumed`
    says that the document does not say for how long its prices are. `quotes` are all quotes of the file, this
    one among them, where it holds several."""

    kind: Kind
    supplier: NotRequired[str]
    currency: NotRequired[str]
    document_number: NotRequired[str]
    document_date: NotRequired[str]
    valid_until: NotRequired[str]
    net_total: NotRequired[float]
    tax_total: NotRequired[float]
    total: NotRequired[float]
    billing: NotRequired[str]
    payment_terms_days: NotRequired[int]
    auto_renew: NotRequired[bool]
    renewal_months: NotRequired[int]
    renewal_uplift_percent: NotRequired[float]
    renewal_uplift_is_cap: NotRequired[bool]
    notice_days: NotRequired[int]
    notice_unit: NotRequired[NoticeUnit]
    minimum_total: NotRequired[float]
    minimum_months: NotRequired[int]
    line_items: list[StoredLine]
    warnings: list[str]
    doubts: NotRequired[list[str]]
    is_term_assumed: NotRequired[bool]
    evidence: StoredEvidence
    pages: list[StoredPageSize]
    matches: list[StoredMatch | None]
    understood: NotRequired[list[LineInterpretation]]
    supplier_match: NotRequired[Mapping[str, object]]
    quotes: NotRequired[list[StoredQuote]]


_PRICE_UNIT = Decimal("0.000001")
_PRICE_PARTS = ("unit_price", "price_basis_quantity", "tax_percent")


def read_price_before_tax(line: Mapping[str, object]) -> Decimal | None:
    """Return the price of one unit of a stored line, without the tax that it holds; None where it states none
    or the rate of the tax is not known. At most six decimals."""
    price, basis, percent = (
        None if line.get(name) is None else Decimal(str(line[name])) for name in _PRICE_PARTS
    )
    price = LineItem(
        unit_price=price,
        price_basis_quantity=basis,
        tax_percent=percent,
        tax_included=bool(line.get("tax_included")),
    ).price_before_tax
    return None if price is None else round_price(price)


def round_price(price: Decimal) -> Decimal:
    """Return the price of one unit with six decimals at most."""
    rounded = price.quantize(_PRICE_UNIT, ROUND_HALF_UP)
    return price if rounded == price else rounded


def name_quotes(scope_ids: Sequence[str], readings: Sequence[StoredReading]) -> list[StoredQuote]:
    """Build what is stored of all quotes of a file with each of them."""
    quotes: list[StoredQuote] = []
    for scope_id, reading in zip(scope_ids, readings, strict=True):
        quote: StoredQuote = {
            "scope_id": scope_id,
            "pages": [page.get("number", 1) for page in reading["pages"]],
        }
        if number := reading.get("document_number"):
            quote["document_number"] = number
        if (total := reading.get("total", reading.get("net_total"))) is not None:
            quote["total"] = total
        quotes.append(quote)
    return quotes


def build_reading(
    document: Extraction,
    *,
    warnings: Sequence[str],
    doubts: Sequence[str],
    is_term_assumed: bool,
    matches: list[StoredMatch | None],
    understood: list[LineInterpretation],
    supplier_match: Mapping[str, object],
) -> StoredReading:
    """Build what is stored of a document. The lists of matches and interpretations run parallel to its
    lines."""
    return cast(
        StoredReading,
        {
            **document.to_json(),
            "warnings": list(warnings),
            "doubts": list(doubts),
            "is_term_assumed": is_term_assumed,
            "pages": [
                {"width": page.width, "height": page.height, "number": page.number} for page in document.pages
            ],
            "matches": matches,
            "understood": understood,
            "supplier_match": supplier_match,
        },
    )
