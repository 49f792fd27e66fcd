"""The bytes with which files of each kind begin."""

import re
from contextlib import suppress

from app.service.tables.archives import COMPOUND_FILE, GZIP, ZIP_ARCHIVE

_NOT_READ = (
    (b"GIF8", "a GIF picture"), (b"BM", "a bitmap picture"), (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"), (b"RIFF", "a WebP picture"), (b"{\\rtf", "a Rich Text file"),
    (GZIP, "a gzip archive"), (b"Rar!", "a RAR archive"), (b"7z\xbc\xaf", "a 7z archive"),
    (b"MZ", "a program"), (b"\x7fELF", "a program"),
)  # fmt: skip
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_JSON = re.compile(rb"\{|\[\s*(?:[\[{\"\]]|-?\d[\d.]*\s*,)")
"""A list in brackets, and no title in them: `[Offer]`."""
_WEB_PAGE = re.compile(
    rb"(?:<\?xml[^>]*+>\s*|<!--(?>.*?-->)\s*)*+<(?:!doctype\s+html|html|head|body|meta|table|div|p|h1)\b(?!:)",
    re.IGNORECASE | re.DOTALL,
)
_STATED_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w-]{1,40})", re.IGNORECASE)


def name_unread_format(content: bytes) -> str | None:
    """The name of a format that is not read, with its article; None when the content is of no such format."""
    return next((name for signature, name in _NOT_READ if content.startswith(signature)), None)


def is_text(content: bytes) -> bool:
    """Whether a file is plain text; only UTF-16 has zero bytes in it."""
    if content.startswith((ZIP_ARCHIVE, COMPOUND_FILE)) or name_unread_format(content):
        return False
    return b"\x00" not in beginning(content) or content.startswith(_UTF_16)


def beginning(content: bytes) -> bytes:
    """As much of a file as tells what kind of text it is."""
    return content[:4096]


def text_start(content: bytes) -> bytes:
    """The first text of a file, without byte order mark, zero bytes and space before it."""
    return (
        re.sub(rb"^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)", b"", beginning(content)).replace(b"\x00", b"").lstrip()
    )


def is_markup(content: bytes) -> bool:
    return text_start(content).startswith(b"<")


def is_web_page(content: bytes) -> bool:
    return _WEB_PAGE.match(text_start(content)) is not None


def is_json(content: bytes) -> bool:
    return _JSON.match(text_start(content)) is not None


def decode_text(content: bytes) -> str:
    """Return the text of a file, in the encoding that its first bytes or all of them tell."""
    if content.startswith(_UTF_16):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def decode_web_page(content: bytes) -> str:
    """Return the text of a web page, in the encoding that it states, where that reads all of it."""
    if stated := _STATED_CHARSET.search(beginning(content)):
        with suppress(LookupError, UnicodeDecodeError):
            encoding = stated[1].decode()
            if stated[0].decode(encoding).isascii():  # what states UTF-16 so is none
                return content.decode(encoding)
    return decode_text(content)
