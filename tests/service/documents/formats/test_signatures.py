"""The bytes with which files of each kind begin."""

import pytest

from app.service.documents.formats.signatures import (
    is_json,
    is_markup,
    is_text,
    is_web_page,
    name_unread_format,
    text_start,
)
from app.service.tables.archives import COMPOUND_FILE, ZIP_ARCHIVE


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"a,b", True),
        ("a,b".encode("utf-16"), True),
        (b"a\x00b", False),
        (ZIP_ARCHIVE, False),
        (COMPOUND_FILE, False),
        (b"GIF89a", False),
    ],
)
def test_text_has_no_signature_and_no_zero_bytes(content: bytes, text: bool) -> None:
    assert is_text(content) is text


def test_marks_and_space_before_the_text_are_passed_over() -> None:
    assert text_start("\ufeff  <a/>".encode()) == b"<a/>"
    assert text_start(" <a/>".encode("utf-16")) == b"<a/>"


def test_kinds_of_text_are_told_apart() -> None:
    assert is_markup(b" <Invoice/>")
    assert is_web_page(b"<!DOCTYPE html><html>")
    assert is_web_page(b"<Body>")
    assert not is_web_page(b"<html:div xmlns:html='urn:x'/>")
    assert is_json(b' {"a": 1}')
    assert is_json(b'[{"a": 1}]')
    assert is_json(b"[1, 2]")
    assert not is_json(b"a,b")
    assert not is_json(b"[Offer]\n[1] Works")


def test_formats_that_are_not_read_have_names() -> None:
    assert name_unread_format(b"Rar!\x1a") == "a RAR archive"
    assert name_unread_format(b"a,b") is None
