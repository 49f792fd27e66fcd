"""Write a PDF of one page with texts and rectangles, in the two Helvetica fonts that every reader has."""

from dataclasses import dataclass, field

from app.service.files.store import SAMPLE_DOCUMENT_MARK

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
