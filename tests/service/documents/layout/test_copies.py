"""Pages that repeat an earlier one."""

import pytest

from app.service.documents.layout.copies import without_copies
from tests.service.documents.typewriter import type_document

_PAGE = "Invoice 12 of 3 May 2026\nExample Ltd\n{}\n"
_PAGE += "Seats   10   5.00   50.00\nSupport   1   9.00   9.00\nTotal   59.00"
_PAGE += "\nPayable within a month\nExample Bank\nLondon\nThank you\nPage {}"


@pytest.mark.parametrize(
    ("second", "numbers"),
    [
        (_PAGE.format("COPY", 2), [1]),
        (_PAGE.format("ORIGINAL", 1), [1]),
        (_PAGE.format("ORIGINAL", 2).replace("9.00   9.00", "8.00   8.00"), [1, 2]),
        (_PAGE.format("ORIGINAL", 2).replace("Total   59.00", "Total   60.00"), [1, 2]),
        ("Example Ltd\nLondon\nThank you", [1, 2]),
    ],
)
def test_a_page_is_a_copy_where_it_shows_the_same_figures(second: str, numbers: list[int]) -> None:
    kept = without_copies(type_document(_PAGE.format("ORIGINAL", 1), second))
    assert [page.number for page in kept] == numbers


@pytest.mark.parametrize(("title", "is_copy"), [("COPY FOR THE BUYER", True), ("Invoice 13", False)])
def test_the_lower_half_of_a_page_is_a_copy_with_the_same_figures(title: str, is_copy: bool) -> None:
    lower = _PAGE.format(title, 1) if is_copy else _PAGE.format(title, 1).replace("Total   59", "Total   60")
    [page] = without_copies(type_document(f"{_PAGE.format('ORIGINAL', 1)}\n{lower}"))
    assert (" ".join(word.text for word in page.words).count("Seats") == 1) == is_copy


@pytest.mark.parametrize(
    ("titles", "numbers"),
    [
        (("PACKING LIST", "Invoice"), [2]),
        (("Invoice", "Lieferschein"), [1]),
        (("Packing list", "Packing list"), [1, 2]),
        (("Packing list handling", "Invoice"), [1, 2]),
    ],
)
def test_a_packing_list_is_left_out_where_another_page_is_none(titles: list[str], numbers: list[int]) -> None:
    pages = [f"{title}\nExample Ltd\nSeats   {at}   60.00" for at, title in enumerate(titles)]
    assert [page.number for page in without_copies(type_document(*pages))] == numbers
