"""The columns of a table: what stands below each other in the body, named by the header above.

Headers alone mislead, for they are centred, broken over lines, or stand close together.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from app.service.documents.extraction import Box
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.column_words import Column, column_scores, coverage, cuts_tax_clause
from app.service.values.currencies import CODES_IN_TEXT
from app.service.values.folding import fold

HEADER_GAP = 0.6
_BARE_NUMBER = re.compile(r"\d[\d.,'’]*")
_COUNTS: frozenset[Column | None] = frozenset({"quantity", "position", "months", "years"})
_TEXTS: frozenset[Column | None] = frozenset({"description", "unit", "item_id", "basis"})
_TOUCH = 0.8
# What speaks for a way to part a phrase into headers, in the unit of the scores of header words.
_MISPLACED = -1 / 200  # for each point between the middle of a header and that of its column
_WIDE_GAP = 2.0  # for each letter height between two headers
_OTHER_MEANING = -0.5  # for each point of the next meaning that a header speaks for
_LEAST_SCORE = 0.1  # of a header that names a column at all
_REACH = 5.0


@dataclass
class Span:
    """A horizontal extent; `cells` is the number of cells found in it."""

    x0: float
    x1: float
    cells: int = 0

    def overlap(self, x0: float, x1: float) -> float:
        return min(x1, self.x1) - max(x0, self.x0)

    def widen(self, x0: float, x1: float) -> None:
        self.x0, self.x1, self.cells = min(self.x0, x0), max(self.x1, x1), self.cells + 1


def find_columns(anchors: Sequence[Sequence[Cell]], header: Sequence[Row]) -> tuple[list[Span], list[str]]:
    """The extent and the header text of every column, from left to right.

    Rows with many cells are placed first: they show the columns apart. A cell that bridges columns
    widens none of them.
    """
    spans: list[Span] = []
    for cells in sorted(anchors, key=len, reverse=True):
        for cell in cells:
            touching = [span for span in spans if span.overlap(cell.box.x0, cell.box.x1) > _TOUCH]
            if not touching:
                spans.append(Span(cell.box.x0, cell.box.x1, 1))
            elif len(touching) == 1:
                touching[0].widen(cell.box.x0, cell.box.x1)
    phrases = [cell for row in header for cell in row.cells(HEADER_GAP)]
    bodies = tuple(spans)
    for phrase in phrases:
        # A header over no figure: its column is empty or holds text in other rows.
        if not _spans_under(phrase, spans) and not any(
            _spans_under(other, bodies) for other in _stacked_phrases(phrase, phrases)
        ):
            spans.append(Span(phrase.box.x0, phrase.box.x1))
    spans.sort(key=lambda span: span.x0)
    spans = _split_under_headers(spans, anchors, header)
    spans = [piece for span in spans for piece in _split_hidden_columns(span, anchors, phrases)]
    spans = _join_headers_with_figures(spans, phrases, header[0].size)
    return spans, _name_columns(spans, phrases)


def _spans_under(phrase: Cell, spans: Sequence[Span]) -> list[int]:
    """The spans that a phrase of the header stands over."""
    return [index for index, span in enumerate(spans) if span.overlap(phrase.box.x0, phrase.box.x1) > 0.5]


def _stacked_phrases(phrase: Cell, phrases: Sequence[Cell]) -> list[Cell]:
    """The phrases above and below a phrase in a header of several lines."""
    span = Span(phrase.box.x0, phrase.box.x1)
    return [
        other
        for other in phrases
        if other is not phrase
        and other.box.middle != phrase.box.middle
        and span.overlap(other.box.x0, other.box.x1) > _TOUCH
    ]


def _join_headers_with_figures(spans: list[Span], phrases: Sequence[Cell], size: float) -> list[Span]:
    """Join a header without figures with figures without a header beside it: one is set left, one right."""
    headed = [any(index in _spans_under(phrase, spans) for phrase in phrases) for index in range(len(spans))]
    joined: list[Span] = []
    bare = False  # whether the last span joined is figures without a header
    for span, has_header in zip(spans, headed, strict=True):
        last = joined[-1] if joined else None
        apart = (not last.cells and not has_header) or (bare and not span.cells) if last else False
        if last and apart and span.x0 - last.x1 < _REACH * size:
            joined[-1], bare = Span(last.x0, span.x1, last.cells + span.cells), False
        else:
            joined.append(span)
            bare = bool(span.cells) and not has_header
    return joined


def _split_under_headers(
    spans: list[Span], anchors: Sequence[Sequence[Cell]], header: Sequence[Row]
) -> list[Span]:
    """Cut a span over which several headers stand side by side, where the body leaves a gap."""
    for row in header:
        owners: dict[int, list[Box]] = {}
        for phrase in row.cells(HEADER_GAP):
            owners.setdefault(find_nearest(phrase.box.x0, phrase.box.x1, spans), []).append(phrase.box)
        cut: list[Span] = []
        for index, span in enumerate(spans):
            cut.extend(_split_span(span, owners.get(index, []), anchors))
        spans = cut
    return spans


def _split_span(span: Span, headers: Sequence[Box], anchors: Sequence[Sequence[Cell]]) -> list[Span]:
    pieces = [span]
    words = sorted(
        (word.box.x0, word.box.x1)
        for cells in anchors
        for cell in cells
        if span.overlap(cell.box.x0, cell.box.x1) > _TOUCH
        for word in cell.words
    )
    gaps = _find_gaps(words)
    for left, right in pairwise(headers):
        fitting = [gap for gap in gaps if left.x0 < gap[1] and gap[0] < right.x1]
        if not fitting:
            continue
        middle = (left.x1 + right.x0) / 2
        begin, end = min(fitting, key=lambda gap: abs((gap[0] + gap[1]) / 2 - middle))
        last = pieces.pop()
        if not last.x0 < begin <= end < last.x1:
            pieces.append(last)
            continue
        pieces += [Span(last.x0, begin, last.cells), Span(end, last.x1, last.cells)]
    return pieces


def _split_hidden_columns(
    span: Span, anchors: Sequence[Sequence[Cell]], phrases: Sequence[Cell]
) -> list[Span]:
    """The columns that stand so close that they look like one: `12 50` under `Months Qty`."""
    over = [part for phrase in phrases if (part := _words_over(phrase, span)) is not None]
    bodies = [
        cell
        for cells in anchors
        for cell in cells
        if cell.words[0].cell is None and span.x0 - 1 < cell.box.x0 and cell.box.x1 < span.x1 + 1
    ]
    if not 1 <= len(over) <= 4 or len(bodies) < 2:
        return [span]
    words = sorted((word.box.x0, word.box.x1) for cell in bodies for word in cell.words)
    for begin, end in _find_gaps(words):
        left, right = Span(span.x0, begin, span.cells), Span(end, span.x1, span.cells)
        if _are_numbers_left_of(end, bodies) and _is_headed_apart(left, right, over, bodies):
            return [left, right]
    return [span]


def _words_over(phrase: Cell, span: Span) -> Cell | None:
    """The words of a header that stand over a column or begin or end right beside it."""
    reach = 1.5 * phrase.size
    words = [one for one in phrase.words if span.overlap(one.box.x0 - reach, one.box.x1 + reach) > 0]
    return phrase.with_words(tuple(words)) if words else None


def _are_numbers_left_of(edge: float, bodies: Sequence[Cell]) -> bool:
    """Whether nearly every cell holds a bare number left of an edge and something right of it."""
    parted_cells = [
        cell
        for cell in bodies
        if len(cell.words) > 1
        and _BARE_NUMBER.fullmatch(cell.words[0].text)
        and cell.words[0].box.x1 <= edge <= cell.words[1].box.x0 + 1
    ]
    return len(parted_cells) > 1 and len(parted_cells) * 10 >= len(bodies) * 7


def _is_numeric_from(edge: float, bodies: Sequence[Cell]) -> bool:
    """Whether most cells go on with a bare number right of an edge."""
    firsts = [next((word.text for word in cell.words if word.box.x0 >= edge - 1), "") for cell in bodies]
    return sum(bool(_BARE_NUMBER.fullmatch(first)) for first in firsts) * 2 > len(firsts)


def _is_headed_apart(left: Span, right: Span, over: Sequence[Cell], bodies: Sequence[Cell]) -> bool:
    numeric = _is_numeric_from(right.x0, bodies)
    for phrase in over:
        others = ["", ""]
        for other in over:
            if other is not phrase:
                others[find_nearest(other.box.x0, other.box.x1, (left, right))] += f" {other.text}"
        parts = split_phrase(phrase, (left, right), others)
        if parts:
            one, two = (_best_column(f"{part} {other}") for part, other in zip(parts, others, strict=True))
            return one in _COUNTS and (two in _COUNTS if numeric else two in _TEXTS)
    return False


def _best_column(header: str) -> Column | None:
    scores = column_scores(fold(header))
    return max(scores, key=lambda meaning: scores[meaning], default=None)


def _find_gaps(words: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    gaps: list[tuple[float, float]] = []
    reach = words[0][1] if words else 0.0
    for x0, x1 in words:
        if x0 > reach + 0.5:
            gaps.append((reach, x0))
        reach = max(reach, x1)
    return gaps


def split_phrase(phrase: Cell, spans: Sequence[Span], others: Sequence[str] = ()) -> list[str] | None:
    """The phrase as one header for each span, if it is several headers that stand close.

    Of all ways to part its words this is the one that makes the best headers; None when some part names
    no column.
    `others` are the words that the further rows of the header have for each span.
    """
    words = [word.text for word in phrase.words]
    others = others or [""] * len(spans)
    if not 1 < len(spans) <= len(words) <= 12:
        return None
    best: tuple[float, list[str]] | None = None
    for cuts in combinations(range(1, len(words)), len(spans) - 1):
        edges = [0, *cuts, len(words)]
        parts = [" ".join(words[begin:end]) for begin, end in pairwise(edges)]
        whole = [fold(f"{part} {other}".strip()) for part, other in zip(parts, others, strict=True)]
        strengths = [_score_header(one) for one in whole]
        if min(strengths) <= 0 or any(cuts_tax_clause(phrase.text, part) for part in parts[:-1]):
            continue
        misplaced = sum(
            abs((phrase.words[begin].box.x0 + phrase.words[end - 1].box.x1) / 2 - (span.x0 + span.x1) / 2)
            for (begin, end), span in zip(pairwise(edges), spans, strict=True)
        )
        parting = sum(phrase.words[at].box.x0 - phrase.words[at - 1].box.x1 for at in cuts)
        score = sum(strengths) + _MISPLACED * misplaced + _WIDE_GAP * parting / phrase.size
        if best is None or score > best[0]:
            best = (score, parts)
    return best[1] if best else None


def _score_header(header: str) -> float:
    """How clearly a header (folded) speaks for one column: `Quantity price` does not."""
    scores = column_scores(header)
    best = max(scores, key=lambda meaning: scores[meaning], default=None)
    if best is None or header.upper() in CODES_IN_TEXT:
        return 0.0
    prices = {"unit_price", "list_price", "amount"}
    others = [scores[one] for one in scores if one != best and not {one, best} <= prices]
    return max(_LEAST_SCORE, scores[best] * coverage(header) + _OTHER_MEANING * max(others, default=0.0))


def _name_columns(spans: Sequence[Span], phrases: Sequence[Cell]) -> list[str]:
    names: list[dict[int, str]] = [{} for _ in spans]
    bridging: list[tuple[int, Cell, list[int]]] = []
    for order, phrase in enumerate(phrases):
        hit = _spans_under(phrase, spans)
        if len(hit) > 1:
            bridging.append((order, phrase, hit))
        else:
            names[find_nearest(phrase.box.x0, phrase.box.x1, spans)][order] = phrase.text
    for order, phrase, hit in bridging:
        others = [" ".join(names[index].values()) for index in hit]
        parts = split_phrase(phrase, [spans[index] for index in hit], others)
        if parts:
            for index, part in zip(hit, parts, strict=True):
                names[index][order] = part
        else:
            names[find_nearest(phrase.box.x0, phrase.box.x1, spans)][order] = phrase.text
    return [" ".join(name[order] for order in sorted(name)) for name in names]


def find_nearest(x0: float, x1: float, spans: Sequence[Span]) -> int:
    """The span that overlaps most, else the one whose edges or centre lie nearest."""

    def cost(index: int) -> float:
        span = spans[index]
        overlap = span.overlap(x0, x1)
        if overlap > 0:
            return -overlap
        centres = abs((x0 + x1) / 2 - (span.x0 + span.x1) / 2)
        return 1000 + min(abs(x0 - span.x0), abs(x1 - span.x1), centres)

    return min(range(len(spans)), key=cost)
