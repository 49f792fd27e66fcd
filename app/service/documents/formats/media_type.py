"""What a file is, by its content; its name only decides between kinds of plain text."""

import io
import re
import zipfile
from enum import StrEnum

from app.service.documents.faults import UnreadableDocument, UnsupportedDocument


class MediaType(StrEnum):
    """The formats that the reader knows, by their media type."""

    PDF = "application/pdf"
    PNG = "image/png"
    JPEG = "image/jpeg"
    DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    XLS = "application/vnd.ms-excel"
    CSV = "text/csv"
    XML = "application/xml"

    @property
    def is_picture(self) -> bool:
        return self in (MediaType.PNG, MediaType.JPEG)


_COMPOUND_FILE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OTHERS = (
    (b"GIF8", "a GIF picture"),
    (b"BM", "a bitmap picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"RIFF", "a WebP picture"),
    (b"{\\rtf", "a Rich Text file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"Rar!", "a RAR archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"MZ", "a program"),
    (b"\x7fELF", "a program"),
)


def sniff(content: bytes, filename: str) -> MediaType:
    """The format of a file.

    Raises UnsupportedDocument for a format that is not read and UnreadableDocument for an empty file.
    """
    if not content.strip(b"\x00 \t\r\n"):
        raise UnreadableDocument("The file is empty.")
    if b"%PDF-" in content[:1024]:
        return MediaType.PDF
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return MediaType.PNG
    if content.startswith(b"\xff\xd8\xff"):
        return MediaType.JPEG
    if content.startswith(b"PK\x03\x04"):
        return _office_archive(content)
    if content.startswith(_COMPOUND_FILE):
        return _compound_file(content)
    for magic, name in _OTHERS:
        if content.startswith(magic):
            raise UnsupportedDocument(
                f"This is {name}. Send a PDF, PNG, JPEG, DOCX, XLSX, XLS, CSV or XML file."
            )
    return _text(content, filename)


def _office_archive(content: bytes) -> MediaType:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as damage:
        raise UnreadableDocument("The file is damaged: its archive cannot be opened.") from damage
    if "word/document.xml" in names:
        return MediaType.DOCX
    if any(name.startswith("xl/workbook") for name in names):
        return MediaType.XLSX
    raise UnsupportedDocument("This is an archive. Send the document itself, as PDF, DOCX or XLSX.")


def _compound_file(content: bytes) -> MediaType:
    if "EncryptedPackage".encode("utf-16-le") in content:
        raise UnreadableDocument("The document is protected by a password.")
    if "Workbook".encode("utf-16-le") in content or "Book".encode("utf-16-le") in content:
        return MediaType.XLS
    if "WordDocument".encode("utf-16-le") in content:
        raise UnsupportedDocument("This is an old Word file (DOC). Save it as DOCX or PDF and send that.")
    raise UnsupportedDocument(
        "This is an old Office file of a kind that is not read. Save it as PDF and send that."
    )


def _text(content: bytes, filename: str) -> MediaType:
    head = content[:4096]
    start = re.sub(rb"^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)", b"", head).replace(b"\x00", b"").lstrip()
    if (start.startswith((b"<?xml", b"<!DOCTYPE")) and b"<html" not in start.lower()) or re.match(
        rb"<[A-Za-z]\w*:\w+[\s>]", start
    ):
        return MediaType.XML
    if start.startswith(b"<"):
        if re.match(rb"<(!doctype html|html|head|body)", start, re.IGNORECASE):
            raise UnsupportedDocument("This is a web page. Save it as PDF and send that.")
        return MediaType.XML
    if b"\x00" in head and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnsupportedDocument(
            "The format of this file is not known. Send a PDF, DOCX, XLSX, CSV or XML file."
        )
    if filename.lower().endswith((".csv", ".tsv", ".txt")):
        return MediaType.CSV
    if start.startswith((b"{", b"[")):
        raise UnsupportedDocument("This is JSON. Send the document itself, as PDF, DOCX, XLSX, CSV or XML.")
    if re.search(rb"[,;\t]", head):
        return MediaType.CSV
    raise UnsupportedDocument(
        "The format of this file is not known. Send a PDF, DOCX, XLSX, CSV or XML file."
    )
