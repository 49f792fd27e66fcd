"""DOCX: paragraphs and tables in the order of the text."""

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.cell_pages import lay_out_cells
from app.service.documents.formats.format import PagedFormat
from app.service.documents.formats.hidden_text import is_hidden
from app.service.documents.formats.merged_cells import MergedCell, fill_merged
from app.service.documents.formats.plain_text import split_line
from app.service.documents.formats.run_formats import (
    Formats,
    Styles,
    W,
    is_on,
    is_raised,
    is_struck,
    list_runs,
    raise_run,
    remove_runs,
)
from app.service.documents.formats.struck_and_raised import STRUCK_OUT, read_cents
from app.service.documents.formats.zip_archives import list_members, refuse_bomb
from app.service.documents.layout.bounds import MOST_COLUMNS
from app.service.documents.layout.pages import Page

if TYPE_CHECKING:
    from docx.document import Document
    from docx.section import Section
    from docx.table import Table
    from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

_CHANGED = "The document has tracked changes, which were read as accepted."
_WIDE_GAP = re.compile(r"[^\n]*\S(?:\t| {3}|\u3000{2})[^\n]*")
"""Of a paragraph that sets fields beside each other: `No. 7     Date: 3 May`."""
_HIDDEN = "The document has text that its pages do not show, which was not read."
_MOST_SECTIONS = 50
"""Sections whose headers and footers are read; one without its own has those of the section before."""


def _is_docx(content: bytes, filename: str) -> bool:
    return any(member.name == "word/document.xml" for member in list_members(content))


def _read_pages(content: bytes, page_limit: int) -> tuple[Page, ...]:
    refuse_bomb(content)
    rows, remarks = _read_rows(content)
    return (replace(lay_out_cells(1, rows), remarks=tuple(remarks)),)


def _read_rows(content: bytes) -> tuple[list[list[str]], list[str]]:
    """Rows of cells, and sentences about hidden text besides them and about merged cells. A paragraph is a
    row of one cell. Headers come first, footers last."""
    import docx
    from docx.opc.exceptions import PackageNotFoundError
    from docx.text.paragraph import Paragraph
    from lxml.etree import LxmlError

    try:
        document = docx.Document(io.BytesIO(content))
        sections = list(document.sections)[:_MOST_SECTIONS]
        remarks = _read_markup(document, sections)
        rows: list[list[str]] = []
        for section in sections:
            rows.extend([paragraph.text] for paragraph in section.header.paragraphs if paragraph.text.strip())
        for block in document.iter_inner_content():
            if isinstance(block, Paragraph):
                rows.append(_split(block.text))
                continue
            filled, merging = fill_merged(*_read_cells(block))
            rows += [[], *filled, []]
            remarks += merging
        for section in sections:
            rows.extend([paragraph.text] for paragraph in section.footer.paragraphs if paragraph.text.strip())
    except (PackageNotFoundError, LxmlError, KeyError, ValueError, zipfile.BadZipFile, OSError) as damage:
        raise UnreadableDocument(
            "The Word file cannot be opened; it may be damaged or protected."
        ) from damage
    rows, cents = read_cents(rows)
    return rows, [*remarks, *cents]


def _read_markup(document: "Document", sections: "Sequence[Section]") -> list[str]:
    """Leave what a reader of the pages takes for their text, and return sentences about the rest."""
    parts: list[_Element] = [document.element]
    for section in sections:
        parts += [section.header._element, section.footer._element]  # pyright: ignore[reportPrivateUsage]
    remarks = [_CHANGED] if _accept_changes(parts) else []
    unwrap(parts)
    _write_boxes(parts)
    styles = Styles(document)
    hidden: list[_Element] = []
    struck: list[_Element] = []
    for run in list_runs(parts):
        formats = styles.list_formats(run)
        if is_hidden(run, formats, styles):
            hidden.append(run)
        elif is_struck(formats):
            struck.append(run)
        elif is_raised(formats):
            raise_run(run)
    remarks += [sentence for sentence, gone in ((_HIDDEN, hidden), (STRUCK_OUT, struck)) if remove_runs(gone)]
    return remarks


def _split(text: str) -> list[str]:
    return split_line(text.strip()) if _WIDE_GAP.fullmatch(text.rstrip()) else [text]


def _read_cells(table: "Table") -> tuple[list[list[str]], list[MergedCell]]:
    """The cells of a table, each text where its cell begins, and the merged cells among them."""
    from docx.table import _Cell  # pyright: ignore[reportPrivateUsage] # there is no public way

    rows: list[list[str]] = []
    merged: list[MergedCell] = []
    above: dict[int, int] = {}  # the cell that reaches down in a column, by its place among the merged ones
    for number, row in enumerate(table.rows):
        texts = [""] * min(row.grid_cols_before, MOST_COLUMNS + 1)
        reaching: dict[int, int] = {}
        # The cells as they are in the file: one that spans columns is there once.
        own_cells = row._tr.tc_lst  # pyright: ignore[reportPrivateUsage] # there is no public way
        for own in own_cells[: MOST_COLUMNS + 1]:
            column, span = len(texts), min(own.grid_span, MOST_COLUMNS + 1 - len(texts))
            texts += [""] * span
            if own.vMerge == "continue":
                if column in above:
                    place = reaching[column] = above[column]
                    merged[place] = replace(merged[place], rows=number - merged[place].row + 1)
            elif span > 0:
                texts[column] = _Cell(own, row.table).text
                reaching[column] = len(merged)
                merged.append(MergedCell(number, column, 1, span))
        above = reaching
        rows.append(texts)
    return rows, [cell for cell in merged if cell.rows > 1 or cell.columns > 1]


DOCX = PagedFormat(
    "DOCX",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ("docx",),
    _is_docx,
    read_pages=_read_pages,
)


if TYPE_CHECKING:
    from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

_EMPTY, _TICKED = "☐", "☒"
_SIGNS = {
    "wingdings": {_EMPTY: (0x6F, 0x71, 0x72, 0xA8), _TICKED: (0x78, 0xFD, 0xFE)},
    "wingdings 2": {_EMPTY: (0x2A, 0x30, 0xA3), _TICKED: (0x51, 0x52, 0x53, 0x54)},
}


def _write_boxes(parts: "Iterable[_Element]") -> None:
    """Write as letters the boxes to tick that are signs of the fonts for signs, or fields of forms."""
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


if TYPE_CHECKING:
    from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

_GONE = (f"{W}del", f"{W}moveFrom")
_ADDED = (f"{W}ins", f"{W}moveTo")
_CELL_CHANGES = (f"{W}cellDel", f"{W}cellIns")
_WRAPPERS = tuple(
    f"{W}{name}" for name in ("sdt", "sdtContent", "smartTag", "customXml", "fldSimple", "bdo", "dir")
)


def _accept_changes(parts: "Iterable[_Element]") -> bool:
    """Make text of what was inserted and remove what was deleted, and say whether there was any of them."""
    changed = False
    for part in parts:
        open_ended: list[_Element] = []
        for change in list(part.iter(*_GONE, *_ADDED, *_CELL_CHANGES)):
            changed = True
            if change.tag in _ADDED:
                _unwrap(change)
            elif (paragraph := _find_open_ended(change)) is not None:
                open_ended.append(paragraph)
            elif change.tag != f"{W}cellIns":
                around = change.getparent()
                marked = None
                if around is not None and around.tag in (f"{W}trPr", f"{W}tcPr"):
                    marked = around.getparent()
                _remove(change if marked is None else marked)
        _join_paragraphs(open_ended)
    return changed


def unwrap(parts: "Iterable[_Element]") -> None:
    """Put what stands in content controls, tags and simple fields in the place of those."""
    for part in parts:
        for wrapper in list(part.iter(*_WRAPPERS)):
            _unwrap(wrapper)


def _find_open_ended(change: "_Element") -> "_Element | None":
    """The paragraph whose end a change says is deleted."""
    around = list(islice(change.iterancestors(), 3))
    is_end = [one.tag for one in around] == [f"{W}rPr", f"{W}pPr", f"{W}p"]
    return around[-1] if is_end else None


def _join_paragraphs(open_ended: "Iterable[_Element]") -> None:
    """Join paragraphs whose end is deleted, in their order, to those that follow them."""
    joined: dict[_Element, _Element] = {}
    for paragraph in open_ended:
        first = joined.get(paragraph, paragraph)
        following = first.getnext()
        if following is not None and following.tag == f"{W}p":
            first.extend([child for child in following if child.tag != f"{W}pPr"])
            joined[following] = first
            _remove(following)


def _unwrap(wrapper: "_Element") -> None:
    for child in list(wrapper):
        wrapper.addprevious(child)
    _remove(wrapper)


def _remove(element: "_Element") -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)
