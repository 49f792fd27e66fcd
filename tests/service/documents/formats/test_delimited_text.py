"""Delimited text is read cell by cell, whatever its delimiter and encoding."""

import pytest

from app.service.documents.formats.delimited_text import CSV


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
