"""The answer to a file upload."""

from .model import Reply
from .values import Id

DOCUMENT_SUFFIXES = ("pdf", "png", "jpg", "jpeg", "docx", "xlsx", "xls", "xml", "eml", "csv", "tsv", "txt")
"""The file name suffixes of documents that the service reads, those of its formats. The service recognises a
format by its content."""


class UploadedFile(Reply):
    """The id under which an uploaded file can be named in other calls."""

    id: Id
