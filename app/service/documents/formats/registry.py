"""The formats that are read, and which of them a file has."""

import re
from dataclasses import dataclass

from app.service.documents.faults import DocumentFault, UnreadableDocument, UnsupportedDocument
from app.service.documents.formats.delimited_text import CSV
from app.service.documents.formats.format import DataFormat, Enclosure, PagedFormat
from app.service.documents.formats.mail import MAIL
from app.service.documents.formats.pdf import PDF
from app.service.documents.formats.pictures import JPEG, PNG
from app.service.documents.formats.plain_text import TEXT
from app.service.documents.formats.unsupported import describe_unsupported
from app.service.documents.formats.web_pages import HTML
from app.service.documents.formats.word import DOCX
from app.service.documents.formats.workbooks import XLS, XLSX
from app.service.documents.formats.xml_files import XML

FORMATS: tuple[PagedFormat | DataFormat, ...] = (PDF, PNG, JPEG, DOCX, XLSX, XLS, XML, HTML, MAIL, CSV, TEXT)
"""All formats. A file has the first that matches: what is no other text may be a table of delimited text, and
else lines of words."""

_MOST_NAMED = 10
_CONTENT = re.compile(rb"[^\x00 \t\r\n]")


@dataclass(frozen=True, slots=True)
class OpenedDocument:
    """The document in a file: the file itself, or one that comes with it.

    `remarks` are sentences about what else is in the file and was left out.
    """

    format: PagedFormat | DataFormat
    content: bytes
    filename: str
    remarks: tuple[str, ...] = ()


def open_document(content: bytes, filename: str) -> OpenedDocument:
    """Return the document in a file; of several enclosed ones, the first of the foremost format.

    Raises what `recognise_format` raises.
    """
    found = recognise_format(content, filename)
    if not isinstance(found, PagedFormat) or found.list_enclosures is None:
        return OpenedDocument(found, content, filename)
    enclosures = [one for one in found.list_enclosures(content) if not one.in_text]
    documents = [(one, known) for one in enclosures if (known := _recognise_enclosure(one))]
    if not documents:
        return OpenedDocument(found, content, filename)
    enclosure, known = min(documents, key=lambda document: FORMATS.index(document[1]))
    remark = f"Read from the attachment {enclosure.filename}; the text of the mail was not read."
    if others := [one.filename for one in enclosures if one is not enclosure]:
        remark = f"{remark} Other attachments were not read either: {', '.join(others[:_MOST_NAMED])}."
    return OpenedDocument(known, enclosure.content, enclosure.filename, (remark,))


def _recognise_enclosure(enclosure: Enclosure) -> PagedFormat | DataFormat | None:
    """The format of an enclosed file; None for one that is not read, and for another mail."""
    try:
        found = recognise_format(enclosure.content, enclosure.filename)
    except DocumentFault:
        return None
    return None if found is MAIL else found


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
    raise UnsupportedDocument(describe_unsupported(content))
