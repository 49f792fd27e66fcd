"""What was read from a document, and where on the page each value stands.

`Extraction.to_json` is the wire shape of `parley extract --json`: plain numbers, ISO dates,
ISO 4217 codes, keys absent when a value was not found.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from decimal import Decimal
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

Kind: TypeAlias = Literal[
    "quote", "order_form", "invoice", "credit_note", "order", "contract", "price_list", "other"
]
Number: TypeAlias = Annotated[Decimal, Field(max_digits=90, decimal_places=50)]
"""A number of a document; those that a reading process sends are held to fifty decimals, and to forty digits
before them: no price of any currency has as many."""
TotalName: TypeAlias = Literal["net_total", "tax_total", "total"]
TOTAL_NAMES: tuple[TotalName, ...] = ("net_total", "tax_total", "total")
NoticeUnit: TypeAlias = Literal["day", "month"]
JsonValue: TypeAlias = str | int | float | bool | list["JsonValue"] | Mapping[str, "JsonValue"] | None


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in points (pixels for pictures), the origin in the upper left corner of the page."""

    x0: float
    top: float
    x1: float
    bottom: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def centre(self) -> float:
        return (self.x0 + self.x1) / 2

    def joined(self, other: "Box") -> "Box":
        return Box(
            min(self.x0, other.x0),
            min(self.top, other.top),
            max(self.x1, other.x1),
            max(self.bottom, other.bottom),
        )


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a value was read. `page` counts from 1; both are None for e-documents.

    `verified` says that the value was checked by arithmetic or by an embedded e-document, or that it
    stands beside an unmistakable label; JSON calls it `sure`. `second` is what a doubtful value may be
    instead, as JSON has it.
    """

    page: int | None
    box: Box | None
    confidence: float
    verified: bool = False
    second: str | None = None

    @property
    def position(self) -> tuple[int, float] | None:
        """The page and how far down it the value stands; None for a value without a place."""
        return None if self.page is None or self.box is None else (self.page, self.box.middle)

    def doubted(self, confidence: float = 0.5) -> "Provenance":
        """The place of a value that is not sure, and at most as certain as that."""
        return replace(self, confidence=min(self.confidence, confidence), verified=False)

    def to_json(self) -> dict[str, JsonValue]:
        wire: dict[str, JsonValue] = {"confidence": round(self.confidence, 3)}
        if self.page is not None:
            wire["page"] = self.page
        if self.box is not None:
            wire["box"] = [
                round(edge, 1) for edge in (self.box.x0, self.box.top, self.box.x1, self.box.bottom)
            ]
        if self.verified:
            wire["sure"] = True
        if self.second is not None:
            wire["second"] = self.second
        return wire


@dataclass(frozen=True, slots=True)
class LineItem:
    """One line of the document. `amount` is quantity x unit price, times the periods charged if any.

    `unit_price` is net of a line discount; `list_unit_price` the price before it. `period_months`
    says for how many months a recurring price is charged; `price_basis_quantity` for how many units
    together the price is stated, where that is not one. `from_quantity` and `to_quantity` say
    for how many units the price holds, where it depends on that: such lines have neither quantity nor amount.
    `tax_included` is True where price and amount hold a
    tax, `tax_percent` its rate, None where it is not known. `first_month` is after how many months of the
    term the line begins and `span_months` for how many it runs, where it is for a part of the term.
    `optional` lines are in no total, and of `alternative` ones some are to be chosen. `part_of` names the
    line that holds the price of this one, which is in no total of its own. `recurring` is what the
    title of its table says: True for what is paid again, False for what is paid once.
    """

    description: str | None = None
    quantity: Number | None = None
    unit: str | None = None
    unit_price: Number | None = None
    amount: Number | None = None
    item_id: str | None = None
    discount_percent: Number | None = None
    list_unit_price: Number | None = None
    price_basis_quantity: Number | None = None
    from_quantity: Number | None = None
    to_quantity: Number | None = None
    tax_included: bool | None = None
    tax_percent: Number | None = None
    period_months: int | None = None
    first_month: int | None = None
    span_months: int | None = None
    optional: bool | None = None
    alternative: bool | None = None
    included: bool | None = None
    part_of: str | None = None
    recurring: bool | None = None
    provenance: Mapping[str, Provenance] = field(default_factory=dict[str, Provenance])

    @property
    def position(self) -> tuple[int, float] | None:
        """The page and how far down it the amount stands; None where it has no place."""
        place = self.provenance.get("amount")
        return place.position if place else None

    @property
    def has_unknown_tax(self) -> bool:
        """Whether price and amount hold a tax whose rate is not known."""
        return bool(self.tax_included) and self.tax_percent is None

    @property
    def amount_before_tax(self) -> Decimal | None:
        """The amount without the tax that it holds; None where that is not known. Not rounded."""
        return self._take_tax_out(self.amount)

    @property
    def price_before_tax(self) -> Decimal | None:
        """The price of one unit without the tax that it holds, however many units it is stated for; None
        where that is not known. Not rounded."""
        price = self._take_tax_out(self.unit_price)
        return None if price is None else price / (self.price_basis_quantity or 1)

    def to_json(self) -> dict[str, JsonValue]:
        return _wire_values(self)

    def _take_tax_out(self, value: Decimal | None) -> Decimal | None:
        if value is None or not self.tax_included:
            return value
        return None if self.tax_percent is None else value / (1 + self.tax_percent / 100)


def list_places(items: Iterable[LineItem], *names: str) -> set[tuple[int | None, Box | None]]:
    """The pages and boxes in which these values of lines were read."""
    return {(seen.page, seen.box) for item in items for name in names if (seen := item.provenance.get(name))}


@dataclass(frozen=True, slots=True)
class PageSize:
    """Width and height in the unit of the boxes, so that a picture of the page can be overlaid. `number`
    counts the pages of the file from 1."""

    width: float
    height: float
    number: int = 1


@dataclass(frozen=True, slots=True)
class Extraction:
    """Everything read from one document. A value that was not found is None.

    `provenance` (`evidence` in JSON) is keyed by the field's name; a line item carries its own.
    `warnings` are sentences about what does not add up or could not be decided, `term_doubts` those about
    how long the term is: in JSON they are warnings too. `line_currencies` are the
    currencies that stand with the lines: more than one where a document mixes them.
    `is_renewal` is True where a title says that what was bought before is renewed, else None.
    `notice_unit` is the unit that `notice_days` was stated in, a month counted as 30 days; `renewal_months`
    the length of a renewal. At least `minimum_total` is to be paid for each `minimum_months`, None for all of
    the term, however little is used. `renewal_uplift_is_cap` is True where the percentage is the most that
    prices may rise by, else None. `quotes` are the readings of several quotes in one file, in their order;
    empty where it is one document.
    """

    file: str
    kind: Kind = "other"
    is_renewal: bool | None = None
    language: str | None = None
    supplier: str | None = None
    buyer: str | None = None
    currency: str | None = None
    document_number: str | None = None
    document_date: date | None = None
    valid_until: date | None = None
    net_total: Number | None = None
    tax_total: Number | None = None
    total: Number | None = None
    line_items: tuple[LineItem, ...] = ()
    term_months: int | None = None
    start_date: date | None = None
    end_date: date | None = None
    billing: str | None = None
    payment_terms_days: int | None = None
    auto_renew: bool | None = None
    renewal_months: int | None = None
    renewal_uplift_percent: Number | None = None
    renewal_uplift_is_cap: bool | None = None
    notice_days: int | None = None
    notice_unit: NoticeUnit | None = None
    minimum_total: Number | None = None
    minimum_months: int | None = None
    warnings: tuple[str, ...] = ()
    term_doubts: tuple[str, ...] = ()
    provenance: Mapping[str, Provenance] = field(default_factory=dict[str, Provenance])
    pages: tuple[PageSize, ...] = ()
    line_currencies: tuple[str, ...] = ()
    quotes: tuple["Extraction", ...] = ()

    def to_json(self) -> dict[str, JsonValue]:
        """The object of `parley extract --json`; `evidence.line_items` runs parallel to `line_items`."""
        wire = _wire_values(self)
        wire["line_items"] = [item.to_json() for item in self.line_items]
        wire["warnings"] = [*self.warnings, *self.term_doubts]
        wire["evidence"] = {
            **{name: seen.to_json() for name, seen in self.provenance.items()},
            "line_items": [
                {name: seen.to_json() for name, seen in item.provenance.items()} for item in self.line_items
            ],
        }
        if self.quotes:
            wire["quotes"] = [quote.to_json() for quote in self.quotes]
        return wire


_SHAPED_APART = {"line_items", "warnings", "term_doubts", "provenance", "pages", "line_currencies", "quotes"}


def _wire_values(record: LineItem | Extraction) -> dict[str, JsonValue]:
    wire: dict[str, JsonValue] = {}
    for one in fields(record):
        value = getattr(record, one.name)
        if value is None or one.name in _SHAPED_APART:
            continue
        wire[one.name] = _wire_value(value)
    return wire


def _wire_value(value: str | int | bool | Decimal | date) -> JsonValue:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value.isoformat() if isinstance(value, date) else value
