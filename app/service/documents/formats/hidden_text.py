"""The text of a Word file that its pages do not show: hidden text, and white text on white paper."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from app.service.documents.formats.run_formats import W, find_format, is_on

if TYPE_CHECKING:
    from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

    from app.service.documents.formats.run_formats import Styles

_LIGHTEST = 0xF0
"""What each part of a colour is at the least that nobody sees on white."""
_SMALLEST = 4
"""Half points."""
_COLOUR = re.compile(r"[0-9A-Fa-f]{6}")


def is_hidden(run: "_Element", formats: "Sequence[_Element]", styles: "Styles") -> bool:
    """Whether the pages do not show a run of these formats."""
    if is_on(formats, "vanish"):
        return True
    size = find_format(formats, "sz") or ""
    if size.isdecimal() and int(size) <= _SMALLEST:
        return True
    if not _is_white(find_format(formats, "color") or ""):
        return False
    return not any(_is_painted(one) for one in (*formats, *_list_surroundings(run, styles)))


def _list_surroundings(run: "_Element", styles: "Styles") -> "Iterator[_Element]":
    """What may paint the paper behind a run: its paragraph, cells and tables, and their styles."""
    for around in run.iterancestors(f"{W}p", f"{W}tc", f"{W}tbl"):
        for name in ("pPr", "tcPr", "tblPr"):
            if (formats := around.find(f"{W}{name}")) is None:
                continue
            yield formats
            for named in (formats.find(f"{W}pStyle"), formats.find(f"{W}tblStyle")):
                yield from styles.list_bases(named)
    # Text boxes and shapes have colours of their own.
    yield from run.iterancestors("{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}wsp")


def _is_painted(formats: "_Element") -> bool:
    """Whether formats paint the paper in a colour on which white can be seen."""
    if not str(formats.tag).startswith(W):
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
