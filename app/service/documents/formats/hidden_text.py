"""The text of a Word file that its pages do not show: hidden text, and white text on white paper."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from app.service.documents.formats.run_formats import W, find_format, is_on

if TYPE_CHECKING:
    from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

    from app.service.documents.formats.run_formats import Formats, Styles

_LIGHTEST = 0xF0
"""What each part of a colour is at the least that nobody sees on white."""
_SMALLEST = 4
"""Half points."""
_SHAPE = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}wsp"
"""A text box or a shape: it has a colour of its own."""
_FORMATS_AROUND = {f"{W}p": ("pPr",), f"{W}tc": ("tcPr",), f"{W}tbl": ("tblPr",)}
"""Where a paragraph, a cell and a table say how they paint the paper."""
_COLOUR = re.compile(r"[0-9A-Fa-f]{6}")


def is_hidden(run: "_Element", formats: "Sequence[Formats]", styles: "Styles") -> bool:
    """Whether the pages do not show a run of these formats."""
    if is_on(formats, "vanish"):
        return True
    size = find_format(formats, "sz") or ""
    if size.isdecimal() and int(size) <= _SMALLEST:
        return True
    if not _is_white(find_format(formats, "color") or ""):
        return False
    around = run.iterancestors(f"{W}p", f"{W}tc", f"{W}tbl", _SHAPE)
    return not any(_is_painted(one, styles) for one in (*(one.element for one in formats), *around))


def _is_painted(element: "_Element", styles: "Styles") -> bool:
    """Whether formats, or a paragraph, cell, table or shape around a run, paint the paper behind it in a
    colour on which white can be seen."""
    if element not in styles.painted:
        styles.painted[element] = any(_has_colour(one) for one in _list_formats(element, styles))
    return styles.painted[element]


def _list_formats(element: "_Element", styles: "Styles") -> "Iterator[_Element]":
    """The formats that are to be looked at for an element, and their styles."""
    if element.tag not in _FORMATS_AROUND:
        yield element
    for name in _FORMATS_AROUND.get(str(element.tag), ()):
        if (formats := element.find(f"{W}{name}")) is None:
            continue
        yield formats
        for named in (formats.find(f"{W}pStyle"), formats.find(f"{W}tblStyle")):
            yield from styles.list_bases(named)


def _has_colour(formats: "_Element") -> bool:
    if formats.tag == _SHAPE:
        return True
    if (highlight := formats.find(f"{W}highlight")) is not None:
        return highlight.get(f"{W}val") not in ("white", "none")
    for shade in formats.iter(f"{W}shd"):
        fill, pattern = shade.get(f"{W}fill", "auto"), shade.get(f"{W}val", "clear")
        if (fill != "auto" and not _is_white(fill)) or pattern not in ("clear", "nil"):
            return True
    return False


def _is_white(colour: str) -> bool:
    parts = [int(colour[at : at + 2], 16) for at in (0, 2, 4)] if _COLOUR.fullmatch(colour) else [0]
    return min(parts) >= _LIGHTEST
