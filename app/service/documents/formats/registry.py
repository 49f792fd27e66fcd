"""The formats that are read, and which of them a file has."""

import re

from app.service.documents.faults import UnreadableDocument, UnsupportedDocument
from app.service.documents.formats.delimited_text import CSV
from app.service.documents.formats.format import DataFormat, PagedFormat
from app.service.documents.formats.pdf import PDF
from app.service.documents.formats.pictures import JPEG, PNG
from app.service.documents.formats.unsupported import describe_unsupported, join_format_names
from app.service.documents.formats.word import DOCX
from app.service.documents.formats.workbooks import XLS, XLSX
from app.service.documents.formats.xml_files import XML

FORMATS: tuple[PagedFormat | DataFormat, ...] = (PDF, PNG, JPEG, DOCX, XLSX, XLS, XML, CSV)
"""All formats. A file has the first that matches: what is no other text may be a table of delimited text."""

_CONTENT = re.compile(rb"[^\x00 \t\r\n]")

FORMAT_NAMES = join_format_names([one.name for one in FORMATS])
"""Their names for a sentence: `PDF, PNG, … or CSV`."""


def recognise_format(content: bytes, filename: str) -> PagedFormat | DataFormat:
    """Return the format of a file.

    Looks at the beginning and the end of the file and at the names in an archive; it opens nothing, so the
    service itself may ask this of an upload. Raises UnsupportedDocument for a format that is not read, and
    UnreadableDocument for an empty file and for an archive that is damaged or has too many files.
    """
    if _CONTENT.search(content) is None:
        raise UnreadableDocument("The file is empty.")
    for one in FORMATS:
        if one.matches(content, filename):
            return one
    raise UnsupportedDocument(describe_unsupported(content, FORMAT_NAMES))
