"""Numbers whose mark may part thousands or decimals: `214.956` where no other number tells."""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Final

from app.service.documents.values.numbers import NUMBER, DecimalMark, find_decimal_mark, parse_number

_UNDECIDED = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
_MARKS: Final[tuple[DecimalMark, DecimalMark]] = (".", ",")
_MOST_NUMBERS = 60
"""How many numbers of a document, and of a row, are added up and multiplied."""
_POINT_CURRENCIES = frozenset(["USD", "GBP", "AUD", "CAD", "NZD", "SGD", "HKD", "INR", "MYR", "JPY", "ILS"])
_BOTH_CURRENCIES = frozenset(["CHF", "MXN", "ZAR"])
"""The currencies of countries that print both marks, whatever the language."""


def decide_number_format(texts: Iterable[str], *, in_cells: bool = False) -> DecimalMark | None:
    """The decimal mark that the numbers of a document agree on, or with which alone they multiply and add up;
    None when nothing tells. `in_cells` says that they stand in the cells of a table file."""
    texts = list(texts)
    mark = find_decimal_mark(texts, in_cells=in_cells)
    if mark is not None or not any(map(_list_undecided, texts)):
        return mark
    first, second = (_count_closures(texts, one) for one in _MARKS)
    if bool(first) == bool(second):
        return None
    return _MARKS[0] if first else _MARKS[1]


def find_usual_mark(language: str | None, currency: str | None) -> DecimalMark | None:
    """The decimal mark that a language prints, going by the currency where the language is not known; None
    where both are usual."""
    if currency in _BOTH_CURRENCIES or not (language or currency):
        return None
    return "." if language in ("en", "ja") or (not language and currency in _POINT_CURRENCIES) else ","


def find_doubtful_numbers(texts: Iterable[str], usual_mark: DecimalMark | None) -> dict[Decimal, str]:
    """The numbers that can be read in two ways, by the value that they are read as, given texts whose number
    format is not decided and the mark that is usual where they come from.

    `1,234` is none where a dot is the usual mark, and no number is one that stands without a mark too.
    """
    doubtful: dict[Decimal, str] = {}
    plain: set[Decimal | None] = set()
    for text in texts:
        for found in NUMBER.finditer(text):
            digits = found.group()
            value = parse_number(digits, None)
            if not _UNDECIDED.fullmatch(digits):
                plain.add(value)
            elif value is not None and (usual_mark is None or usual_mark in digits):
                doubtful.setdefault(value, digits)
    return {value: digits for value, digits in doubtful.items() if value not in plain}


def _list_undecided(text: str) -> list[str]:
    return [found.group() for found in NUMBER.finditer(text) if _UNDECIDED.fullmatch(found.group())]


def _count_closures(texts: Sequence[str], mark: DecimalMark) -> int:
    """How many sums and products of printed numbers are printed too, where the mark parts decimals; only
    those of numbers of which some could be read otherwise and some not."""
    rows = [[(value, undecided) for value, undecided in _read(text, mark)] for text in texts]
    products = sum(_closes(row[:_MOST_NUMBERS], times=True) for row in rows)
    every = list(dict.fromkeys(one for row in rows for one in row))
    return products + _closes(every[-_MOST_NUMBERS:], times=False)


def _read(text: str, mark: DecimalMark) -> Iterator[tuple[Decimal, bool]]:
    for found in NUMBER.finditer(text):
        value = parse_number(found.group(), mark)
        if value:
            yield value, _UNDECIDED.fullmatch(found.group()) is not None


def _closes(numbers: Sequence[tuple[Decimal, bool]], *, times: bool) -> int:
    by_value = dict(numbers)
    count = 0
    for (one, undecided), (other, also) in combinations(numbers, 2):
        result = one * other if times else one + other
        if result in by_value and not (times and 1 in (one, other)):
            count += len({undecided, also, by_value[result]}) > 1
    return count
