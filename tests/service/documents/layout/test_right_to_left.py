"""Pages that are read from right to left."""

import pytest

from app.service.documents.extraction import Box
from app.service.documents.layout.pages import Page, Word
from app.service.documents.layout.right_to_left import read_from_right
from app.service.documents.pipeline import read_pages


def put(*pieces: tuple[float, float, str]) -> Page:
    """A page of pieces of words, each with its right edge, its top and its text as it stands from left."""
    words = [
        Word(text, Box(right - 5.0 * len(text), top, right, top + 10.0), 10.0) for right, top, text in pieces
    ]
    return Page(1, 600.0, 800.0, tuple(words))


@pytest.mark.parametrize(
    "pieces",
    [
        [(550, 50, "ש"), (545, 50, "ל"), (540, 50, "ו"), (535, 50, "ם")],
        [(550, 50, "םולש")],
        [(540, 50, "םו"), (550, 50, "לש")],
    ],
    ids=["letters from the right", "from the left", "parts of a word"],
)
def test_letters_are_joined_in_the_order_in_which_they_are_read(
    pieces: list[tuple[float, float, str]],
) -> None:
    page = read_from_right(put(*pieces))
    assert [word.text for word in page.words] == ["שלום"]
    assert page.words[0].box == Box(50, 50, 70, 60)
    assert page.find_shown_box(page.words[0].box) == Box(530, 50, 550, 60)


def test_numbers_and_other_words_keep_their_order() -> None:
    page = read_from_right(
        put((550, 50, "ריחמ"), (500, 50, "-2025"), (475, 50, "INV"), (400, 50, "1,250.00"))
    )
    assert [word.text for word in page.words] == ["מחיר", "INV-2025", "1,250.00"]


@pytest.mark.parametrize("text", ["Invoice שלום Total", "1,250.00", ""])
def test_another_page_stays_as_it_is(text: str) -> None:
    page = put(*[(100.0 * number, 50, one) for number, one in enumerate(text.split(), 1)])
    assert read_from_right(page) is page


def test_labels_and_tables_are_read_from_the_right() -> None:
    rows = [
        ["תינובשח 20418"],
        ["רואית", "תומכ", "ריחמ", 'כ"הס'],
        ["דיינ בשחמ", "2", "₪2,500.00", "₪5,000.00"],
        ["הנקתה", "2", "₪200.00", "₪400.00"],
        ['כ"הס', "", "", "₪5,400.00"],
    ]
    words = [
        (550.0 - 120 * column - (24.0 * at), 50.0 + 20 * order, one)
        for order, row in enumerate(rows)
        for column, cell in enumerate(row)
        for at, one in enumerate(reversed(cell.split()))
    ]
    page = read_from_right(put(*words))
    found = read_pages([page], "quote.pdf")
    assert [(line.quantity, line.amount) for line in found.line_items] == [(2, 5000), (2, 400)]
    assert found.line_items[0].description == "מחשב נייד"
    assert found.currency == "ILS"
    place = found.line_items[0].provenance["amount"]
    assert place.box is not None
    assert place.box.x1 == 550 - 3 * 120


def test_brackets_that_were_drawn_as_they_look_open_before_they_close() -> None:
    page = read_from_right(put((550, 50, "ריחמ"), (500, 50, "("), (495, 50, "חש"), (485, 50, ")")))
    assert [word.text for word in page.words] == ["מחיר", "(שח)"]
