"""Text from elsewhere as both databases, JSON and HTTP take it: without NUL, which PostgreSQL refuses, and
without half of a character (a lone surrogate), which is no Unicode; and as spreadsheets take it. Pure."""

import re
from typing import Any, cast

REPLACEMENT = "\ufffd"
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def find_text_fault(text: str) -> str | None:
    """Return why a text cannot be stored, as the end of a sentence; None where it can."""
    found = None if text.isascii() and "\x00" not in text else _UNSTORABLE.search(text)
    if found is None:
        return None
    return "has a NUL character" if found[0] == "\x00" else "has half of a character (a lone surrogate)"


def make_storable(text: str) -> str:
    """Return a text with U+FFFD for each character that cannot be stored."""
    return text if find_text_fault(text) is None else _UNSTORABLE.sub(REPLACEMENT, text)


def decode_storable(content: bytes) -> str:
    """Return bytes as UTF-8 text that can be stored."""
    return content.decode("utf-8", "replace").replace("\x00", REPLACEMENT)


def make_json_storable(value: Any) -> Any:
    """Return a value of JSON with all its texts and names made storable. Raises RecursionError where it is
    nested too deep."""
    if isinstance(value, str):
        return make_storable(value)
    if isinstance(value, (list, tuple)):
        return [make_json_storable(item) for item in cast(list[object], value)]
    if isinstance(value, dict):
        members = cast(dict[str, object], value)
        return {make_storable(name): make_json_storable(member) for name, member in members.items()}
    return value


# OWASP, "CSV Injection": a cell that begins with such a sign, also a full-width one, is read as a formula. A
# program that takes another delimiter than ours, or ends the quotes elsewhere, finds such a cell within a
# text too.
_SIGN = "[=+\\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]"
_START = re.compile(rf"[\t\r\n]|[\s\"]*{_SIGN}")
_BEFORE = r"[;\t\r\n][\s\"']*"
_INSIDE = re.compile(rf"({_BEFORE})(?={_SIGN})")
_ESCAPED = re.compile(rf"({_BEFORE})'(?={_SIGN})")


def starts_formula(text: str) -> bool:
    """Return whether a cell of this text would be read as a formula."""
    return _START.match(text) is not None


def escape_inside(text: str) -> str:
    """Return a text with an apostrophe before what would be read as a formula in a cell after the first."""
    return _INSIDE.sub(r"\1'", text)


def unescape_inside(text: str) -> str:
    """Return a text without the apostrophes of `escape_inside`."""
    return _ESCAPED.sub(r"\1", text) if "'" in text else text
