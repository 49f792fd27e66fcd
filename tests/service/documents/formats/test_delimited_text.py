"""Delimited text is read cell by cell, whatever its delimiter and encoding."""

import pytest

from app.service.documents.formats.delimited_text import CSV, is_table


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_cells_are_found(delimiter: str, encoding: str) -> None:
    text = "\n".join(
        delimiter.join(row) for row in (["Plätze", "Price"], ["Editor", "5.00"], ["Viewer", "1.50"])
    )
    [page] = CSV.read_pages(text.encode(encoding), 300)
    assert [(word.text, word.cell) for word in page.words][:4] == [
        ("Plätze", 0), ("Price", 1), ("Editor", 1000), ("5.00", 1001),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "line,quantity,price\nEditor,1,5.00\n",
        "qty,price\n10,20\n5,30\n",
        "Quote 17\n\nitem,price\nEditor,5.00\nViewer,1.50\n",
        "item, price, unit\nEditor, 5, seat\nViewer, 2, seat\n",
        '"Editor, ten seats","1,200.00"\n"Viewer, five seats","80.00"\n',
        "Artikel;Preis\nEditor;1.200,00\nViewer;80,00\n",
    ],
)
def test_lines_in_as_many_cells_are_a_table(text: str) -> None:
    assert is_table(text)


@pytest.mark.parametrize(
    "text",
    [
        "Quote 17\nBackup storage, 50 users, 12 months\nTotal USD 42,000.00\n",
        "Laptop 1.234,50\nDock 99,00\nSumme 1.333,50\n",
        "Editor 1,200.00\nViewer 3,400.00\n",
        "Dear Bea, this is our offer; it holds until May.\n",
        "Seats 10\n",
    ],
)
def test_no_number_and_no_sentence_is_split_at_its_comma(text: str) -> None:
    assert not is_table(text)
