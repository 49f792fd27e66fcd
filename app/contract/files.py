"""File upload (part 2 of the interface)."""

from app.contract.model import Reply
from app.contract.values import Id

DOCUMENT_SUFFIXES = ("pdf", "png", "jpg", "jpeg", "docx", "xlsx", "xls", "csv", "xml")
"""The file name suffixes of documents that the service reads. The service recognises a format by content."""


class UploadedFile(Reply):
    """The id under which an uploaded file can be named in other calls."""

    id: Id
