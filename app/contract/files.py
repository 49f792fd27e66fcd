"""File upload (part 2 of the interface)."""

from app.contract.model import Reply
from app.contract.values import Id

DOCUMENT_SUFFIXES = ("pdf", "png", "jpg", "jpeg", "docx", "xlsx", "xls", "csv", "xml")
"""How the names of documents end that the service reads; their content decides."""


class UploadedFile(Reply):
    """The id under which an uploaded file can be named in other calls."""

    id: Id
