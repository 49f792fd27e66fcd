"""Which line of a requirement a line of a quote answers, by what both say. Pure.

Texts are compared by their words and by groups of three letters, each weighted by how rare it is among the
lines of both. What tells look-alikes apart counts more: another number, and a word in the place of another
that a line of the requirement has which is otherwise like it. Lines are matched as a whole, so that two do
not claim the same one, and a line that nothing is like stays without a partner.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import log, sqrt

from app.service.sourcing.award.integer_program import IntegerProgram
from app.service.values.folding import fold_text

LEAST = 0.3
"""Lines less alike than that are not matched."""
LEAST_OUTSTANDING, OUTSTANDING = 0.2, 4.0
"""Lines at least so alike are matched, in doubt, where each is so many times more like the other than like
any other line."""
SURE = 0.72
"""Lines at least as alike are proposed without a doubt, where no other is nearly as alike and nothing else
stands in the place of what is needed."""
MARGIN = 0.12

_SECONDS = 5.0
_PART = re.compile(r"\d+|[^\W\d_]+")
_OTHER_NUMBERS, _OTHER_WORDS, _OTHER_QUANTITY = 0.3, 0.4, 0.85


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


def align_lines(
    needed: Sequence[ComparedLine], quoted: Sequence[ComparedLine], taken: Collection[int] = ()
) -> list[Match | None]:
    """Return for each line of a quote the line that it answers, None where nothing is like it. Those at the
    places `taken` are answered already."""
    scores = [
        [0.0 if place in taken else score for place, score in enumerate(row)]
        for row in score_lines(needed, quoted)
    ]
    pairs = _assign(scores)
    pairs += _find_outstanding(scores, pairs)
    matches: list[Match | None] = [None] * len(quoted)
    for at, place in pairs:
        score = scores[at][place]
        near = max(_list_rivals(scores, at, place), default=0.0) > score - MARGIN
        doubtful = score < SURE or near or _says_otherwise(quoted[at], needed[place])
        matches[at] = Match(place, score, doubtful)
    return matches


def score_lines(needed: Sequence[ComparedLine], quoted: Sequence[ComparedLine]) -> list[list[float]]:
    """Return how alike each line of a quote (row) and each of the requirement (column) are, 0 to 1."""
    of_needed = [_read_features(line.description) for line in needed]
    of_quoted = [_read_features(line.description) for line in quoted]
    weights = _weigh([*of_needed, *of_quoted])
    said, asked = ([_count_words(line.description) for line in side] for side in (quoted, needed))
    neighbours = _list_neighbours(asked)
    return [
        [
            _cosine(left, right, weights)
            * (1.0 if quoted[row].quantity == needed[column].quantity else _OTHER_QUANTITY)
            * _agreement(said[row], asked[column], neighbours)
            for column, right in enumerate(of_needed)
        ]
        for row, left in enumerate(of_quoted)
    ]


@dataclass(frozen=True, slots=True)
class _CountedWords:
    """The words and the numbers of a line, each with how often it stands there."""

    words: Counter[str]
    numbers: Counter[str]


def _split_words(text: str) -> list[str]:
    """The words of a line, a number apart from the letters that it is written together with."""
    return _PART.findall(fold_text(text))


def _count_words(text: str) -> _CountedWords:
    parts = _split_words(text)
    return _CountedWords(
        Counter(one for one in parts if not one.isdigit()), Counter(one for one in parts if one.isdigit())
    )


def _read_features(text: str) -> Counter[str]:
    words = _split_words(text)
    padded = f"  {' '.join(words)}  "
    return Counter(words) + Counter(f"~{padded[at : at + 3]}" for at in range(len(padded) - 2))


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


def _agreement(
    quoted: _CountedWords, needed: _CountedWords, neighbours: Mapping[str, Collection[str]]
) -> float:
    """A factor below 1 where what the line of the quote says in the place of what is needed is another
    number, or is known from a line of the requirement that is otherwise like it: then it is probably another
    thing, and not the same in other words. `neighbours` are the words of such lines, by a word that they
    share."""
    factor = 1.0
    if _lacks(quoted.numbers, needed.numbers) and _lacks(needed.numbers, quoted.numbers):
        factor *= _OTHER_NUMBERS
    added = [one for one in quoted.words if one not in needed.words]
    if added and _lacks(quoted.words, needed.words):
        shared = [one for one in needed.words if one in quoted.words]
        if any(one in neighbours[word] for word in shared for one in added):
            factor *= _OTHER_WORDS
    return factor


def _lacks(one: Counter[str], other: Counter[str]) -> bool:
    """Whether `other` has something, or has it more often."""
    return any(count > one[word] for word, count in other.items())


def _list_neighbours(lines: Iterable[_CountedWords]) -> Mapping[str, Collection[str]]:
    """Return, by each word, the words of the lines that have it."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for line in lines:
        for word in line.words:
            found[word].update(line.words)
    return found


def _says_otherwise(quoted: ComparedLine, needed: ComparedLine) -> bool:
    """Whether something else stands in the place of what is needed: the same in other words, or another
    thing."""
    left, right = _count_words(quoted.description), _count_words(needed.description)
    unsaid = _lacks(left.words, right.words) or _lacks(left.numbers, right.numbers)
    return unsaid and (_lacks(right.words, left.words) or _lacks(right.numbers, left.numbers))


def _list_rivals(scores: Sequence[Sequence[float]], at: int, place: int) -> list[float]:
    """How alike one of the two lines is to others."""
    across = [score for index, score in enumerate(scores[at]) if index != place]
    return across + [row[place] for index, row in enumerate(scores) if index != at]


def _find_outstanding(
    scores: Sequence[Sequence[float]], pairs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Further pairs that are little alike, but far more so than either of the two is to any other line."""
    rows, columns = ({pair[side] for pair in pairs} for side in (0, 1))
    return [
        (row, column)
        for row, line in enumerate(scores)
        for column, score in enumerate(line)
        if row not in rows
        and column not in columns
        and score >= LEAST_OUTSTANDING
        and score >= OUTSTANDING * max(_list_rivals(scores, row, column), default=0.0)
    ]


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
