"""The text of a Word file that its pages do not show: hidden text, and white text on white paper."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docx.document import Document
    from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_OFF = ("0", "false", "none", "off")
_MOST_STYLES = 12
"""Styles that are based on each other."""
_LIGHTEST = 0xF0
"""What each part of a colour is at the least that nobody sees on white."""
_SMALLEST = 4
"""Half points."""
_COLOUR = re.compile(r"[0-9A-Fa-f]{6}")


def remove_hidden_text(document: "Document", parts: "Sequence[_Element]") -> bool:
    """Take the text away that these parts of a document do not show, and say whether there was any."""
    styles = {one.get(f"{_W}styleId", ""): one for one in document.styles.element.iter(f"{_W}style")}
    hidden = [run for part in parts for run in part.iter(f"{_W}r") if _is_hidden(run, styles)]
    for run in hidden:
        parent = run.getparent()
        if parent is not None:
            parent.remove(run)
    return any(text.text for run in hidden for text in run.iter(f"{_W}t"))


def _is_hidden(run: "_Element", styles: "Mapping[str, _Element]") -> bool:
    formats = list(_list_formats(run, styles))
    vanish = _find(formats, "vanish")
    if vanish is not None and vanish.get(f"{_W}val", "1") not in _OFF:
        return True
    size = _find(formats, "sz")
    if (
        size is not None
        and size.get(f"{_W}val", "").isdecimal()
        and int(size.get(f"{_W}val", "")) <= _SMALLEST
    ):
        return True
    colour = _find(formats, "color")
    if colour is None or not _is_white(colour.get(f"{_W}val", "")):
        return False
    return not any(_is_painted(one) for one in (*formats, *_list_surroundings(run, styles)))


def _list_formats(run: "_Element", styles: "Mapping[str, _Element]") -> "Iterator[_Element]":
    """The formats of a run, the nearest first: its own, those of its style and of its paragraph's style."""
    paragraph = next(run.iterancestors(f"{_W}p"), None)
    own = run.find(f"{_W}rPr")
    if own is not None:
        yield own
        yield from _list_styles(own.find(f"{_W}rStyle"), styles)
    if paragraph is not None:
        yield from _list_styles(paragraph.find(f"{_W}pPr/{_W}pStyle"), styles)


def _list_styles(named: "_Element | None", styles: "Mapping[str, _Element]") -> "Iterator[_Element]":
    for _ in range(_MOST_STYLES):
        style = None if named is None else styles.get(named.get(f"{_W}val", ""))
        if style is None:
            return
        if (formats := style.find(f"{_W}rPr")) is not None:
            yield formats
        named = style.find(f"{_W}basedOn")


def _list_surroundings(run: "_Element", styles: "Mapping[str, _Element]") -> "Iterator[_Element]":
    """What may paint the paper behind a run: its paragraph, cells and tables, and their styles."""
    for around in run.iterancestors(f"{_W}p", f"{_W}tc", f"{_W}tbl"):
        for name in ("pPr", "tcPr", "tblPr"):
            if (formats := around.find(f"{_W}{name}")) is None:
                continue
            yield formats
            for named in (formats.find(f"{_W}pStyle"), formats.find(f"{_W}tblStyle")):
                for _ in range(_MOST_STYLES):
                    style = None if named is None else styles.get(named.get(f"{_W}val", ""))
                    if style is None:
                        break
                    yield style
                    named = style.find(f"{_W}basedOn")
    # Text boxes and shapes have colours of their own.
    yield from run.iterancestors("{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}wsp")


def _is_painted(formats: "_Element") -> bool:
    """Whether formats paint the paper in a colour on which white can be seen."""
    if not formats.tag.startswith(_W):
        return True
    if (highlight := formats.find(f"{_W}highlight")) is not None:
        return highlight.get(f"{_W}val") not in ("white", "none")
    for shade in formats.iter(f"{_W}shd"):
        fill, pattern = shade.get(f"{_W}fill", "auto"), shade.get(f"{_W}val", "clear")
        if (fill != "auto" and not _is_white(fill)) or pattern not in ("clear", "nil"):
            return True
    return False


def _is_white(colour: str) -> bool:
    parts = [int(colour[at : at + 2], 16) for at in (0, 2, 4)] if _COLOUR.fullmatch(colour) else [0]
    return min(parts) >= _LIGHTEST


def _find(formats: "list[_Element]", name: str) -> "_Element | None":
    return next((found for one in formats if (found := one.find(f"{_W}{name}")) is not None), None)
