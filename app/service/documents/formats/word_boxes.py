"""The boxes to tick of a Word file that are no letters: signs of the fonts for signs, and fields of forms."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from app.service.documents.formats.run_formats import Formats, W, is_on

if TYPE_CHECKING:
    from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

_EMPTY, _TICKED = "☐", "☒"
_SIGNS = {
    "wingdings": {_EMPTY: (0x6F, 0x71, 0x72, 0xA8), _TICKED: (0x78, 0xFD, 0xFE)},
    "wingdings 2": {_EMPTY: (0x2A, 0x30, 0xA3), _TICKED: (0x51, 0x52, 0x53, 0x54)},
}


def write_boxes(parts: "Iterable[_Element]") -> None:
    """Write the boxes of these parts of a document as letters."""
    for part in parts:
        for sign in list(part.iter(f"{W}sym")):
            if letter := _read_sign(sign):
                _write_after(sign, letter)
        for box in list(part.iter(f"{W}checkBox")):
            field = next(box.iterancestors(f"{W}fldChar"), None)
            if field is not None:
                state = "checked" if box.find(f"{W}checked") is not None else "default"
                _write_after(field, _TICKED if is_on([Formats(box)], state) else _EMPTY)


def _read_sign(sign: "_Element") -> str | None:
    signs = _SIGNS.get(sign.get(f"{W}font", "").lower(), {})
    try:
        code = int(sign.get(f"{W}char", ""), 16) & 0xFF
    except ValueError:
        return None
    return next((letter for letter, codes in signs.items() if code in codes), None)


def _write_after(element: "_Element", letter: str) -> None:
    text = element.makeelement(f"{W}t", None, None)
    text.text = letter
    element.addnext(text)
