"""Numbers in running text: where they stand, and which mark parts the decimals of a text.

Its numbers vote; where they do not, what multiplies and adds up in one notation alone decides.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Final

from app.service.values.letters import unify_letters
from app.service.values.numbers import DecimalMark, read_digits

# Spaces group thousands only in blocks of exactly three digits.
_GROUPED = r"\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})+(?:[.,]\d{1,6})?"
_PLAIN = r"\d[\d.,'’]*"
NUMBER = re.compile(rf"(?:{_GROUPED}|{_PLAIN}|[.,]\d+)(?<![.,'’])")
_NUMBERED = re.compile(r"\d+\.\d")
_MOST = Decimal(10) ** 18
_UNDECIDED = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
_MARKS: Final[tuple[DecimalMark, DecimalMark]] = (".", ",")
_MOST_NUMBERS = 60
"""How many numbers of a document, and of a row, are added up and multiplied."""
_POINT_CURRENCIES = frozenset(["USD", "GBP", "AUD", "CAD", "NZD", "SGD", "HKD", "INR", "MYR", "JPY", "ILS"])
_BOTH_CURRENCIES = frozenset(["CHF", "MXN", "ZAR"])
"""The currencies of countries that print both marks, whatever the language."""


def parse_number(digits: str, number_format: DecimalMark | None) -> Decimal | None:
    """Return the value of one printed number without its sign; None when the digits are no number. A mark
    that may part either groups thousands where nothing is known of the text."""
    point, comma = read_digits(unify_letters(digits))
    if point is None or comma is None:
        value = comma if point is None else point
    elif number_format is None:
        value = max(point, comma)
    else:
        value = point if number_format == "." else comma
    return value if value is None or value < _MOST else None


def find_decimal_mark(texts: Iterable[str], *, in_cells: bool = False) -> DecimalMark | None:
    """The decimal mark that the numbers of a document agree on; None when nothing tells.

    It matters for numbers like `214.956` alone, which may be read in two ways. In text one decimal after a
    dot says nothing, for sections and versions are numbered so; cells hold numbers alone.
    """
    votes = {".": 0.0, ",": 0.0}
    for text in texts:
        for found in NUMBER.finditer(text):
            mark, weight = _vote(found.group())
            if mark and (in_cells or not _NUMBERED.fullmatch(found.group())):
                votes[mark] += weight
    if votes["."] == votes[","]:
        return None
    return "." if votes["."] > votes[","] else ","


def _vote(digits: str) -> tuple[DecimalMark | None, float]:
    dot, comma = digits.rfind("."), digits.rfind(",")
    if dot >= 0 and comma >= 0:
        return (".", 3.0) if dot > comma else (",", 3.0)
    mark, at = (".", dot) if dot >= 0 else (",", comma)
    if at < 0:
        return None, 0.0
    decimals = len(digits) - at - 1
    if digits.count(mark) > 1:
        other: DecimalMark = "," if mark == "." else "."
        return (other, 1.0) if decimals == 3 else (None, 0.0)  # 1.2.2024 is a date
    if decimals == 3:
        return (mark, 2.0) if digits[:at] == "0" else (None, 0.0)  # 0,184 is no thousand
    return mark, 2.0 if decimals == 2 else 0.5


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
