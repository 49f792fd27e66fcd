"""Whoever sends a file of another format is told what to send instead."""

import pytest

from app.contract.files import DOCUMENT_FORMAT_NAMES
from app.service.documents.formats.unsupported import describe_unsupported


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"PK\x03\x04", f"This is an archive. Send the document itself, as {DOCUMENT_FORMAT_NAMES}."),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "This is an old Office file of a kind that is not read. "
         "Save it as PDF and send that."),
        (b"7z\xbc\xaf", f"This is a 7z archive. Send a {DOCUMENT_FORMAT_NAMES} file."),
        (b"\x01\x02", f"The format of this file is not known. Send a {DOCUMENT_FORMAT_NAMES} file."),
    ],
)  # fmt: skip
def test_the_sentence_says_what_to_do(content: bytes, told: str) -> None:
    assert describe_unsupported(content) == told
