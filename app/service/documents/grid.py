"""The columns of a table: what stands below each other in the body, named by the header above.

Headers alone mislead, for they are centred, broken over lines, or stand close together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from app.service.documents.dates import plain
from app.service.documents.extraction import Box
from app.service.documents.rows import Cell, Row
from app.service.documents.vocabulary import column_scores, cuts_tax_clause

HEADER_GAP = 0.6
_TOUCH = 0.8


@dataclass
class Span:
    """A horizontal extent; `cells` counts what was seen in it."""

    x0: float
    x1: float
    cells: int = 0

    def overlap(self, x0: float, x1: float) -> float:
        return min(x1, self.x1) - max(x0, self.x0)

    def take(self, x0: float, x1: float) -> None:
        self.x0, self.x1, self.cells = min(self.x0, x0), max(self.x1, x1), self.cells + 1


def column_spans(anchors: Sequence[Sequence[Cell]], header: Sequence[Row]) -> tuple[list[Span], list[str]]:
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
                touching[0].take(cell.box.x0, cell.box.x1)
    phrases = [cell for row in header for cell in row.cells(HEADER_GAP)]
    for phrase in phrases:
        # A header over no figure: its column is empty or holds text in other rows.
        if not any(span.overlap(phrase.box.x0, phrase.box.x1) > 0.5 for span in spans):
            spans.append(Span(phrase.box.x0, phrase.box.x1))
    spans.sort(key=lambda span: span.x0)
    spans = _split_under_headers(spans, anchors, header)
    spans = _joined_under_headers(spans, phrases, header[0].size)
    return spans, _names(spans, phrases)


def _split_under_headers(
    spans: list[Span], anchors: Sequence[Sequence[Cell]], header: Sequence[Row]
) -> list[Span]:
    """Cuts a span over which several headers stand side by side, where the body leaves a gap."""
    for row in header:
        owners: dict[int, list[Box]] = {}
        for phrase in row.cells(HEADER_GAP):
            owners.setdefault(nearest(phrase.box.x0, phrase.box.x1, spans), []).append(phrase.box)
        cut: list[Span] = []
        for index, span in enumerate(spans):
            cut.extend(_cut(span, owners.get(index, []), anchors))
        spans = cut
    return spans


def _cut(span: Span, headers: Sequence[Box], anchors: Sequence[Sequence[Cell]]) -> list[Span]:
    pieces = [span]
    words = sorted(
        (word.box.x0, word.box.x1)
        for cells in anchors
        for cell in cells
        if span.overlap(cell.box.x0, cell.box.x1) > _TOUCH
        for word in cell.words
    )
    gaps = _gaps(words)
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


def _gaps(words: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    gaps: list[tuple[float, float]] = []
    reach = words[0][1] if words else 0.0
    for x0, x1 in words:
        if x0 > reach + 0.5:
            gaps.append((reach, x0))
        reach = max(reach, x1)
    return gaps


def _joined_under_headers(spans: list[Span], phrases: Sequence[Cell], size: float) -> list[Span]:
    """Joins neighbours that one header covers, as a number and its unit that stand apart."""
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last and span.x0 - last.x1 < 1.6 * size and _one_header(last, span, phrases):
            last.x0, last.x1 = min(last.x0, span.x0), max(last.x1, span.x1)
            last.cells = max(last.cells, span.cells)
        else:
            joined.append(span)
    return joined


def _one_header(left: Span, right: Span, phrases: Sequence[Cell]) -> bool:
    covering = False
    for phrase in phrases:
        over_left = left.overlap(phrase.box.x0, phrase.box.x1) > 0.5
        over_right = right.overlap(phrase.box.x0, phrase.box.x1) > 0.5
        if over_left and over_right:
            covering = covering or parted(phrase, (left, right)) is None
        elif over_right or over_left:
            return False
    return covering


def parted(phrase: Cell, spans: Sequence[Span]) -> list[str] | None:
    """The phrase as one header for each span, if it is several headers that stand close.

    Of all ways to part its words the one that makes the best headers; None when some part says nothing.
    """
    words = [word.text for word in phrase.words]
    if not 1 < len(spans) <= len(words) <= 12:
        return None
    best: tuple[float, list[str]] | None = None
    for cuts in combinations(range(1, len(words)), len(spans) - 1):
        edges = [0, *cuts, len(words)]
        parts = [" ".join(words[begin:end]) for begin, end in pairwise(edges)]
        strengths = [max(column_scores(plain(part)).values(), default=0.0) for part in parts]
        if min(strengths) <= 0 or any(cuts_tax_clause(phrase.text, part) for part in parts[:-1]):
            continue
        misplaced = sum(
            abs((phrase.words[begin].box.x0 + phrase.words[end - 1].box.x1) / 2 - (span.x0 + span.x1) / 2)
            for (begin, end), span in zip(pairwise(edges), spans, strict=True)
        )
        score = sum(strengths) - misplaced / 200
        if best is None or score > best[0]:
            best = (score, parts)
    return best[1] if best else None


def _names(spans: Sequence[Span], phrases: Sequence[Cell]) -> list[str]:
    names: list[list[str]] = [[] for _ in spans]
    for phrase in phrases:
        hit = [i for i, span in enumerate(spans) if span.overlap(phrase.box.x0, phrase.box.x1) > 0.5]
        parts = parted(phrase, [spans[index] for index in hit])
        if parts:
            for index, part in zip(hit, parts, strict=True):
                names[index].append(part)
        else:
            names[nearest(phrase.box.x0, phrase.box.x1, spans)].append(phrase.text)
    return [" ".join(name) for name in names]


def nearest(x0: float, x1: float, spans: Sequence[Span]) -> int:
    """The span that overlaps most, else the one whose edges or centre lie nearest."""

    def cost(index: int) -> float:
        span = spans[index]
        overlap = span.overlap(x0, x1)
        if overlap > 0:
            return -overlap
        centres = abs((x0 + x1) / 2 - (span.x0 + span.x1) / 2)
        return 1000 + min(abs(x0 - span.x0), abs(x1 - span.x1), centres)

    return min(range(len(spans)), key=cost)
