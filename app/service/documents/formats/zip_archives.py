"""Zip archives, which the Office formats since 2007 are."""

import io
import zipfile

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.signatures import ZIP_ARCHIVE

# A sheet of text compresses twenty to one; a bomb a thousand to one.
_LARGEST_UNPACKED = 200 * 1024 * 1024


def list_members(content: bytes) -> list[zipfile.ZipInfo]:
    """The files in an archive; none when the content is no archive. Raises UnreadableDocument."""
    if not content.startswith(ZIP_ARCHIVE):
        return []
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as damage:
        raise UnreadableDocument("The file is damaged: its archive cannot be opened.") from damage


def refuse_bomb(content: bytes) -> None:
    """Raises UnreadableDocument for an archive that unpacks to far more than a document holds."""
    if sum(member.file_size for member in list_members(content)) > _LARGEST_UNPACKED:
        raise UnreadableDocument("The file unpacks to an unreasonable size; it was not opened.")
