"""Small documents made in memory, so that the tests say what is on the page."""

import csv
import io
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

import openpyxl
from docx import Document
from PIL import Image, ImageDraw, ImageFont

# Helvetica is one of the fonts every PDF reader has; half an em is near enough for right alignment.
_WIDTH = 0.5


@dataclass(frozen=True)
class Text:
    """A text with its left end `x`, its distance `y` from the upper edge and its size, in points."""

    x: float
    y: float
    text: str
    size: float = 10.0
    right: bool = False
    bold: bool = False
    paint: str = "0 g 0 Tr"
    """The operators that say how it is painted: its grey from 0 to 1 and its render mode."""


@dataclass(frozen=True)
class Rectangle:
    """A filled area with its upper left corner, in points; `grey` goes from 0 to 1."""

    x: float
    y: float
    width: float
    height: float
    grey: float


Rows: TypeAlias = Sequence[Sequence[str | Text]]


def pdf(
    *pages: Sequence[Text | Rectangle],
    width: float = 595,
    height: float = 842,
    rotate: int = 0,
    matrix: str = "1 0 0 1 0 0",
) -> bytes:
    """A PDF of pages with texts. They are shown turned clockwise by `rotate` degrees; `matrix` moves or turns
    what is drawn on them."""
    drawn = [f"{matrix} cm\n" + "\n".join(_drawn(text, height) for text in page) for page in pages]
    objects: list[bytes] = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>"
        % (len(pages), b" ".join(b"%d 0 R" % (5 + 2 * number) for number in range(len(pages)))),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    ]
    for number, content in enumerate(drawn):
        stream = content.encode("cp1252", "replace")
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %g %g] /Rotate %d /Contents %d 0 R"
            b" /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>" % (width, height, rotate, 6 + 2 * number)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    return from_objects(objects)


def drawing(operators: bytes, size: tuple[int, int] = (595, 842)) -> bytes:
    """A PDF of one page that is drawn by these operators."""
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents 4 0 R >>" % size
    return from_objects(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            page,
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(operators), operators),
        ]
    )


def from_objects(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """A PDF file from its objects, which are numbered from 1; the first is the catalog."""
    out = bytearray(b"%PDF-1.7\n")
    places: list[int] = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        out += b"%010d 00000 n \n" % place
    out += b"trailer << /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1,
        trailer,
        start,
    )
    return bytes(out)


def slow_to_draw(times: int = 3000) -> bytes:
    """A PDF of 10 KB that says little and draws one picture of nine megapixels so many times: 3,000 take two
    minutes."""
    side = 3000
    pixels = zlib.compress(bytes(side * side), 9)
    text = b"BT /F1 11 Tf 50 800 Td (Quote 1 of Works Ltd, total 100.00 USD) Tj ET\n"
    page = zlib.compress(text + b"q 500 0 0 700 10 10 cm /I Do Q\n" * times, 9)
    picture = (
        b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 8 "
        b"/Filter /FlateDecode /Length %d >>\nstream\n%b\nendstream"
    )
    return from_objects(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R >> /XObject << /I 6 0 R >> >> >>",
            b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(page), page),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            picture % (side, side, len(pixels), pixels),
        ]
    )


def _drawn(text: Text | Rectangle, height: float) -> str:
    if isinstance(text, Rectangle):
        return f"{text.grey} g {text.x} {height - text.y - text.height} {text.width} {text.height} re f"
    x = text.x - _WIDTH * text.size * len(text.text) if text.right else text.x
    escaped = text.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    font = "F2" if text.bold else "F1"
    place = f"1 0 0 1 {x:.1f} {height - text.y:.1f} Tm"
    return f"BT {text.paint} /{font} {text.size} Tf {place} ({escaped}) Tj ET"


def table(top: float, columns: Sequence[tuple[float, bool]], rows: Sequence[Sequence[str]]) -> list[Text]:
    """Rows of cells 18 points apart; a column is its edge and whether it is the right one."""
    return [
        Text(x, top + 18 * number, text, right=right)
        for number, row in enumerate(rows)
        for (x, right), text in zip(columns, row, strict=True)
        if text
    ]


def quote(
    header: Sequence[str],
    lines: Sequence[Sequence[str]],
    sums: Sequence[tuple[str, str]],
    *,
    above: Sequence[str] = ("Example Software Ltd", "QUOTE Q-1001", "Date: 4 March 2025"),
    below: Sequence[str] = (),
) -> bytes:
    """A quote of one page: some lines of text, a table with the text column first, sums, more text."""
    edges = [(50.0, False), *((170.0 + 380 * n / (len(header) - 1), True) for n in range(1, len(header)))]
    texts = [Text(50, 60 + 16 * n, line, 12 if n == 0 else 10) for n, line in enumerate(above)]
    texts += table(200, edges, [header, *lines])
    bottom = 200 + 18 * (len(lines) + 1) + 10
    for n, (label, value) in enumerate(sums):
        texts += [Text(360, bottom + 16 * n, label), Text(550, bottom + 16 * n, value, right=True)]
    texts += [Text(50, bottom + 16 * len(sums) + 30 + 14 * n, line) for n, line in enumerate(below)]
    return pdf(texts)


def xlsx(rows: Sequence[Sequence[str | int | float | Decimal | None]]) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(list(row))
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def docx(paragraphs: Sequence[str], rows: Sequence[Sequence[str]], after: Sequence[str] = ()) -> bytes:
    document = Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    grid = document.add_table(rows=0, cols=len(rows[0]))
    for row in rows:
        for cell, text in zip(grid.add_row().cells, row, strict=True):
            cell.text = text
    for paragraph in after:
        document.add_paragraph(paragraph)
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


def scans(*pages: Sequence[tuple[int, int, str]]) -> bytes:
    """A PDF of pictures of texts at points."""
    images = [Image.open(io.BytesIO(picture(page))) for page in pages]
    target = io.BytesIO()
    images[0].save(target, "PDF", save_all=True, append_images=images[1:])
    return target.getvalue()


def comma_separated(rows: Sequence[Sequence[str]], delimiter: str = ",") -> bytes:
    target = io.StringIO()
    csv.writer(target, delimiter=delimiter).writerows(rows)
    return target.getvalue().encode()


def picture(lines: Sequence[tuple[int, int, str]], size: tuple[int, int] = (1100, 800)) -> bytes:
    """A PNG with texts at points, in a font that comes with Pillow."""
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(26)
    for x, y, text in lines:
        draw.text((x, y), text, fill="black", font=font)
    target = io.BytesIO()
    image.save(target, "PNG")
    return target.getvalue()


def price_list(rows: int) -> bytes:
    """A price list of so many lines as CSV."""
    lines = (
        f"A-{row:05d};Widget type {row} large, stainless steel;{row % 39 + 1};{row % 977}.50;"
        f"{(row % 39 + 1) * (row % 977 + Decimal('0.50'))}\n"
        for row in range(rows)
    )
    return ("Item no.;Description;Qty;Unit price;Amount\n" + "".join(lines)).encode()
