"""Blocks of address lines near the top of the first page: who a document is from and to."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.service.documents.layout.labels import find_cells_below
from app.service.documents.layout.pages import Word
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.party_words import (
    ATTENTION,
    BUYER,
    DELIVERY,
    DEPARTMENT,
    SALUTATION,
    SENDER,
    SUPPLIER,
    TITLED,
)
from app.service.documents.values.company_names import COMPANY, is_label, looks_like_name
from app.service.documents.values.countries import is_country
from app.service.documents.values.dates import find_dates
from app.service.values.folding import fold

_ROWS = 30
_LINES = 6
_LONGEST_LINE = 300
_FROM_SENDER = 4.0
"""How many of its letters are high above a name the line of the sender may stand."""
# A postcode with its town; in some countries it has a line of its own.
_TOWN = re.compile(
    r"(?<![\w.,/\-])(?:[A-Z]{1,2}-)?\d{4,6}(?![\w.,/\-]).*[^\W\d]{3}"
    r"|[^\W\d]{3}.*(?<![\w.,/\-])\d{4,6}(?![\w./\-])"
    r"|\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b|\b[A-Z]\d[A-Z] \d[A-Z]\d\b|\b[A-Z]\d[\dW] [A-Z\d]{4}\b"
    r"|\bCo\.? [A-Z][a-z]+$"
)


@dataclass(frozen=True)
class AddressBlock:
    """A name over its street and town. `addressed` says that it is written as on an envelope: to
    somebody, with a title, a department or `attn.`, or beside the labelled address that the goods go to."""

    name: str
    cell: Cell
    addressed: bool


def find_address_blocks(rows: Sequence[Row]) -> Iterator[AddressBlock]:
    """The blocks that no label opens, from top to bottom; then a titled person on a line alone."""
    taken: set[Word] = set()
    persons: list[AddressBlock] = []
    for order, row in enumerate(rows[:_ROWS]):
        cells = row.cells(1.2)
        for index, cell in enumerate(cells):
            if row.page != 1 or cell.words[0] in taken or is_town(cell.text) or is_country(cell.text):
                continue
            if index and cells[index - 1].text.endswith(":"):
                continue  # `Contact: Ms Example`
            lines = _cut_after_town([cell, *find_cells_below(rows, order, cell, _LINES)])
            labelled = is_party_label(cell.text)
            delivered = any(is_party_label(one.text) and DELIVERY.search(fold(one.text)) for one in cells)
            addressed = delivered or any(_is_to_somebody(line.text) for line in lines)
            addressed = addressed or _stands_in_window(rows, order, cell)
            unnamed = labelled or is_label(cell.text)
            name = None if unnamed else next(_find_names(lines, addressed=addressed), None)
            if name or labelled:
                taken.update(line.words[0] for line in lines)
            if name:
                yield AddressBlock(*name, addressed)
            elif TITLED.match(cell.text) and len(cell.words) < 8 and len(cells) == 1:
                persons.append(AddressBlock(cell.text.split(", ")[0], cell, addressed=False))
    yield from persons[:1]


def is_party_label(text: str) -> bool:
    """Whether a line is only a label over a name, in one language or two: `Bill to`, `Käufer / Buyer`."""
    words = fold(text).split(" / ")
    return "_" not in text and all(
        any(label.fullmatch(one.strip(" :")) for label in (BUYER, SUPPLIER)) for one in words
    )


def is_town(text: str) -> bool:
    """Whether a line of an address names the town, with its postcode."""
    return len(text) <= _LONGEST_LINE and _TOWN.search(text) is not None and not find_dates(text)


def _cut_after_town(lines: Sequence[Cell]) -> list[Cell]:
    """The lines as far as the first with a town; none where there is none or another block begins."""
    for index, line in enumerate(lines[1:], 1):
        if is_party_label(line.text) or is_label(line.text) or SALUTATION.fullmatch(fold(line.text)):
            return []
        if is_town(line.text):
            whole = index > 1 or re.search(r"\d.*,", line.text)
            return list(lines[: index + 1]) if whole else []
    return []


def _stands_in_window(rows: Sequence[Row], order: int, cell: Cell) -> bool:
    """Whether the line above is the sender's: `Example - 3 Street - 1200 Town`."""
    above = rows[order - 1] if order else None
    return above is not None and any(
        abs(one.box.x0 - cell.box.x0) < cell.size
        and cell.box.top - one.box.bottom < _FROM_SENDER * cell.size
        and len(SENDER.findall(one.text)) > 1
        and is_town(one.text)
        and ":" not in one.text
        for one in above.cells(1.2)
    )


def _is_to_somebody(text: str) -> bool:
    bare = fold(text)
    return bool(
        ATTENTION.match(bare) or SALUTATION.fullmatch(bare) or TITLED.match(text) or DEPARTMENT.search(bare)
    )


def _find_names(lines: Sequence[Cell], *, addressed: bool) -> Iterator[tuple[str, Cell]]:
    """The company among the lines above the street, else the first name."""
    above = [line for line in lines if not SALUTATION.fullmatch(fold(line.text))]
    for line in above if addressed else above[:1]:
        if company := COMPANY.match(line.text):
            yield company.group().strip(" ,"), line
    if above and looks_like_name(above[0].text) and not re.match(r"\d+\.", above[0].text):
        yield above[0].text.split(", ")[0], above[0]
