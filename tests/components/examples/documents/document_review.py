import io
from decimal import Decimal

from PIL import Image

from app.contract.scope import DocumentReading, ReadLine, ReadPage, ReadValue
from components.documents.document_review import draw_document_page, draw_reading
from tests.components.fixtures import make_id


def example() -> None:
    blank = io.BytesIO()
    Image.new("RGB", (300, 200), "white").save(blank, "PNG")
    total = ReadValue(
        name="total",
        value=Decimal("1249.50"),
        page=1,
        box=[Decimal(edge) for edge in (100, 60, 160, 72)],
        confidence=Decimal("0.98"),
        sure=True,
    )
    described = ReadValue(name="description", value="Ledger Cloud, 120 users", page=1)
    reading = DocumentReading(
        scope_id=make_id(70),
        file_id=make_id(71),
        filename="quote.pdf",
        kind="quote",
        currency="USD",
        pages=[ReadPage(number=1, width=Decimal(200), height=Decimal(133))],
        values=[total, ReadValue(name="term_months", value=Decimal(12), confidence=Decimal("0.4"))],
        lines=[ReadLine(index=0, values=[described])],
        warnings=["No term is stated: 12 months are assumed."],
    )
    draw_reading(reading, key="example-reading")
    draw_document_page(blank.getvalue(), reading.pages[0], reading)
