"""Values beside or below a label: document number, dates, parties, terms."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.service.documents.layout.rows import EDGES, Cell, Edge, Row
from app.service.documents.values.company_names import is_label
from app.service.values.folding import fold

_LONGEST_LABEL, _MOST_LABEL_WORDS = 48, 3
_ENDS_FIELD = re.compile(r".*[;|·•]|\S*\d\S*\.|\w{5,}\.")
"""The last word before another field of a cell: no abbreviation like `Reg.`."""
# `4. ORDER NUMBER`, `17a. CONTRACTOR`: the boxes of a form.
_NUMBER_OF_BOX = re.compile(r"^\d{1,2}[a-z]?\.(?:\d{1,2}\.?(?= ))? ?(?=[^\W\d])", re.IGNORECASE)
# The label in a second language: `Rechnungsnr. / Invoice no.`, `PO No. / No de BC: 7`.
_SECOND_LABEL = re.compile(r"/[^\d:]*(?:$|: *)")
# Behind a label without a colon: a name, or a number alone.
_BEGINS_VALUE = re.compile(r"[^\W\d_a-zß-ÿ]|\d[\d./\-]*(?: \d+)*$")


_OPENING = "[(【■□●○◆◇▪•・*"
"""What may stand before a label."""


def cut_number_of_box(text: str) -> str:
    """A text without the number of the box of a form that it stands in."""
    return _NUMBER_OF_BOX.sub("", text) if text[:1].isdigit() else text


@dataclass(frozen=True)
class LabelledValue:
    """A value with its label. `distance` orders the ways they stand: 0 same cell, 1 beside, 2 below.

    `unseparated` tells that no colon stands between the two: `Prepared for Example Ltd`.
    """

    label: str
    value: str
    cell: Cell
    label_cell: Cell
    distance: int
    order: int
    unseparated: bool = False


def find_labelled_values(
    rows: Sequence[Row], pattern: re.Pattern[str], *, inline: bool = False
) -> Iterator[LabelledValue]:
    """The values of every label that the pattern matches; the pattern sees folded text.

    `inline` takes a value that follows its label without a colon too, if it begins with a capital.
    """
    for order, row in enumerate(rows):
        cells = row.cells()
        for index, cell in _list_fields(cells):
            text = cut_number_of_box(cell.text).lstrip(_OPENING)
            found = pattern.match(fold(text))
            if not found or len(found.group()) > _LONGEST_LABEL:
                continue
            label, rest = text[: found.end()], text[found.end() :]
            value = rest.lstrip(" :：.#№-–\t】ªº")
            separated = rest[:2].strip()[:1] in (":", "：", ".", "#", "】") or label[-1] in ":#.№°º"
            beside = cells[index + 1] if index + 1 < len(cells) else None
            if second := _SECOND_LABEL.match(value):
                value, separated = value[second.end() :], True
            elif beside and _is_in_another_script(label, value):
                value = ""  # `Number 番号`
            if value and (separated or (inline and rest[:1] == " " and _BEGINS_VALUE.match(value))):
                yield LabelledValue(label, value, cell, cell, 0, order, unseparated=not separated)
            if value:
                continue
            below, whole = _find_below(rows, order, cell, text, pattern)
            if beside and not (is_label(beside.text) or _NUMBER_OF_BOX.match(beside.text)):
                yield LabelledValue(label, beside.text.lstrip(": "), beside, cell, 1, order)
            if below and not is_label(below.text):
                yield LabelledValue(whole if whole != text else label, below.text, below, cell, 2, order)


def _list_fields(cells: Sequence[Cell]) -> Iterator[tuple[int, Cell]]:
    """The cells with their numbers, and the further fields of a cell: `Order no. 7. Sold to: Example`."""
    for index, cell in enumerate(cells):
        yield index, cell
        for at in range(1, len(cell.words) - 1 if ":" in cell.text else 0):
            is_label = any(one.text[-1] == ":" for one in cell.words[at : at + _MOST_LABEL_WORDS])
            if is_label and _ENDS_FIELD.fullmatch(cell.words[at - 1].text):
                yield index, cell.with_words(cell.words[at:])


def _is_in_another_script(label: str, value: str) -> bool:
    return ":" not in label and label.isascii() and not re.search(r"[\x21-\x7e]", value)


def _find_below(
    rows: Sequence[Row], order: int, cell: Cell, label: str, pattern: re.Pattern[str]
) -> tuple[Cell | None, str]:
    """The cell below a label, and the label with its second line, if it has one that the pattern matches."""
    for row in rows[order + 1 : order + 4]:
        if row.page != cell.page or row.box.top - cell.box.bottom > 2.2 * cell.size:
            break
        for other in row.cells():
            starts_alike = abs(other.box.x0 - cell.box.x0) < 0.8 * cell.size
            ends_alike = abs(other.box.x1 - cell.box.x1) < 0.8 * cell.size
            centred = abs(other.box.centre - cell.box.centre) < cell.size
            if starts_alike or ends_alike or centred:
                if not pattern.fullmatch(fold(f"{label} {other.text}")):
                    return other, label
                cell, label = other, f"{label} {other.text}"
                break
    return None, label


def find_cells_below(rows: Sequence[Row], order: int, cell: Cell, limit: int = 7) -> list[Cell]:
    """The block of cells under a cell that begin where it begins, else end where it ends, else are
    centred under it."""
    longest: list[Cell] = []
    for edge in EDGES:
        block = _block_below(rows, order, cell, limit, edge)
        if len(block) > len(longest):
            longest = block
        if len(longest) == limit:
            break
    return longest


def _block_below(rows: Sequence[Row], order: int, cell: Cell, limit: int, edge: Edge) -> list[Cell]:
    block: list[Cell] = []
    bottom = cell.box.bottom
    place, reach = cell.edge(edge), (1.0 if edge == "left" else 0.4) * cell.size
    for row in rows[order + 1 : order + 1 + 3 * limit]:
        if row.page != cell.page or row.box.top - bottom > 1.6 * min(cell.size, row.size):
            break
        if (other := row.find_cell(edge, place, reach)) is not None:
            block.append(other)
            bottom = other.box.bottom
        if len(block) == limit:
            break
    return block
