"""Zip archives are looked into before they are unpacked."""

import io
import struct
import time
import zipfile

import pytest

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.registry import recognise_format
from app.service.documents.formats.zip_archives import Member, list_members, refuse_bomb

MEBIBYTE = 1024 * 1024


def test_members_are_listed_and_what_is_no_archive_has_none() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("a.xml", b"0" * MEBIBYTE)
        opened.writestr("b.xml", b"0")
    content = target.getvalue()
    assert list_members(content) == [Member("a.xml", MEBIBYTE), Member("b.xml", 1)]
    assert list_members(b"%PDF-1.7") == []
    with pytest.raises(UnreadableDocument, match="damaged"):
        list_members(content[:40])


def declare(size: int) -> bytes:
    """An entry of a directory: a member that unpacks to so many bytes."""
    return struct.pack("<4s6H3I5H2I", b"PK\x01\x02", *[20] * 2, *[0] * 6, size, 1, *[0] * 6) + b"a"


def archive_of(directory: bytes) -> bytes:
    head = struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 0, 0, 0, 0, 0, 0, 1, 0) + b"a"
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 5, 5, len(directory), len(head), 0)
    return head + directory + end


@pytest.mark.parametrize("size", [200 * MEBIBYTE, 100 * MEBIBYTE, MEBIBYTE, 32 * 1024])
def test_an_archive_that_unpacks_to_far_more_is_refused_however_many_members_it_has(size: int) -> None:
    most = declare(size) * (200 * MEBIBYTE // size)
    refuse_bomb(archive_of(most))
    with pytest.raises(UnreadableDocument, match="unpacks"):
        refuse_bomb(archive_of(most + declare(1)))


def test_an_archive_of_a_million_files_is_refused_before_they_are_counted() -> None:
    content = archive_of(declare(0) * 1_000_000)
    began = time.process_time()
    with pytest.raises(UnreadableDocument, match="10,000 files"):
        recognise_format(content, "quote.docx")
    assert time.process_time() - began < 2


def test_sizes_of_eight_bytes_are_read_and_what_stands_before_an_archive_is_skipped() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as opened:
        opened.writestr("a.xml", b"text")
    content = target.getvalue()
    at = content.index(b"PK\x01\x02")
    directory = bytearray(content[at : content.index(b"PK\x05\x06")])
    struct.pack_into("<I", directory, 24, 0xFFFFFFFF)
    struct.pack_into("<H", directory, 30, 16)
    directory += struct.pack("<HHHHQ", 9, 0, 1, 8, 5)
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 1, 1, len(directory), at, 0)
    assert list_members(content[:at] + directory + end) == [Member("a.xml", 5)]
    assert list_members(b"PK\x03\x04 before it" + content) == [Member("a.xml", 4)]
