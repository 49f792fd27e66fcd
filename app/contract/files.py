"""The files that the service reads, and the answer to an upload."""

from collections.abc import Mapping

from pydantic import Field

from .model import Reply
from .money import join_words
from .values import Id

DOCUMENT_FORMATS: Mapping[str, tuple[str, ...]] = {
    "PDF": ("pdf",),
    "PNG": ("png",),
    "JPEG": ("jpg", "jpeg"),
    "DOCX": ("docx",),
    "XLSX": ("xlsx",),
    "XLS": ("xls",),
    "XML": ("xml",),
    "HTML": ("html", "htm"),
    "EML": ("eml",),
    "CSV": ("csv", "tsv"),
    "TXT": ("txt",),
}
"""The formats of documents that the service reads, and the suffixes of their file names. The service
recognises a format by its content."""
DOCUMENT_SUFFIXES = tuple(suffix for suffixes in DOCUMENT_FORMATS.values() for suffix in suffixes)
DOCUMENT_FORMAT_NAMES = join_words([*DOCUMENT_FORMATS], "or")
"""Their names for a sentence: `PDF, PNG, … or TXT`."""

TABLE_FORMATS: Mapping[str, tuple[str, ...]] = {
    "CSV": ("csv", "tsv", "txt"),
    "CSV.gz": ("gz",),
    "XLSX": ("xlsx",),
    "XLS": ("xls",),
    "ODS": ("ods",),
    "Parquet": ("parquet",),
}
"""The formats of tables that are imported, and the suffixes of their file names."""
TABLE_SUFFIXES = tuple(suffix for suffixes in TABLE_FORMATS.values() for suffix in suffixes)
TABLE_FORMAT_NAMES = join_words([*TABLE_FORMATS], "or")
"""Their names for a sentence."""


class UploadedFile(Reply):
    """The id under which an uploaded file can be named in other calls."""

    id: Id = Field(description="The id under which the file can be named in other calls.")
