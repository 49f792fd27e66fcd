"""The format of a file is told by its content."""

import subprocess
import sys

import pytest

from app.contract.files import DOCUMENT_FORMATS
from app.service.documents.faults import UnreadableDocument, UnsupportedDocument
from app.service.documents.formats.registry import FORMATS, recognise_format
from tests.service.documents import pdf_builder


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (b"%PDF-1.7 rest", "application/pdf"),
        (b"\x89PNG\r\n\x1a\n rest", "image/png"),
        (b"\xff\xd8\xff\xe0 rest", "image/jpeg"),
        (b"<?xml version='1.0'?><a/>", "application/xml"),
        (b"<html:div xmlns:html='urn:x'/>", "application/xml"),
        (pdf_builder.xlsx([["Seats", 2]]), FORMATS[4].media_type),
        (pdf_builder.docx(["Quote"], [["Seats"]]), FORMATS[3].media_type),
        (b"a,b\n1,2\n", "text/csv"),
        ("a;b\n1;2\n".encode("utf-16"), "text/csv"),
    ],
)
def test_the_content_tells_the_format_whatever_the_name(content: bytes, media_type: str) -> None:
    assert recognise_format(content, "wrong.pdf").media_type == media_type


def test_the_name_decides_that_a_text_without_delimiters_is_a_table() -> None:
    assert recognise_format(b"Seats\n10\n", "seats.csv").media_type == "text/csv"
    assert recognise_format(b"Seats\n10\n", "seats.txt").media_type == "text/plain"
    with pytest.raises(UnsupportedDocument, match="not known"):
        recognise_format(b"Seats\n10\n", "seats")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            b"GIF89a rest",
            "GIF picture. Send a PDF, PNG, JPEG, DOCX, XLSX, XLS, XML, HTML, EML, CSV or TXT",
        ),
        (b"MZ\x90\x00", "program"),
        (b"{\\rtf1 hi}", "Rich Text"),
        (b'{"price": [1, 2]}', "JSON"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le"), "old Word file"),
        (b"\x00\x01\x02,;", "not known"),
    ],
)
def test_a_format_that_is_not_read_is_named(content: bytes, said: str) -> None:
    with pytest.raises(UnsupportedDocument, match=said):
        recognise_format(content, "quote")


@pytest.mark.parametrize("content", [b"", b"   \n", b"\x00" * 40])
def test_an_empty_file_says_so(content: bytes) -> None:
    with pytest.raises(UnreadableDocument, match="empty"):
        recognise_format(content, "quote.pdf")


def test_the_contract_names_all_formats() -> None:
    assert [*DOCUMENT_FORMATS.items()] == [(one.name, tuple(one.suffixes)) for one in FORMATS]


@pytest.mark.parametrize("name", ["seats.csv", "SEATS.TSV"])
def test_the_name_tells_that_a_text_of_one_column_is_a_table(name: str) -> None:
    assert recognise_format(b"Seats\n10\n", name).name == "CSV"


def test_formats_are_told_apart_without_loading_their_libraries() -> None:
    script = (
        "import sys; from app.service.documents.formats import registry;"
        "print({'PIL', 'pypdfium2', 'docx', 'lxml', 'numpy', 'python_calamine'} & set(sys.modules))"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"
