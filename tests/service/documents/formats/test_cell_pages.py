"""Rows of cells become a page."""

from app.service.documents.formats.cell_pages import lay_out_cells


def test_cells_stand_below_each_other_and_apart_from_their_neighbours() -> None:
    page = lay_out_cells(2, [["Editor seats", "10"], [], ["Viewer seats", "2"]])
    assert page.number == 2
    boxes = {word.text: word.box for word in page.words}
    assert boxes["10"].x0 == boxes["2"].x0 > boxes["seats"].x1
    assert boxes["2"].top - boxes["10"].top == 2 * (boxes["10"].height + 4)
    assert len({word.cell for word in page.words}) == 4


def test_lines_of_a_cell_stand_below_each_other() -> None:
    page = lay_out_cells(1, [["Editor\nfor the press", "10"], ["Viewer", "2"]])
    tops = {word.text: word.box.top for word in page.words}
    assert tops["Editor"] == tops["10"] < tops["press"] < tops["Viewer"]


def test_a_long_cell_stays_in_its_column() -> None:
    page = lay_out_cells(1, [["word " * 100, "10"]])
    assert max(word.box.x1 for word in page.words[:-1]) < page.words[-1].box.x0
