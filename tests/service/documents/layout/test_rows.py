"""Words become rows, and rows cells."""

from decimal import Decimal

from app.service.documents.extraction import Box
from app.service.documents.layout.document import lay_out
from app.service.documents.layout.pages import Page, Word
from tests.service.documents.typewriter import type_page


def test_words_on_one_line_are_a_row_from_left_to_right() -> None:
    rows = lay_out([type_page("Total   5.00\nPaid")]).rows
    assert [row.text for row in rows] == ["Total 5.00", "Paid"]
    assert rows[0].box == Box(50, 50, 110, 60)


def test_a_row_falls_apart_where_the_space_is_wide_and_at_bars() -> None:
    [row] = lay_out([type_page("Editor seats   10   150.00 | EUR")]).rows
    assert [cell.text for cell in row.cells()] == ["Editor seats", "10", "150.00", "EUR"]
    assert [cell.text for cell in row.cells(gap=2.0)] == ["Editor seats 10 150.00", "EUR"]


def test_cells_of_a_sheet_are_kept_whatever_the_space() -> None:
    words = tuple(
        Word(text, Box(x, 0, x + 10, 10), 10, cell=cell)
        for text, x, cell in (("Editor", 0, 1), ("seats", 300, 1), ("10", 311, 2))
    )
    [row] = lay_out([Page(1, 400, 20, words)]).rows
    assert [cell.text for cell in row.cells()] == ["Editor seats", "10"]


def test_a_raised_word_stays_on_its_line() -> None:
    words = (Word("Seats", Box(0, 100, 25, 110), 10), Word("1)", Box(26, 97, 32, 104), 6))
    assert [row.text for row in lay_out([Page(1, 400, 200, words)]).rows] == ["Seats 1)"]


def test_numbers_are_read_in_the_format_of_the_whole_document() -> None:
    rows = lay_out([type_page("1.045 seats   12,50"), type_page("1.234", 2)]).rows
    assert [row.number_format for row in rows] == [",", ","]
    assert [figure.value for figure in rows[1].figures] == [1234]
    assert rows[0].number_in("2.000") == 2000
    assert [figure.value for figure in rows[0].figures_in("7,5 %")] == [Decimal("7.5")]


def test_a_cell_with_one_number_and_a_unit_is_a_figure() -> None:
    [row] = lay_out([type_page("EUR 12.50   12.50 per user   2 of 3   Seats")]).rows
    assert [cell.is_figure for cell in row.cells()] == [True, True, False, False]


def test_unclear_letters_verify_nothing() -> None:
    words = (Word("5.00", Box(0, 0, 20, 10), 10), Word("EUR", Box(21, 0, 36, 10), 10, confidence=0.8))
    [row] = lay_out([Page(1, 400, 20, words)]).rows
    place = row.locate(0.5, verified=True)
    assert (place.page, place.box, place.confidence, place.verified) == (1, Box(0, 0, 36, 10), 0.4, False)
    [cell] = lay_out([Page(1, 400, 20, words[:1])]).rows[0].cells()
    assert cell.locate(0.5, verified=True).verified
    assert not cell.locate(0.5).verified
