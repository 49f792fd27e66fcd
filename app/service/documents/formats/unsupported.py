"""What to tell whoever sent a file of a format that is not read."""

from app.contract.files import DOCUMENT_FORMAT_NAMES
from app.service.documents.formats.signatures import is_json, is_text, name_unread_format
from app.service.tables.archives import COMPOUND_FILE, ZIP_ARCHIVE


def describe_unsupported(content: bytes) -> str:
    """Return what the file is and what to send instead."""
    if content.startswith(ZIP_ARCHIVE):
        return f"This is an archive. Send the document itself, as {DOCUMENT_FORMAT_NAMES}."
    if content.startswith(COMPOUND_FILE):
        if "WordDocument".encode("utf-16-le") in content:
            return "This is an old Word file (DOC). Save it as DOCX or PDF and send that."
        return "This is an old Office file of a kind that is not read. Save it as PDF and send that."
    if name := name_unread_format(content):
        return f"This is {name}. Send a {DOCUMENT_FORMAT_NAMES} file."
    if is_text(content) and is_json(content):
        return f"This is JSON. Send the document itself, as {DOCUMENT_FORMAT_NAMES}."
    return f"The format of this file is not known. Send a {DOCUMENT_FORMAT_NAMES} file."
