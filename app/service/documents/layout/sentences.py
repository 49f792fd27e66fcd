"""Running text, put together again from rows, columns and line ends."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise

from app.service.documents.extraction import Provenance
from app.service.documents.layout.pages import Word
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.documents.values.dates import MONTH
from app.service.documents.values.money import Figure
from app.service.values.folding import fold

_WIDE = 1.5
_LONGEST_BLOCK = 100  # lines of running text that are taken for one paragraph
_CERTAINTY = 0.8
"""How likely what a sentence states is read right, from 0 to 1."""
_OPENS_FIELD = re.compile(r"[^\W\d][^:.,]{1,28}: \S")
_SENTENCE_END = re.compile(
    r"(?:(?<=[a-zß-ÿ0-9)%”\"])|(?<=[A-Z]{3}))[.;!?]\s+(?=[^\s\d]|\d+(?:\.\d+)*\.? [A-Z]|100 ?%)|。\s*(?=\S)"
)
_MONTH_AND_YEAR = re.compile(rf"{MONTH}\.?,? \d\d")


@dataclass(frozen=True)
class Paragraph:
    """Lines of running text that belong together, and their text without line ends."""

    lines: tuple[Cell, ...]
    text: str


@dataclass(frozen=True)
class Sentence:
    """A sentence, and the lines on which it stands."""

    text: str
    lines: tuple[Cell, ...]

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The free-standing numbers of the sentence."""
        return self.lines[0].figures_in(self.text)

    @property
    def provenance(self) -> Provenance:
        """The box around its lines on its first page."""
        page = self.lines[0].page
        lines = [line for line in self.lines if line.page == page]
        box = lines[0].box
        for line in lines[1:]:
            box = box.joined(line.box)
        return Provenance(page, box, _CERTAINTY * min(line.confidence for line in lines))


@dataclass
class _TextBlock:
    cells: list[Cell] = field(default_factory=list[Cell])

    @property
    def last(self) -> Cell:
        return self.cells[-1]

    def text(self) -> str:
        return self._join_lines()[0]

    def _join_lines(self) -> tuple[str, list[int]]:
        """The text, and the offset at which each line begins."""
        text, begins = "", list[int]()
        for cell in self.cells:
            broken = re.search(r"[^\W_]-$", text[-2:])  # a word or date broken at a hyphen
            text += "" if broken or not text else " "
            begins.append(len(text))
            text += cell.text
        return text, begins

    def sentences(self) -> Iterator[Sentence]:
        text, begins = self._join_lines()
        stops = _find_stops(text)
        edges = [0, *(end for _, end in stops), len(text)]
        ends = [0, *(begin for begin, _ in stops), len(text)]
        for begin, end in zip(edges, ends[1:], strict=False):
            sentence = text[begin:end].strip()
            lines = [
                cell
                for cell, first, following in zip(self.cells, begins, [*begins[1:], len(text)], strict=True)
                if first < end and begin < following
            ]
            if sentence and lines:
                yield Sentence(sentence, tuple(lines))


def _find_stops(text: str) -> list[tuple[int, int]]:
    """The offsets of the stops between sentences; that of a day is none: `until 28. May 2026`."""
    folded = fold(text)
    return [
        found.span()
        for found in _SENTENCE_END.finditer(text)
        if not (folded[found.start() - 1].isdigit() and _MONTH_AND_YEAR.match(folded, found.end()))
    ]


def find_sentences(rows: Sequence[Row]) -> list[Sentence]:
    """The sentences of the text, and `label: value` for short cells with a neighbour.

    Rows of tables of figures are left out, and choices whose boxes are not ticked.
    """
    blocks = [list(block.sentences()) for block in _find_blocks(rows)]
    by_first_word = {block[0].lines[0].words[0]: block for block in blocks if block}
    sentences = chain(chain.from_iterable(blocks), _pair_labels_with_values(rows, by_first_word))
    return [replace(one, text=text) for one in sentences if (text := read_ticked(one.text))]


def find_paragraphs(rows: Sequence[Row]) -> list[Paragraph]:
    """The texts that run over several lines."""
    return [Paragraph(tuple(one.cells), one.text()) for one in _find_blocks(rows) if len(one.cells) > 1]


def _find_blocks(rows: Sequence[Row]) -> list[_TextBlock]:
    blocks: list[_TextBlock] = []
    open_blocks: list[_TextBlock] = []
    for row in rows:
        cells = row.cells(_WIDE)
        if (len(cells) >= 2 and cells[-1].is_figure) and not _is_end_of_sentence(cells[-1], open_blocks):
            open_blocks = []
            continue
        for cell in _part_choices(cells)[0]:
            block = next((one for one in open_blocks if _continues(one.last, cell)), None)
            if block is None or len(block.cells) == _LONGEST_BLOCK:
                block = _TextBlock()
                blocks.append(block)
                open_blocks.append(block)
            block.cells.append(cell)
        open_blocks = [one for one in open_blocks if row.box.top - one.last.box.bottom < 2 * row.size]
    return blocks


def _is_line_of_table(cells: Sequence[Cell]) -> bool:
    """Whether figures stand side by side, as quantities, prices and amounts do."""
    return len(cells) > 2 and any(one.is_figure and other.is_figure for one, other in pairwise(cells))


def _are_headings(cells: Sequence[Cell]) -> bool:
    return len(cells) > 2 and not any(cell.is_figure or cell.text.endswith(":") for cell in cells)


def _is_end_of_sentence(cell: Cell, blocks: Sequence[_TextBlock]) -> bool:
    """Whether what looks like a figure is the end of a text: `... by more than / 4.5% per year.`"""
    return cell.text.endswith(".") and any(_continues(one.last, cell) for one in blocks)


def _continues(last: Cell, cell: Cell) -> bool:
    """Whether a line continues in the next one: both begin alike, and it is not a short last line."""
    if last.page != cell.page or last.words[0].cell is not None:
        return False
    gap = cell.box.top - last.box.bottom
    close = -0.3 * last.size < gap < 0.9 * last.size and abs(cell.size - last.size) < 0.15 * last.size
    aligned = abs(cell.box.x0 - last.box.x0) < 1.2 * last.size
    full = last.box.width > 12 * last.size
    return close and aligned and full and not (_OPENS_FIELD.match(cell.text) or _opens_sum(cell))


def _opens_sum(cell: Cell) -> bool:
    """Whether a line begins with the label of a sum and its figure: `Total 500.00 EUR before tax`."""
    begin = next((figure.start for figure in cell.figures if figure.currency), 0)
    return 0 < begin < _LONGEST_LABEL and total_kind(fold(cell.text[:begin])) is not None


def _pair_labels_with_values(
    rows: Sequence[Row], by_first_word: Mapping[Word, Sequence[Sentence]]
) -> Iterator[Sentence]:
    """Each label with the cell beside or below it, or with each sentence of the text that begins there.

    The lines of a table and their headings are no labels of each other.
    """
    for order, row in enumerate(rows):
        cells = row.cells()
        following = rows[order + 1] if order + 1 < len(rows) and rows[order + 1].page == row.page else None
        cells_below = _part_choices(following.cells())[0] if following else ()
        if _is_line_of_table(cells) or (_is_line_of_table(cells_below) and _are_headings(cells)):
            continue
        cells, choices = _part_choices(cells)
        if choices:
            yield _join_choices(choices)
        for index, cell in enumerate(cells):
            if len(cell.words) > 4 or len(cell.text) > _LONGEST_LABEL or not _LETTERS.search(cell.text):
                continue
            label = cell.text.rstrip(" :")
            if index + 1 < len(cells):
                yield from _label_sentences(label, cells[index + 1], by_first_word)
            if following and following.box.top - cell.box.bottom < 1.6 * cell.size:
                for below in cells_below:
                    repeated = below.text == cell.text  # as in a column of a table
                    if abs(below.box.x0 - cell.box.x0) < 0.8 * cell.size and not repeated:
                        yield from _label_sentences(label, below, by_first_word)


def _part_choices(cells: Sequence[Cell]) -> tuple[Sequence[Cell], Sequence[Cell]]:
    """The cells of a row before its choices with boxes, and those of the choices, which are one sentence."""
    begin = _find_choices([cell.text for cell in cells])
    return (cells, ()) if begin is None else (cells[:begin], cells[begin:])


def _join_choices(cells: Sequence[Cell]) -> Sentence:
    label, *choices = (cell.text for cell in cells)
    mark = "" if label.endswith(":") or _BOX.search(label) else ":"
    return Sentence(f"{label}{mark} {' '.join(choices)}", tuple(cells))


def _label_sentences(
    label: str, value: Cell, by_first_word: Mapping[Word, Sequence[Sentence]]
) -> Iterator[Sentence]:
    for sentence in by_first_word.get(value.words[0]) or (Sentence(value.text, (value,)),):
        yield Sentence(f"{label}: {sentence.text}", sentence.lines)


_BOX = re.compile(
    r"(?P<ticked>[☒☑🗹🗷]|\[[xX✓✔]\]|\([xX✓✔]\))"
    r"|(?P<empty>☐|\[[ _]?\]|\([ _]\))"
    # Bullets are drawn alike, so that these count beside each other only. Letters without a name are those of
    # fonts of signs.
    r"|(?P<like_ticked>[■✓✔\uf052\uf053\uf078\uf0fc\uf0fd\uf0fe])"
    r"|(?P<like_empty>[□▢◻❏❑\uf06f\uf071\uf072\uf0a3\uf0a8])"
)
_TICKED, _EMPTY = ("ticked", "like_ticked"), ("empty", "like_empty")
_ASIDE = re.compile(r"\([^()]*\)")
_WORD = re.compile(r"\w")
_SPACE = re.compile(r"\s+")
_LETTERS = re.compile(r"[^\W\d]{3}")
_LONGEST_LABEL = 40
"""Letters of a label; a sentence of a script without spaces is one word."""


def read_ticked(text: str) -> str:
    """What a sentence with boxes says: without boxes and the choices whose boxes are empty.

    Nothing is left where no box is ticked, or where it is not known which box is whose. A text without an
    empty box stays.
    """
    boxes = _find_boxes(text)
    if all(box.lastgroup in _TICKED for box in boxes):
        return text
    starts, ends = [0, *(box.end() for box in boxes)], [*(box.start() for box in boxes), len(text)]
    first, *others = (text[start:end] for start, end in zip(starts, ends, strict=True))
    label, colon, choice = first.rpartition(":")
    opens, closes = _has_words(choice), _has_words(others[-1])
    if closes and not (opens and colon):  # each box stands before its choice
        label, choices = first, others
    elif opens and not closes:
        label, choices = label + colon, [choice, *others[:-1]]
    else:
        return ""
    ticked = [choice for choice, box in zip(choices, boxes, strict=False) if box.lastgroup in _TICKED]
    if not ticked:
        return ""  # the label alone says nothing
    if not _has_words(label):
        label = "☒"  # a choice by itself is no sentence
    return _SPACE.sub(" ", " ".join((label, *ticked))).strip()


def cut_ticked(text: str) -> str:
    """What `read_ticked` leaves of a line that begins with its box, without that; empty for an empty box."""
    box = _BOX.match(text)
    return text[box.end() :].strip() if box and read_ticked(text) else read_ticked(text)


def _find_choices(cells: Sequence[str]) -> int | None:
    """The cell of a row with which its choices begin, their label where they have one; None where no box of
    several cells is empty."""
    text = " ".join(cells)
    boxes = _find_boxes(text)
    if len(cells) < 2 or all(box.lastgroup in _TICKED for box in boxes):
        return None
    first = next(index for index, cell in enumerate(cells) if _BOX.search(cell))
    stands_behind = not _has_words(cells[first]) and not _has_words(text[boxes[-1].end() :])
    return max(0, first - (2 if stands_behind else 1))


def _find_boxes(text: str) -> list[re.Match[str]]:
    boxes = list(_BOX.finditer(text))
    kinds = {box.lastgroup for box in boxes}
    counted = {"ticked", "empty"}
    counted |= {"like_ticked"} if kinds.intersection(_EMPTY) else set()
    counted |= {"like_empty"} if kinds.intersection(_TICKED) else set()
    return [box for box in boxes if box.lastgroup in counted]


def _has_words(text: str) -> bool:
    return bool(_WORD.search(_ASIDE.sub("", _BOX.sub("", text))))
