"""The codes of EN 16931 behind labels."""

from app.service.documents.layout.document import without_field_codes
from tests.service.documents.typewriter import type_page


def test_codes_are_left_out_and_their_colon_stays() -> None:
    page = without_field_codes(type_page("Name (BT-44): Example"))
    assert [word.text for word in page.words] == ["Name:", "Example"]
