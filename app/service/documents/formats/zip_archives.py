"""Zip archives, which the Office formats since 2007 are.

The service looks into every upload, so nothing here unpacks anything or takes longer for a hostile archive.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from app.service.documents.faults import UnreadableDocument
from app.service.tables.archives import ZIP_ARCHIVE

# A sheet of text compresses twenty to one; a bomb a thousand to one.
_LARGEST_UNPACKED = 200 * 1024 * 1024
_MOST_MEMBERS = 10_000
_END = struct.Struct("<4s8xII2x")
"""The end record: its signature, and the length and the place of the directory."""
_END_SIGNATURE = b"PK\x05\x06"
_LONGEST_COMMENT = 0xFFFF
_MEMBER = struct.Struct("<4s20xIHHH12x")
"""A member in the directory: signature, unpacked size, and the lengths of name, extra field and comment."""
_MEMBER_SIGNATURE = b"PK\x01\x02"
_SIZE_IN_EXTRA_FIELD = 0xFFFFFFFF
_EXTRA_SIZES = 1


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive; `size` in bytes is what the archive says that it unpacks to."""

    name: str
    size: int


def list_members(content: bytes) -> list[Member]:
    """The files in an archive; none when the content is no archive. Raises UnreadableDocument for a damaged
    archive and for one of more files than a document has."""
    if not content.startswith(ZIP_ARCHIVE):
        return []
    members: list[Member] = []
    for member in _read_directory(content):
        members.append(member)
        if len(members) > _MOST_MEMBERS:
            raise UnreadableDocument(
                f"The file is an archive of more than {_MOST_MEMBERS:,} files; it was not opened."
            )
    return members


def refuse_bomb(content: bytes) -> None:
    """Raises UnreadableDocument for an archive that unpacks to far more than a document holds."""
    if sum(member.size for member in list_members(content)) > _LARGEST_UNPACKED:
        raise UnreadableDocument("The file unpacks to an unreasonable size; it was not opened.")


def _read_directory(content: bytes) -> Iterator[Member]:
    end = content.rfind(_END_SIGNATURE, max(0, len(content) - _END.size - _LONGEST_COMMENT))
    if end < 0 or end + _END.size > len(content):
        raise UnreadableDocument("The file is damaged: its archive cannot be opened.")
    _, length, place = _END.unpack_from(content, end)
    # What was written before the archive moves it.
    at = place if content.startswith(_MEMBER_SIGNATURE, place) else end - length
    if length and (at < 0 or not content.startswith(_MEMBER_SIGNATURE, at)):
        raise UnreadableDocument("The file is damaged: its archive cannot be opened.")
    while content.startswith(_MEMBER_SIGNATURE, at) and at + _MEMBER.size <= end:
        _, size, name, extra, comment = _MEMBER.unpack_from(content, at)
        begin = at + _MEMBER.size
        if size == _SIZE_IN_EXTRA_FIELD:
            size = _size_in_extra_field(content[begin + name : begin + name + extra])
        yield Member(content[begin : begin + name].decode("utf-8", "replace"), size)
        at = begin + name + extra + comment


def _size_in_extra_field(field: bytes) -> int:
    """The unpacked size where it has eight bytes, as some writers always give it."""
    at = 0
    while at + 4 <= len(field):
        kind, length = struct.unpack_from("<HH", field, at)
        if kind == _EXTRA_SIZES and length >= 8 and at + 12 <= len(field):
            size: int = struct.unpack_from("<Q", field, at + 4)[0]
            return size
        at += 4 + length
    return _SIZE_IN_EXTRA_FIELD
