"""The rows of the text of a web page: those of its tables as cells, other lines as one cell."""

import re
from collections.abc import Iterator
from typing import TypeAlias

from lxml import etree

from app.service.documents.layout.bounds import MOST_COLUMNS

Element: TypeAlias = etree._Element  # pyright: ignore[reportPrivateUsage] # there is no public name

_BLOCKS = {
    "address", "article", "blockquote", "br", "center", "dd", "div", "dl", "dt", "footer", "h1", "h2", "h3",
    "h4", "h5", "h6", "header", "hr", "li", "ol", "p", "pre", "section", "table", "tbody", "td", "tfoot",
    "th", "thead", "tr", "ul",
}  # fmt: skip
_WITHOUT_TEXT = {"head", "script", "style", "template", "title", "noscript"}
_HIDING_STYLES = {("display", "none"), ("visibility", "hidden"), ("mso-hide", "all"), ("opacity", "0")}
_INVISIBLE_SIZE = re.compile(r"[01](?:\.\d*)?\D*")
_SPACE = re.compile(r"\s+")


def read_html_rows(text: str) -> Iterator[list[str]]:
    """The rows that a browser would show. Text without any element, or none at all, has none."""
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    root = etree.HTML(text.encode("utf-8", "replace"), parser) if text.strip() else None
    if root is None:
        return
    line: list[str] = []
    yield from _read_rows(root, line)
    yield from _end_line(line)


def _is_hidden(element: Element) -> bool:
    if element.tag in _WITHOUT_TEXT or element.get("hidden") is not None:
        return True
    declarations = _SPACE.sub("", element.get("style", "")).lower().split(";")
    styles = [(name, value) for name, _, value in (one.partition(":") for one in declarations)]
    return any(
        style in _HIDING_STYLES or (style[0] == "font-size" and _INVISIBLE_SIZE.fullmatch(style[1]))
        for style in styles
    )


def _read_rows(element: Element, line: list[str]) -> Iterator[list[str]]:
    """The rows that end within an element; `line` is the text since the last of them."""
    if _is_hidden(element):
        return
    if element.tag == "tr" and element.find(".//table") is None:
        yield from _end_line(line)
        yield [text for cell in element if not _is_hidden(cell) for text in _read_cells(cell)]
        return
    if element.tag in _BLOCKS:
        yield from _end_line(line)
    line.append(element.text or "")
    for child in element:
        yield from _read_rows(child, line)
        line.append(child.tail or "")
    if element.tag in _BLOCKS:
        yield from _end_line(line)


def _read_cells(cell: Element) -> list[str]:
    """The text of a cell, and empty ones for the further columns that it spans."""
    span = cell.get("colspan", "1")
    columns = min(int(span), MOST_COLUMNS) if span.isdecimal() else 1
    return [_SPACE.sub(" ", "".join(_read_text(cell))).strip(), *[""] * (columns - 1)]


def _read_text(element: Element) -> Iterator[str]:
    if _is_hidden(element):
        return
    yield element.text or ""
    for child in element:
        yield " " if child.tag in _BLOCKS else ""
        yield from _read_text(child)
        yield child.tail or ""


def _end_line(line: list[str]) -> Iterator[list[str]]:
    text = _SPACE.sub(" ", "".join(line)).strip()
    line.clear()
    if text:
        yield [text]
