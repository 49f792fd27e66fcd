"""What was read from a document, as `scope_document.reading` stores it: the JSON of `Extraction.to_json`, and
what became of its lines and its supplier in the catalog.
"""

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import NotRequired, TypedDict, cast

from app.contract.money import format_exact_quantity
from app.contract.scope import LineRole, LineTag
from app.service.catalog.names import name_key
from app.service.charges.charge import MONTHS_PER, PER_OF_MONTHS, Charge, Per, Step, convert_price, to_decimal
from app.service.documents.extraction import Extraction, Kind, LineItem, NoticeUnit
from app.service.scopes.units import find_period
from app.service.values.rounding import is_close

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
    `understood`, `supplier_match`, `doubts` and `term_warnings` are absent where the document was read before
    there were any; `doubts` are those of the warnings that have to be settled before its price is judged, and
    `term_warnings` those on how long the term is and what counts for all of it; `is_term_assumed`
    is what `StoredScopeTerm.term_assumed` says, of a document that was read before terms said it. `quotes`
    are all quotes of the file, this one among them, where it holds several."""

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
    term_warnings: NotRequired[list[str]]
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
    term_warnings: Sequence[str],
    doubts: Sequence[str],
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
            "term_warnings": list(term_warnings),
            "doubts": list(doubts),
            "pages": [
                {"width": page.width, "height": page.height, "number": page.number} for page in document.pages
            ],
            "matches": matches,
            "understood": understood,
            "supplier_match": supplier_match,
        },
    )


def price_quantity(
    lines: Sequence[StoredLine], index: int, quantity: Decimal, *, recurring: bool | None, months: int
) -> Decimal | None:
    """Return what so many units of the line at `index` cost, before tax, where they are bought for so many
    months; None where the line does not say, as of a price that is paid again and again, but not how often.
    Lines of the same thing from several quantities on are steps of one price. Raises ValueError with a
    sentence where there is no price for this quantity."""
    line = lines[index]
    steps = _list_steps(lines, line)
    prices = [read_price_before_tax(step) for step in steps]
    per = find_price_period(line, recurring)
    if per is None or any(price is None for price in prices):
        return None
    known = [Fraction(price) for price in prices if price is not None]
    starts = [Decimal(str(_get_start(step))) for step in steps]
    if quantity < starts[0]:
        raise ValueError(f"It is sold from {format_exact_quantity(starts[0])} on.")
    end = steps[-1].get("to_quantity")
    if end is not None and quantity > Decimal(str(end)):
        raise ValueError(f"Its prices are stated up to {format_exact_quantity(Decimal(str(end)))}.")
    charge = Charge(
        what=line.get("description") or "",
        currency="XXX",
        kind="one_time" if per == "once" else "recurring",
        per=per,
        quantity=Fraction(quantity),
        rate=known[0],
        steps=[Step(Fraction(start), rate) for start, rate in zip(starts, known, strict=True)],
        start_month=0,
        months=months,
    )
    return None if charge.amount is None else to_decimal(charge.amount)


def count_for_term(line: StoredLine, amount: Decimal, read_months: int, months: int) -> Decimal:
    """Return what a line that is paid again costs for so many months: the `amount` that was read, but where
    its document states a price of a month or year, and that was counted for `read_months`."""
    period = MONTHS_PER.get(find_price_period(line, recurring=True) or "term")
    printed = read_price_before_tax({**line, "unit_price": line.get("amount"), "price_basis_quantity": None})
    if period is None or printed is None or line.get("first_month") is not None:
        return amount
    was_counted = is_close(convert_price(printed, period, read_months), amount)
    return convert_price(printed, period, months) if was_counted else amount


def _list_steps(lines: Sequence[StoredLine], line: StoredLine) -> list[StoredLine]:
    """The steps of the price of a line, from the lowest; the line alone where its price has none."""
    if line.get("from_quantity") is None:
        return [line]
    name = name_key(line.get("description") or "")
    steps = [
        other
        for other in lines
        if other.get("from_quantity") is not None
        and name_key(other.get("description") or "") == name
        and (other.get("unit"), other.get("period_months")) == (line.get("unit"), line.get("period_months"))
    ]
    return sorted(steps, key=_get_start)


def _get_start(step: StoredLine) -> float:
    return step.get("from_quantity") or 0


def find_price_period(line: StoredLine, recurring: bool | None) -> Per | None:
    """What the price is for; None where it is paid again and the line does not say how often."""
    if recurring is False:
        return "once"
    period = line.get("period_months")
    if period is not None:
        return PER_OF_MONTHS.get(period)
    return find_period(line.get("unit")) or (None if recurring else "term")
