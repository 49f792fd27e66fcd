"""Which line of a requirement a line of a quote answers, by what both say. Pure.

Texts are compared by their words and by groups of three letters, each weighted by how rare it is among the
lines of both. What tells look-alikes apart counts more: another number, and a word in the place of another
that other lines of the requirement have. Lines are matched as a whole, so that two do not claim the same one,
and a line that nothing is like stays without a partner.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import log, sqrt

from app.service.sourcing.award.integer_program import IntegerProgram
from app.service.text_folding import fold_text

LEAST = 0.3
"""Lines less alike than that are not matched."""
SURE = 0.72
"""Lines at least as alike are proposed without a doubt, where no other is nearly as alike."""
MARGIN = 0.12

_SECONDS = 5.0
_WORD = re.compile(r"[^\W_]+")
_PART = re.compile(r"\d+|[^\W\d_]+")
_OTHER_NUMBERS, _OTHER_WORDS, _OTHER_QUANTITY = 0.3, 0.75, 0.85


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """What a line says."""

    description: str
    quantity: Decimal


@dataclass(frozen=True, slots=True)
class Match:
    """The line of the requirement, by its place, that a line of a quote answers; `doubtful` where it may be
    another or none."""

    place: int
    score: float
    doubtful: bool


def align_lines(needed: Sequence[ComparedLine], quoted: Sequence[ComparedLine]) -> list[Match | None]:
    """Return for each line of a quote the line that it answers, None where nothing is like it."""
    scores = score_lines(needed, quoted)
    matches: list[Match | None] = [None] * len(quoted)
    for at, place in _assign(scores):
        score = scores[at][place]
        rivals = [other for index, other in enumerate(scores[at]) if index != place]
        rivals += [row[place] for index, row in enumerate(scores) if index != at]
        near = any(other > score - MARGIN for other in rivals)
        matches[at] = Match(place, score, doubtful=score < SURE or near)
    return matches


def score_lines(needed: Sequence[ComparedLine], quoted: Sequence[ComparedLine]) -> list[list[float]]:
    """Return how alike each line of a quote (row) and each of the requirement (column) are, 0 to 1."""
    of_needed = [_features(line.description) for line in needed]
    of_quoted = [_features(line.description) for line in quoted]
    weights = _weigh([*of_needed, *of_quoted])
    said = [[_read_words(line.description) for line in side] for side in (quoted, needed)]
    known = Counter(word for words in said[1] for word in words)
    return [
        [
            _cosine(left, right, weights)
            * _plausibility(quoted[row], needed[column])
            * _agreement(said[0][row], said[1][column], known)
            for column, right in enumerate(of_needed)
        ]
        for row, left in enumerate(of_quoted)
    ]


def _features(text: str) -> Counter[str]:
    folded = fold_text(text)
    words = _WORD.findall(folded)
    padded = f"  {' '.join(words)}  "
    groups = Counter(f"~{padded[at : at + 3]}" for at in range(len(padded) - 2))
    return Counter(words) + groups


def _weigh(lines: Sequence[Counter[str]]) -> dict[str, float]:
    """The rarer, the more it says: the logarithm of one part in so many lines. A group of letters says a
    third of a word."""
    seen = Counter(feature for line in lines for feature in line)
    return {
        feature: (log(1 + len(lines) / count)) * (0.33 if feature.startswith("~") else 1.0)
        for feature, count in seen.items()
    }


def _cosine(left: Counter[str], right: Counter[str], weights: dict[str, float]) -> float:
    shared = sum(weights[one] ** 2 * left[one] * right[one] for one in left.keys() & right.keys())
    lengths = [
        sqrt(sum((weights[one] * count) ** 2 for one, count in side.items())) for side in (left, right)
    ]
    return shared / (lengths[0] * lengths[1]) if all(lengths) else 0.0


def _read_words(text: str) -> frozenset[str]:
    """The words of a line, a number apart from the letters that it is written together with."""
    return frozenset(_PART.findall(fold_text(text)))


def _agreement(quoted: frozenset[str], needed: frozenset[str], known: Counter[str]) -> float:
    """A factor below 1 where what the line of the quote says in the place of what is needed is known from
    other lines of the requirement, or is another number: then it is probably another thing, and not the same
    in other words."""
    missing, extra = needed - quoted, quoted - needed
    factor = 1.0
    if any(one.isdigit() for one in missing) and any(one.isdigit() for one in extra):
        factor *= _OTHER_NUMBERS
    if any(not one.isdigit() for one in missing) and any(known[one] for one in extra if not one.isdigit()):
        factor *= _OTHER_WORDS
    return factor


def _plausibility(quoted: ComparedLine, needed: ComparedLine) -> float:
    """A factor of 1 where quantities agree."""
    return 1.0 if quoted.quantity == needed.quantity else _OTHER_QUANTITY


def _assign(scores: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """The pairs that are most alike together, each line in one pair at most."""
    program = IntegerProgram()
    pairs = {
        (row, column): program.add_binary(LEAST - score)
        for row, line in enumerate(scores)
        for column, score in enumerate(line)
        if score > LEAST
    }
    for side in (0, 1):
        for one in {pair[side] for pair in pairs}:
            program.add_row({index: 1.0 for pair, index in pairs.items() if pair[side] == one}, upper=1.0)
    values = program.solve(_SECONDS).values or ()
    return sorted(pair for pair, index in pairs.items() if values and values[index] > 0.5)
