"""The text of a file without pages is shown with a box around each value."""

from decimal import Decimal

from app.contract.scope import ReadPage, ReadValue
from components.documents.document_review import draw_boxes


def test_boxes_are_drawn_on_the_text_of_a_mail() -> None:
    page = ReadPage(number=1, width=Decimal(300), height=Decimal(200))
    box = [Decimal(10), Decimal(20), Decimal(60), Decimal(30)]
    values = [
        ReadValue(name="total", value=Decimal(5), page=1, box=box, sure=True),
        ReadValue(name="term_months", value=Decimal(12), page=1),
    ]
    drawn = draw_boxes(b'<svg xmlns="http://www.w3.org/2000/svg"><text>5</text></svg>', page, values)
    assert isinstance(drawn, str)
    assert drawn.count("<rect") == 1
    assert '<rect x="9" y="19" width="52" height="12"' in drawn
    assert drawn.endswith("/></svg>")
