"""Columns are what stands below each other, named by the header above."""

from app.service.documents.tables.grid import Span, find_columns, find_nearest, split_phrase
from tests.service.documents.typewriter import type_document


def columns(text: str) -> list[str]:
    header, *body = type_document(text).rows
    return find_columns([row.cells() for row in body], [header])[1]


def test_each_column_has_the_header_over_it() -> None:
    text = """
        Description      Qty    Price    Amount
        Editor seats      10     5.00     50.00
        Viewer seats       2     1.50      3.00
    """
    assert columns(text) == ["Description", "Qty", "Price", "Amount"]


def test_headers_that_stand_close_are_parted_by_their_columns() -> None:
    text = """
        Description      Qty Price    Amount
        Editor seats     10    5.00    50.00
        Viewer seats      2    1.50     3.00
    """
    assert columns(text) == ["Description", "Qty", "Price", "Amount"]


def test_a_header_over_nothing_is_an_empty_column() -> None:
    text = """
        Description      Qty    Discount    Amount
        Editor seats      10                 50.00
        Viewer seats       2                  3.00
    """
    assert columns(text) == ["Description", "Qty", "Discount", "Amount"]


def test_a_phrase_is_parted_where_that_makes_the_best_headers() -> None:
    [cell] = type_document("Unit price Total price").rows[0].cells()
    left, right = Span(50, 100), Span(105, 160)
    assert split_phrase(cell, (left, right)) == ["Unit price", "Total price"]
    [cell] = type_document("Price excl. VAT").rows[0].cells()
    assert split_phrase(cell, (left, right)) is None


def test_the_nearest_column_is_the_one_that_overlaps_most_or_lies_closest() -> None:
    spans = [Span(0, 100), Span(120, 130)]
    assert find_nearest(90, 125, spans) == 0
    assert find_nearest(112, 118, spans) == 1


def test_a_number_with_a_space_between_its_thousands_is_one_column() -> None:
    text = """
        Description      Qty     Price      Net value   VAT
        Editor seats      10    10 500      105 000     27%
        Viewer seats      12     5 000       60 000     27%
    """
    assert columns(text) == ["Description", "Qty", "Price", "Net value", "VAT"]


def test_columns_that_stand_so_close_that_they_look_like_one_are_cut() -> None:
    text = """
        Description      Months Qty    Amount
        Editor seats        12 50      600.00
        Viewer seats        12 30      360.00
    """
    assert columns(text) == ["Description", "Months", "Qty", "Amount"]
