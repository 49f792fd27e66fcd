"""The time for a document grows with its size, whatever there is many of: twice what is linear at the most. A
step for each pair makes it four times that."""

import time
from collections.abc import Callable, Mapping

import pytest

from app.service.documents.formats.word import DOCX
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder
from tests.service.documents.formats.word_builder import paragraph, row, run, save_body, table

MOST_GROWTH = 8
"""How many times longer four times as much may take."""
WHITE = '<w:color w:val="FFFFFF"/>'
BOX = '<w:r><w:sym w:font="Wingdings" w:char="F0A8"/></w:r>'
TEXTS = [pdf_builder.Text(60, y, "Seats for a year at 5.00 each") for y in (100, 200, 300)]
RECTANGLE = pdf_builder.Rectangle(60, 60, 9, 9, 0.5)
MAIL = (
    b"From: sales@example.org\nSubject: Quote\nMIME-Version: 1.0\n"
    b'Content-Type: multipart/mixed; boundary="b"\n\n'
)

WORD_FILES: Mapping[str, tuple[int, Callable[[int], bytes]]] = {
    "boxes of a paragraph": (4_000, lambda many: save_body(paragraph(BOX * many))),
    "white rows of a table": (2_000, lambda many: save_body(table([row(_white_cell())] * many, 1))),
}
DOCUMENTS: Mapping[str, tuple[str, int, Callable[[int], bytes]]] = {
    "rows": ("a.csv", 200, pdf_builder.price_list),
    "cells": ("a.xlsx", 200, lambda many: pdf_builder.xlsx([["Item", "Price"], *[["Seats", 5]] * many])),
    "lines": ("a.txt", 500, lambda many: b"Seats for a year at 5.00 each\n" * many),
    "paragraphs": ("a.docx", 500, lambda many: pdf_builder.docx(["Seats for a year"] * many, [["a", "b"]])),
    "parts of a mail": ("a.eml", 100, lambda many: MAIL + b"--b\n\nSeats at 5.00\n" * many + b"--b--\n"),
    "pages": ("a.pdf", 20, lambda many: pdf_builder.pdf(*[TEXTS] * many)),
    "drawing operators": ("a.pdf", 4_000, lambda many: pdf_builder.pdf([*TEXTS, *[RECTANGLE] * many])),
}


def _white_cell() -> str:
    return f"<w:tc>{paragraph(run('a', WHITE))}</w:tc>"


def measure(read: Callable[[bytes], object], content: bytes) -> float:
    """Seconds of the processor that the faster of two readings takes."""
    seconds: list[float] = []
    for _ in range(2):
        began = time.process_time()
        read(content)
        seconds.append(time.process_time() - began)
    return min(seconds)


@pytest.mark.campaign
@pytest.mark.parametrize("name", WORD_FILES)
def test_a_word_file_is_read_in_the_time_of_its_size(name: str) -> None:
    count, make = WORD_FILES[name]

    def read(content: bytes) -> object:
        return DOCX.read_pages(content, 300)

    few, many = measure(read, make(count)), measure(read, make(4 * count))
    assert many / few < MOST_GROWTH


@pytest.mark.campaign
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_read_in_the_time_of_its_size(name: str) -> None:
    filename, count, make = DOCUMENTS[name]

    def read(content: bytes) -> object:
        return read_document(content, filename)

    read(make(20))  # loads what reading needs
    few, many = measure(read, make(count)), measure(read, make(4 * count))
    assert many / few < MOST_GROWTH
