"""What to tell whoever sent a file of a format that is not read."""

from collections.abc import Sequence

from app.service.documents.formats.signatures import (
    is_json,
    is_text,
    is_web_page,
    name_unread_format,
)
from app.service.tables.archives import COMPOUND_FILE, ZIP_ARCHIVE


def join_format_names(names: Sequence[str]) -> str:
    """Return `PDF, PNG or CSV`."""
    return f"{', '.join(names[:-1])} or {names[-1]}"


def describe_unsupported(content: bytes, readable: str) -> str:
    """Return what the file is and what to send instead; `readable` names the formats that are read."""
    if content.startswith(ZIP_ARCHIVE):
        return f"This is an archive. Send the document itself, as {readable}."
    if content.startswith(COMPOUND_FILE):
        if "WordDocument".encode("utf-16-le") in content:
            return "This is an old Word file (DOC). Save it as DOCX or PDF and send that."
        return "This is an old Office file of a kind that is not read. Save it as PDF and send that."
    if name := name_unread_format(content):
        return f"This is {name}. Send a {readable} file."
    if is_web_page(content):
        return "This is a web page. Save it as PDF and send that."
    if is_text(content) and is_json(content):
        return f"This is JSON. Send the document itself, as {readable}."
    return f"The format of this file is not known. Send a {readable} file."
