"""Text without delimiters: a line is a row, and wide gaps part its cells."""

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from app.service.documents.formats.cell_pages import lay_out_cells
from app.service.documents.formats.delimited_text import describe_text
from app.service.documents.formats.format import PagedFormat
from app.service.documents.formats.signatures import beginning, is_json, is_markup, is_text
from app.service.documents.layout.pages import Page
from app.service.documents.values.money import ends_with_money
from app.service.tables.encodings import find_encoding
from app.service.tables.lines import read_lines
from app.service.tables.table import RejectedRow
from app.service.values.currencies import CODES_IN_TEXT

_SUFFIXES = ("txt",)
_CELL_GAP = re.compile(r" *(?:\.{4,}|(?<= )\.{3}(?= )) *(?=(?:\S{1,3} *)?[-(]?\d)|\t+| {2,}|\u3000{2,}")
"""Wide gaps, and dots that lead from a name to its amount."""
_GAP_BEFORE_COLON = re.compile(r"(?<=\w)(?:\t+| {2,}):(?=\s)")
_MARKED_ROW = re.compile(r"\|(.+)\|")
_RULE = re.compile(r"\|[\s|:-]+\|")
"""The line below the headings of a table in Markdown."""
_SIGNS = frozenset("$€£")
_NAME_AND_CODE = 2
"""Cells before an amount of which the last is the code of its currency; beside more that is a column."""
_MOST_ALIGNED = 500
"""Lines that are compared with each other."""
_WRAPPED, _LONGEST_WRAPPED = 60, 130
"""Letters of the shortest and the longest line of a text that was broken into lines."""
_FEW, _RAGGED = 4, 12
"""Lines of about the same length that show where a text was broken, and how much shorter they may be."""
_BEGINS_ITEM = re.compile(r"\s*(?:\(?[^\W_]{1,2}[.)]|[-–—•*▪●])\s")
"""How a thing of a list begins, which no sentence goes on with: `b) `, `- `."""
_SHORT, _OPENS = 4, ("(", "“", '"')
"""Letters of a word that ends no sentence, and what a part of one may begin with."""
_SENTENCE = re.compile(rb"[,;\t]")


def split_lines(lines: Iterable[str]) -> Iterator[list[str]]:
    """Return the cells of each line; those of a table in Markdown stand between bars. A cell that is left out
    among lines without an empty one between them, whose cells stand below each other, is empty."""
    block: list[str] = []
    lines = _join_wrapped([line.rstrip() for line in lines])
    for line in (line for line in lines if not _RULE.fullmatch(line.strip())):
        if line.strip() and len(block) < _MOST_ALIGNED:
            block.append(line)
        else:
            yield from _split_block(block)
            block = [line]
    yield from _split_block(block)


def _join_wrapped(lines: Sequence[str]) -> Iterator[str]:
    """The lines, of which those of a text that was broken where the next word had no room are one."""
    alone = (line for line in lines if len(split_line(line.strip())) == 1)
    lengths = sorted(length for line in alone if (length := len(line)) < _LONGEST_WRAPPED)
    is_even = len(lengths) > _FEW and lengths[-_FEW] >= max(_WRAPPED, lengths[-1] - _RAGGED)
    width = lengths[-1] if is_even else 0
    joined = ""
    for line, following in pairwise([*lines, ""]):
        joined = f"{joined} {line.lstrip()}" if joined else line
        if not _goes_on(line, following, width):
            yield joined
            joined = ""


def _goes_on(line: str, following: str, width: int) -> bool:
    """Whether a sentence goes on in the next line, as letters, the last word or the even `width` show."""
    first = len(following.split(" ")[0])
    begins, last = following.strip()[:1], line.rpartition(" ")[2]
    is_open = last.isalpha() and last.islower() and len(last) <= _SHORT and begins.isalnum()
    is_broken = 0 < width <= len(line) + first and begins.isalpha() and last[-1:].isalnum()
    if ends_with_money(line) and ends_with_money(following):
        return False  # the things of a list
    if len(line) + first < _WRAPPED or len(line) >= _LONGEST_WRAPPED or _BEGINS_ITEM.match(following):
        return False
    cells = (*split_line(line.strip()), *split_line(following.strip()))
    return len(cells) == 2 and (is_open or is_broken or begins.islower() or begins in _OPENS)


def _split_block(lines: Sequence[str]) -> Iterator[list[str]]:
    """The cells of lines that stand below each other, in the columns of those that have most of them; as many
    bars in several of them part their cells."""
    bars = Counter(line.count("|") for line in lines)
    barred = {count for count, often in bars.items() if count > 1 and often > 1}
    split = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.count("|") in barred
        else split_line(line.strip())
        for line in lines
    ]
    most = max(map(len, split), default=0)
    places = [_find_places(line, cells) for line, cells in zip(lines, split, strict=True)]
    full = [spans for spans, cells in zip(places, split, strict=True) if len(cells) == most > 2]
    columns = [(min(a for a, _ in spans), max(b for _, b in spans)) for spans in zip(*full, strict=False)]
    are_apart = len(full) > 1 and all(one[1] <= other[0] for one, other in pairwise(columns))
    for cells, spans in zip(split, places, strict=True):
        if not are_apart or not 1 < len(cells) < most:
            yield cells
            continue
        under = [[at for at, (x0, x1) in enumerate(columns) if a < x1 and b > x0] for a, b in spans]
        if all(len(one) == 1 for one in under) and len({one[0] for one in under}) == len(cells):
            found = {one[0]: cell for one, cell in zip(under, cells, strict=True)}
            yield [found.get(at, "") for at in range(max(found) + 1)]
        else:
            yield cells


def _find_places(line: str, cells: Sequence[str]) -> list[tuple[int, int]]:
    """Where the cells of a line begin and end."""
    places: list[tuple[int, int]] = []
    for cell in cells:
        begin = line.find(cell, places[-1][1] if places else 0)
        places.append((begin, begin + len(cell)))
    return places


def split_line(line: str) -> list[str]:
    """The cells of a line."""
    marked = _MARKED_ROW.fullmatch(line)
    if marked:
        return [cell.strip() for cell in marked[1].split("|")]
    *cells, amount = _CELL_GAP.split(_GAP_BEFORE_COLON.sub(":", line))
    if (
        cells
        and amount[:1].isdigit()
        and (cells[-1] in _SIGNS or (len(cells) == _NAME_AND_CODE and cells[-1] in CODES_IN_TEXT))
    ):
        sign = cells.pop()
        amount = line[line.rindex(sign, 0, line.rindex(amount)) :]
    return [*cells, amount]


def _is_plain_text(content: bytes, filename: str) -> bool:
    if not is_text(content) or is_markup(content) or is_json(content):
        return False
    return filename.lower().endswith(".txt") or _SENTENCE.search(beginning(content)) is not None


def _read_pages(content: bytes, page_limit: int) -> tuple[Page, ...]:
    stream = io.BytesIO(content)
    encoding = find_encoding(stream)
    lines: list[str] = []
    rejected: list[RejectedRow] = []
    for number, line in enumerate(read_lines(stream, encoding), 1):
        if isinstance(line, str):
            lines.append(line)
        else:
            rejected.append(RejectedRow(number, line.reason))
    page = lay_out_cells(1, split_lines(lines))
    return (replace(page, remarks=tuple(describe_text(encoding, rejected))),)


TEXT = PagedFormat("TXT", "text/plain", _SUFFIXES, _is_plain_text, _read_pages)
