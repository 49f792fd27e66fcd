"""Pictures are checked before they are read."""

import pytest

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.pictures import JPEG, PNG
from tests.service.documents import pdf_builder

PICTURE = pdf_builder.picture([(60, 60, "Total 5.00")], (300, 200))


def test_a_picture_is_its_only_page() -> None:
    assert PNG.draw_page is not None
    assert PNG.draw_page(PICTURE, 1, 100).size == (300, 200)
    with pytest.raises(IndexError, match="one page"):
        PNG.draw_page(PICTURE, 2, 100)


@pytest.mark.campaign
def test_pictures_cut_off_or_too_small_are_refused() -> None:
    with pytest.raises(UnreadableDocument, match="damaged or cut off"):
        PNG.read_pages(PICTURE[:100], 300)
    with pytest.raises(UnreadableDocument, match="too small"):
        PNG.read_pages(pdf_builder.picture([], (15, 200)), 300)
    with pytest.raises(UnreadableDocument, match="too large"):
        PNG.read_pages(pdf_builder.picture([], (8000, 5001)), 300)


def test_the_two_formats_have_their_signatures() -> None:
    assert PNG.matches(PICTURE, "a.jpg")
    assert not JPEG.matches(PICTURE, "a.jpg")
