"""Quotes drawn in five layouts, as suppliers send them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from tests.service.documents import pdf_builder
from tests.service.documents.pdf_builder import Text

Period = Literal["month", "year", "once"]
PERIODS_OF: dict[Period, str] = {"month": "per month", "year": "per year", "once": "one-time"}


@dataclass(frozen=True)
class Line:
    """A line as printed: the price is of a unit and period, the amount for the whole term, or for the
    `months` from `first_month` on that the line runs. `discount` is per cent off a list price; an `optional`
    line is in no total, and a `part` of the bundle above it has no price of its own."""

    words: str
    quantity: float
    unit: str
    price: float
    period: Period = "month"
    item: str = ""
    first_month: int = 0
    months: int | None = None
    discount: float = 0
    optional: bool = False
    part: bool = False

    @property
    def net_price(self) -> float:
        """The price of a unit less the discount."""
        return round(round(self.price, 2) * (1 - self.discount / 100), 2)

    def amount(self, months: int) -> float:
        months = self.months or months
        periods = {"month": months, "year": months / 12, "once": 1}[self.period]
        return round(self.quantity * self.net_price * periods, 2)


@dataclass(frozen=True)
class PrintedQuote:
    supplier: str
    number: str
    day: date
    lines: Sequence[Line]
    months: int = 12
    currency: str = "USD"
    below: Sequence[str] = field(default_factory=tuple[str, ...])
    off: float = 0
    """What is taken off the sum of the lines."""
    title: str = "Quotation"

    @property
    def total(self) -> float:
        firm = sum(line.amount(self.months) for line in self.lines if not line.optional)
        return round(firm - self.off, 2)


def plain_pdf(quote: PrintedQuote) -> bytes:
    """Text above, one table, a total below."""
    return pdf_builder.quote(
        ["Description", "Qty", "Unit price", "Billing", "Amount"],
        [
            [
                one.words,
                _count(one.quantity),
                _money(one.price),
                PERIODS_OF[one.period],
                _money(one.amount(quote.months)),
            ]
            for one in quote.lines
        ],
        [("Total excl. tax", f"{quote.currency} {_money(quote.total)}")],
        above=(quote.supplier, f"QUOTE {quote.number}", f"Date: {quote.day:%d %B %Y}"),
        below=_notes(quote),
    )


def numbered_pdf(quote: PrintedQuote) -> bytes:
    """Positions with numbers, item numbers and units; the term stands above the table."""
    texts = [
        Text(50, 60, quote.supplier, 14, bold=True),
        Text(350, 60, "Quotation no.:"),
        Text(545, 60, quote.number, right=True),
        Text(350, 76, "Quotation date:"),
        Text(545, 76, f"{quote.day:%Y-%m-%d}", right=True),
        Text(350, 92, "Currency:"),
        Text(545, 92, quote.currency, right=True),
        Text(50, 130, "To: Larkfield Holdings plc"),
    ]
    rows = [["Pos", "Item no.", "Article", "Qty", "Unit", "Price", "Total"]]
    rows += [
        [
            *(str(at), one.item or "-", one.words, _count(one.quantity), one.unit),
            *(_money(one.price), _money(one.amount(quote.months))),
        ]
        for at, one in enumerate(quote.lines, 1)
    ]
    edges = [
        (50.0, False),
        (80.0, False),
        (150.0, False),
        (385.0, True),
        (395.0, False),
        (490.0, True),
        (550.0, True),
    ]
    texts += pdf_builder.table(200, edges, rows)
    bottom = 200 + 18 * len(rows) + 14
    texts += [Text(400, bottom, "Net total", bold=True), Text(550, bottom, _money(quote.total), right=True)]
    prices = " and ".join(dict.fromkeys(PERIODS_OF[one.period] for one in quote.lines))
    notes = [f"Prices are {prices}.", *_notes(quote)]
    texts += [Text(50, bottom + 40 + 14 * at, note) for at, note in enumerate(notes)]
    return pdf_builder.pdf(texts)


def office_docx(quote: PrintedQuote) -> bytes:
    rows = [["Product", "Quantity", "Price per unit", "Billing", "Line total"]]
    rows += [
        [
            one.words,
            f"{_count(one.quantity)} {one.unit}",
            _money(one.price),
            PERIODS_OF[one.period],
            _money(one.amount(quote.months)),
        ]
        for one in quote.lines
    ]
    rows.append(["Total before tax", "", "", "", f"{quote.currency} {_money(quote.total)}"])
    head = (
        quote.supplier,
        f"Quotation {quote.number}",
        f"Date: {quote.day:%d %B %Y}",
        "Prepared for: Larkfield Holdings plc",
    )
    return pdf_builder.docx(head, rows, _notes(quote))


def office_xlsx(quote: PrintedQuote) -> bytes:
    rows: list[list[str | int | float | None]] = [
        [quote.supplier],
        ["Quote number", quote.number],
        ["Quote date", quote.day.isoformat()],
        ["Currency", quote.currency],
        ["Term (months)", quote.months],
        [],
        ["Item", "Description", "Quantity", "Unit", "Unit price", "Billing", "Amount"],
    ]
    rows += [
        [
            one.item or None,
            one.words,
            one.quantity,
            one.unit,
            round(one.price, 2),
            PERIODS_OF[one.period],
            one.amount(quote.months),
        ]
        for one in quote.lines
    ]
    rows += [[None, None, None, None, None, "Total", quote.total], [], *([note] for note in _notes(quote))]
    return pdf_builder.xlsx(rows)


def german_pdf(quote: PrintedQuote) -> bytes:
    """Labels, dates and numbers as a German supplier prints them."""
    periods: dict[Period, str] = {"month": "pro Monat", "year": "pro Jahr", "once": "einmalig"}
    return pdf_builder.quote(
        ["Bezeichnung", "Menge", "Einzelpreis", "Abrechnung", "Gesamtpreis"],
        [
            [
                one.words,
                _count(one.quantity),
                _german(one.price),
                periods[one.period],
                _german(one.amount(quote.months)),
            ]
            for one in quote.lines
        ],
        [("Nettobetrag", f"{_german(quote.total)} {quote.currency}")],
        above=(quote.supplier, f"ANGEBOT Nr. {quote.number}", f"Datum: {quote.day:%d.%m.%Y}"),
        below=(f"Laufzeit: {quote.months} Monate", *quote.below),
    )


LAYOUTS: dict[str, tuple[str, Callable[[PrintedQuote], bytes]]] = {
    "plain": ("quote.pdf", plain_pdf),
    "numbered": ("quote.pdf", numbered_pdf),
    "docx": ("quote.docx", office_docx),
    "xlsx": ("quote.xlsx", office_xlsx),
    "german": ("angebot.pdf", german_pdf),
}


def _notes(quote: PrintedQuote) -> list[str]:
    return [f"Term: {quote.months} months", *quote.below]


def _count(quantity: float) -> str:
    return f"{quantity:g}"


def _money(amount: float) -> str:
    return f"{amount:,.2f}"


def _german(amount: float) -> str:
    return f"{amount:,.2f}".translate(str.maketrans(",.", ".,"))
