"""Names of companies in fields and blocks: behind a label, or under the label that opens an address."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.service.documents.layout.address_blocks import is_party_label
from app.service.documents.layout.labels import (
    LabelledValue,
    cut_number_of_box,
    find_cells_below,
    find_labelled_values,
)
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.party_words import DEPARTMENT, NAME_LABEL
from app.service.documents.values.company_names import (
    COMPANY,
    NUMBER_OF_PARTY,
    is_address,
    is_label,
    read_name,
    strip_label,
)
from app.service.values.folding import fold

PERSON = re.compile(r"(?:[A-ZÀ-ÖØ-Þ]\.|[A-ZÀ-ÖØ-Þ][^\W\d]+) [A-ZÀ-ÖØ-Þ][^\W\d]+")
"""A first and a last name."""


def find_labelled_names(
    rows: Sequence[Row], pattern: re.Pattern[str]
) -> Iterator[tuple[re.Match[str], LabelledValue]]:
    """Names behind a label, and the first name in a block that a label opens."""
    for found in find_labelled_values(rows, pattern, inline=True):
        if NUMBER_OF_PARTY.fullmatch(found.value):  # its name stands in the next cell
            found = next((replace(found, value=one.text, cell=one) for one in _behind(rows, found)), found)
        found = _below_department(rows, found)
        name, matched = read_name(found.value), pattern.match(fold(found.label))
        if name and matched and not (is_party_label(name) or DEPARTMENT.fullmatch(fold(name))):
            yield matched, replace(found, value=name)
    for order, row in enumerate(rows):
        for cell in row.cells():
            text = cut_number_of_box(cell.text)
            matched = pattern.match(fold(text))
            if matched and not text[matched.end() :].partition("/")[0].strip(" :"):
                inside = _in_block(rows, order, cell)
                if inside:
                    yield matched, LabelledValue(cell.text, inside[0], inside[1], cell, inside[2], order)


def _behind(rows: Sequence[Row], found: LabelledValue) -> Sequence[Cell]:
    """The cells of its row behind that of a value."""
    cells = rows[found.order].cells()
    return cells[cells.index(found.cell) + 1 :] if found.cell in cells else ()


def _below_department(rows: Sequence[Row], found: LabelledValue) -> LabelledValue:
    """The company in the line below, where a department opens the address: `Accounts Payable`."""
    if DEPARTMENT.search(fold(found.value)):
        for order, row in enumerate(rows[found.order : found.order + 4], found.order):
            below = find_cells_below(rows, order, found.cell, 1) if found.cell in row.cells() else []
            if below and read_name(below[0].text) and not is_address(below[0].text):
                return replace(found, value=below[0].text, cell=below[0])
    return found


def _in_block(rows: Sequence[Row], order: int, label: Cell) -> tuple[str, Cell, int] | None:
    """`Name: X` in the rows below a label, else the first line there that names a company."""
    first: tuple[str, Cell, int] | None = None
    bottom, is_heading = label.box.bottom, len(rows[order].cells()) == 1
    for at, row in enumerate(rows[order : order + 9], order):
        if row.page != label.page or row.box.top - bottom > 2.5 * label.size:
            break
        cells = row.cells()
        for index, cell in enumerate(cells):
            inside = NAME_LABEL.match(fold(cell.text))
            if inside and (is_heading or abs(cell.box.x0 - label.box.x0) < 8 * cell.size):
                value = cell.text[inside.end() :].strip()
                if not value:
                    beside = [one for one in cells[index + 1 : index + 2] if not is_label(one.text)]
                    for one in (*beside, *find_cells_below(rows, at, cell, 1))[:1]:
                        value, cell = one.text, one
                return (value, cell, -2) if value else None
            company = COMPANY.match(cell.text)
            if company and first is None and abs(cell.box.x0 - label.box.x0) < 3 * cell.size:
                first = (strip_label(company.group()), cell, 2)
        bottom = row.box.bottom
    return first
