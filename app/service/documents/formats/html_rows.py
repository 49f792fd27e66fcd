"""The rows of the text of a web page: those of its tables as cells, other lines as one cell. What a page
hides or strikes out is left out, and what it raises is raised."""

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import TypeAlias

from lxml import etree

from app.service.documents.formats.merged_cells import MergedCell, fill_merged
from app.service.documents.formats.struck_and_raised import STRUCK_OUT, read_cents
from app.service.documents.layout.bounds import MOST_COLUMNS, MOST_ROWS
from app.service.values.folding import raise_digits

_Element: TypeAlias = etree._Element  # pyright: ignore[reportPrivateUsage] # there is no public name

_WITHOUT_TEXT = {"head", "script", "style", "template", "title", "noscript"}
_HIDING_STYLES = {("display", "none"), ("visibility", "hidden"), ("mso-hide", "all"), ("opacity", "0")}
_INVISIBLE_SIZE = re.compile(r"[01](?:\.\d*)?\D*")
_STRIKING = {"s", "strike", "del"}
_DECORATIONS = ("text-decoration", "text-decoration-line")


def _is_hidden(element: _Element) -> bool:
    if element.tag in _WITHOUT_TEXT or element.get("hidden") is not None:
        return True
    return any(
        style in _HIDING_STYLES or (style[0] == "font-size" and _INVISIBLE_SIZE.fullmatch(style[1]))
        for style in _list_styles(element)
    )


def _remove_struck_text(root: _Element) -> bool:
    """Empty the elements that are struck out, which keep their places, and say whether any had text."""
    found = False
    for element in [one for one in root.iter("*") if _is_struck(one)]:
        found |= any(not text.isspace() for text in element.itertext())
        element.text = None
        del element[:]
    return found


def _raise_raised_digits(root: _Element) -> None:
    """Print the digits that are raised by their style as raised ones."""
    for element in [one for one in root.iter("*") if _is_raised(one)]:
        for inner in element.iter("*"):
            inner.text = raise_digits(inner.text or "")
            if inner is not element:
                inner.tail = raise_digits(inner.tail or "")


def _is_struck(element: _Element) -> bool:
    return element.tag in _STRIKING or any(
        name in _DECORATIONS and "line-through" in value for name, value in _list_styles(element)
    )


def _is_raised(element: _Element) -> bool:
    return element.tag == "sup" or ("vertical-align", "super") in _list_styles(element)


def _list_styles(element: _Element) -> list[tuple[str, str]]:
    declarations = _SPACE.sub("", element.get("style", "")).lower().split(";")
    return [(name, value) for name, _, value in (one.partition(":") for one in declarations)]


_BLOCKS = {
    "address", "article", "blockquote", "br", "center", "dd", "div", "dl", "dt", "footer", "h1", "h2", "h3",
    "h4", "h5", "h6", "header", "hr", "li", "ol", "p", "pre", "section", "table", "tbody", "td", "tfoot",
    "th", "thead", "tr", "ul",
}  # fmt: skip
_SPANS = ("colspan", MOST_COLUMNS), ("rowspan", MOST_ROWS)
_SPACE = re.compile(r"\s+")
_LINE_END = "\0"
"""Where a block within a cell begins or ends; no web page holds it."""


def read_html_rows(text: str) -> tuple[list[list[str]], tuple[str, ...]]:
    """The rows that a browser would show without what it strikes out, and sentences about that and about
    merged cells among them. Text without any element, or none at all, has none."""
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    root = etree.HTML(text.encode("utf-8", "replace"), parser) if text.strip() else None
    if root is None:
        return [], ()
    remarks = [STRUCK_OUT] if _remove_struck_text(root) else []
    _raise_raised_digits(root)
    reader = _RowReader()
    reader.read(root)
    reader.end_line()
    filled, merging = fill_merged(reader.rows, reader.merged)
    rows, cents = read_cents(filled)
    return rows, (*remarks, *merging, *cents)


class _RowReader:
    """The rows read so far, the merged cells among them, and the text since the last row."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []
        self.merged: list[MergedCell] = []
        self._line: list[str] = []
        self._reaching: dict[int, int] = {}
        """For each column of the table that cells above reach into, the row before which they end."""
        self._table: _Element | None = None
        self._terms = 0
        """How many rows there were behind the last term of a list of terms."""

    def read(self, element: _Element) -> None:
        if _is_hidden(element):
            return
        if element.tag == "tr" and element.find(".//table") is None:
            self.end_line()
            self._read_row(element)
            return
        if element.tag in _BLOCKS:
            self.end_line()
        if element.tag == "dd" and 0 < self._terms == len(self.rows):  # a value stands beside its term
            self.rows[-1].append("\n".join(_read_lines("".join(_read_text(element)))))
            return
        self._line.append(element.text or "")
        for child in element:
            self.read(child)
            self._line.append(child.tail or "")
        if element.tag in _BLOCKS:
            self.end_line()
        if element.tag == "dt":
            self._terms = len(self.rows)

    def end_line(self) -> None:
        text = _SPACE.sub(" ", "".join(self._line)).strip()
        self._line.clear()
        if text:
            self.rows.append([text])

    def _read_row(self, row: _Element) -> None:
        table = next(row.iterancestors("table"), None)
        if table is not self._table:
            self._table = table
            self._reaching = {}
        number, texts = len(self.rows), list[str]()
        for cell in row:
            if _is_hidden(cell):
                continue
            while self._reaching.get(len(texts), 0) > number:
                texts.append("")
            columns, rows = (_read_span(cell, name, most) for name, most in _SPANS)
            columns = min(columns, MOST_COLUMNS + 1 - len(texts))
            if columns < 1:
                break
            if rows > 1 or columns > 1:
                self.merged.append(MergedCell(number, len(texts), rows, columns))
            if rows > 1:
                self._reaching.update(dict.fromkeys(range(len(texts), len(texts) + columns), number + rows))
            texts += ["".join(_read_text(cell)), *[""] * (columns - 1)]
        lines = [_read_lines(text) for text in texts]
        if not self._reaching and max(map(len, lines), default=0) > 1 and all(len(one) != 1 for one in lines):
            self.rows += map(list, zip_longest(*lines, fillvalue=""))  # addresses beside each other
        else:
            self.rows.append(["\n".join(one) for one in lines])


def _read_span(cell: _Element, name: str, most: int) -> int:
    span = cell.get(name, "1").strip()
    return min(max(int(span), 1), most) if span.isascii() and span.isdecimal() and len(span) < 9 else 1


def _read_lines(text: str) -> list[str]:
    lines = (_SPACE.sub(" ", line).strip() for line in text.split(_LINE_END))
    return [line for line in lines if line]


def _read_text(element: _Element) -> Iterator[str]:
    if _is_hidden(element):
        return
    yield element.text or ""
    for child in element:
        end = _LINE_END if child.tag in _BLOCKS else ""
        yield end
        yield from _read_text(child)
        yield end + (child.tail or "")
