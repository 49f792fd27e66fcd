"""Text that a spreadsheet would take for a formula, when it opens a CSV file. Pure.

OWASP, "CSV Injection": a cell that begins with such a sign, also a full-width one, is read as a formula. A
program that takes another delimiter than ours, or ends the quotes elsewhere, finds such a cell within a text
too."""

import re

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
