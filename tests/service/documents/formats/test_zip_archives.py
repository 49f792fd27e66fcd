"""Zip archives are looked into before they are unpacked."""

import io
import zipfile

import pytest

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.zip_archives import list_members, refuse_bomb


def archive(size: int) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as opened, opened.open("a.xml", "w") as entry:
        for _ in range(size):
            entry.write(b"0" * 1024 * 1024)
    return target.getvalue()


def test_members_are_listed_and_what_is_no_archive_has_none() -> None:
    assert [member.filename for member in list_members(archive(1))] == ["a.xml"]
    assert list_members(b"%PDF-1.7") == []
    with pytest.raises(UnreadableDocument, match="damaged"):
        list_members(archive(1)[:40])


def test_an_archive_that_unpacks_to_far_more_is_refused() -> None:
    refuse_bomb(archive(1))
    with pytest.raises(UnreadableDocument, match="unpacks"):
        refuse_bomb(archive(201))
