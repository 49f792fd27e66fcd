"""Draw the document of a sample quote."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from hashlib import sha256

from app.service.files.store import SAMPLE_DOCUMENT_MARK
from app.service.sample.quotes import BUYER, TAX_PERCENT, SampleQuote

WIDTH, HEIGHT = 595, 842
"""The size of A4 in points."""

Colour = tuple[float, float, float]
"""Red, green and blue, each from 0 to 1."""

BLACK: Colour = (0.0, 0.0, 0.0)

LETTER_WIDTHS = {**dict.fromkeys("0123456789", 0.556), ",": 0.278, ".": 0.278, " ": 0.278}
OTHER_WIDTH = 0.6
"""The widths of letters in ems: those of numbers as the font states them, for all others a usual one."""


@dataclass
class PdfPage:
    """A page that is drawn from its upper left corner; all measures are in points."""

    _operators: list[str] = field(default_factory=list[str])

    def fill(self, x: float, y: float, width: float, height: float, colour: Colour) -> None:
        """Fill a rectangle, whose upper left corner is at `x` and `y`."""
        red, green, blue = colour
        self._operators.append(f"{red} {green} {blue} rg {x} {HEIGHT - y - height:.1f} {width} {height} re f")

    def write(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 9.5,
        bold: bool = False,
        right: bool = False,
        colour: Colour = BLACK,
    ) -> None:
        """Write a text on the baseline `y`, which begins at `x`, or ends there with `right`."""
        if right:
            x -= size * sum(LETTER_WIDTHS.get(letter, OTHER_WIDTH) for letter in text)
        red, green, blue = colour
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self._operators.append(
            f"BT {red} {green} {blue} rg /{'Bold' if bold else 'Plain'} {size} Tf"
            f" 1 0 0 1 {x:.1f} {HEIGHT - y:.1f} Tm ({escaped}) Tj ET"
        )

    def to_bytes(self) -> bytes:
        """Return the PDF file; the same for the same drawing."""
        content = "\n".join(self._operators).encode("cp1252", "replace")
        font = b"<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>"
        objects = (
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents 4 0 R"
            b" /Resources << /Font << /Plain 5 0 R /Bold 6 0 R >> >> >>" % (WIDTH, HEIGHT),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
            font % b"Helvetica",
            font % b"Helvetica-Bold",
            b"<< %s >>" % SAMPLE_DOCUMENT_MARK,
        )
        file = bytearray(b"%PDF-1.7\n")
        places: list[int] = []
        for number, one in enumerate(objects, 1):
            places.append(len(file))
            file += b"%d 0 obj\n%s\nendobj\n" % (number, one)
        start = len(file)
        file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
        for place in places:
            file += b"%010d 00000 n \n" % place
        file += b"trailer << /Size %d /Root 1 0 R /Info 7 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
            len(objects) + 1,
            start,
        )
        return bytes(file)


LEFT, RIGHT = 50.0, WIDTH - 50.0
GREY: Colour = (0.4, 0.4, 0.4)
PALE: Colour = (0.93, 0.94, 0.96)
COLOURS: tuple[Colour, ...] = ((0.10, 0.30, 0.55), (0.45, 0.15, 0.30), (0.10, 0.40, 0.30), (0.30, 0.25, 0.50))
"""The colours of letterheads."""

COLUMNS = (
    ("Item", LEFT + 6, False),
    ("Description", LEFT + 82, False),
    ("Quantity", 345.0, True),
    ("Unit", 358.0, False),
    ("Unit price", 465.0, True),
    ("Amount", RIGHT - 6, True),
)
"""The columns of lines: heading, edge, and whether it is the right one."""
ROW_HEIGHT = 18.0


def draw_quote_pdf(quote: SampleQuote) -> bytes:
    """Return the quote as a PDF of one page; the same for the same quote."""
    page = PdfPage()
    _draw_letterhead(page, quote)
    _draw_terms(page, quote, _draw_lines(page, quote, 262.0))
    page.write(LEFT, 812, "Sample data: supplier, products and prices are invented.", size=7.5, colour=GREY)
    return page.to_bytes()


def _draw_letterhead(page: PdfPage, quote: SampleQuote) -> None:
    supplier = quote.supplier.row
    colour = COLOURS[sha256(supplier["name"].encode()).digest()[0] % len(COLOURS)]
    page.fill(0, 0, WIDTH, 10, colour)
    page.write(LEFT, 56, supplier["legal_name"], size=17, bold=True, colour=colour)
    page.write(
        LEFT, 74, f"12 Sample Street, 10115 Sampleton | sales@{supplier['domain']}", size=8, colour=GREY
    )
    page.write(LEFT, 120, "QUOTE", size=15, bold=True)
    page.write(LEFT, 146, "Prepared for:", size=8, colour=GREY)
    page.write(LEFT, 160, BUYER, bold=True)
    page.write(LEFT, 174, "4 Oak Lane")
    page.write(LEFT, 188, "20095 Sampleton")
    facts = (
        ("Quote number", quote.number),
        ("Date", _format_date(quote.dated)),
        ("Valid until", _format_date(quote.valid_until)),
        ("Start date", _format_date(quote.starts)),
        ("Term", f"{quote.term_months} months"),
        ("Currency", quote.currency),
    )
    for row, (label, value) in enumerate(facts):
        page.write(350, 120 + 16 * row, f"{label}:", colour=GREY)
        page.write(440, 120 + 16 * row, value)


def _draw_lines(page: PdfPage, quote: SampleQuote, top: float) -> float:
    """Draw the lines and the sums; return how far down they reach."""
    page.fill(LEFT, top - 13, RIGHT - LEFT, ROW_HEIGHT, PALE)
    for heading, edge, right in COLUMNS:
        page.write(edge, top, heading, size=8.5, bold=True, right=right)
    for line in quote.lines:
        top += ROW_HEIGHT
        price, amount = _format_amount(line.unit_price), _format_amount(line.amount)
        if any(one.currency != quote.currency for one in quote.lines):
            price, amount = f"{line.currency} {price}", f"{line.currency} {amount}"
        cells = (line.item_id, line.description, f"{line.quantity:,}", line.unit, price, amount)
        for (_, edge, right), cell in zip(COLUMNS, cells, strict=True):
            page.write(edge, top, cell, size=8.5, right=right)
    page.fill(LEFT, top + 8, RIGHT - LEFT, 0.7, GREY)
    top += 10
    sums = (("Net total", quote.net), (f"VAT {TAX_PERCENT} %", quote.tax), ("Total", quote.total))
    for label, value in sums:
        top += 17
        is_total = label == "Total"
        page.write(400, top, label, bold=is_total)
        page.write(RIGHT - 6, top, _format_amount(value), bold=is_total, right=True)
    return top


def _draw_terms(page: PdfPage, quote: SampleQuote, top: float) -> None:
    sentences = [
        f"Prices are in {quote.currency}, before tax, for the whole term of {quote.term_months} months.",
        f"Payment is due within {quote.payment_days} days of the invoice date.",
    ]
    if quote.notice_days is None:
        sentences.append("The agreement ends with its term and does not renew automatically.")
    else:
        sentences += [
            "The agreement renews automatically for further terms of 12 months",
            f"unless either party gives notice {quote.notice_days} days before the end of the term.",
            f"The price of a renewal increases by at most {quote.uplift_percent} %.",
        ]
    page.write(LEFT, top + 44, "Terms", bold=True)
    for row, sentence in enumerate(sentences):
        page.write(LEFT, top + 62 + 15 * row, sentence)


def _format_amount(amount: Decimal) -> str:
    return f"{amount:,.2f}"


def _format_date(day: date) -> str:
    return f"{day.day} {day:%B %Y}"
