"""Numbers in running text: where they stand, and which mark parts the decimals of a text.

Its amounts of money vote, then its other numbers; where none do, what multiplies and adds up in one notation
alone decides.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Final, NamedTuple

from app.service.values.currencies import CURRENCY_IN_TEXT, OF_A_THOUSAND
from app.service.values.folding import unify_letters
from app.service.values.numbers import DecimalMark, read_digits

# Spaces group thousands only in blocks of exactly three digits.
_GROUPED = r"\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})+(?:[.,]\d{1,6})?"
_PLAIN = r"\d[\d.,'’]*"
NUMBER = re.compile(rf"(?:{_GROUPED}|{_PLAIN}|[.,]\d+)(?<![.,'’])")
_NUMBERED = re.compile(r"\d+\.\d")
_MOST = Decimal(10) ** 18
_UNDECIDED = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
_MARKS: Final[tuple[DecimalMark, DecimalMark]] = (".", ",")
_OTHER: Mapping[DecimalMark, DecimalMark] = {".": ",", ",": "."}
_SMALL, _LEAST_OF_GROUPS = 100, 1000
_NEAR = 8
"""How many letters beside a number its currency may begin or end in."""
_MONEY_BEFORE = re.compile(rf"(?<![a-z]){CURRENCY_IN_TEXT}[ \u00a0(]{{0,2}}[-–]?\s?$", re.IGNORECASE)
_MONEY_AFTER = re.compile(rf"(?:[.,][-–—]{{1,2}})?[ \u00a0]{{0,2}}{CURRENCY_IN_TEXT}(?![a-z])", re.IGNORECASE)
_DASH_FOR_CENTS = re.compile(r"(?P<mark>[.,]) ?[-–—]")
_THREE_DECIMALS = re.compile(
    rf"\b(?:{'|'.join(OF_A_THOUSAND)}|BD|KD|OR|rials?|dinars?)\b|ريال|دينار|ر\.ع|د\.[كب]", re.IGNORECASE
)
"""What currencies of a thousand parts, or some of that name, are called."""
_GOES_ON = re.compile(r"[^\W\d_]|[_/:]\d|[-][\w]")
_IN_CODE = re.compile(r"[\w/#:.]$|\w-$")
_MEASURED = re.compile(r"\s?%|\s[^\W\d_]")
_DAY = re.compile(r"(?:0?[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])")
_PLAINLY, _OF_A_MEASURE = 3.0, 0.25
"""What a number weighs that has one reading, and how much less the share or the measure that says nothing of
money: `10.30 Uhr`."""
_BY_CHANCE = 2.5
"""What numbers may weigh against the usual mark and yet decide nothing."""
_OF_A_THOUSAND = 3
"""Decimals of a currency of a thousand parts."""
_MOST_NUMBERS = 60
"""How many numbers of a document, and of a row, are added up and multiplied."""
_POINT_LANGUAGES = frozenset(["ar", "en", "ja", "zh", "ko", "th", "hi", "he"])
_POINT = (
    "USD GBP AUD CAD NZD SGD HKD INR MYR JPY ILS CNY KRW TWD THB PHP AED SAR QAR KWD BHD OMR EGP PKR LKR BDT"
    " NPR KES NGN GHS UGX TZS ZMW MUR JMD TTD GTQ DOP PEN HNL NIO"
)
_POINT_CURRENCIES = frozenset(_POINT.split())
_COMMA = "MAD DZD TND LYD IDR VND BRL ARS CLP COP UYU PYG TRY RUB UAH KZT PLN CZK HUF RON"
_COMMA_CURRENCIES = frozenset(_COMMA.split())
"""Those of countries that print so whatever the language: who writes English there may print either."""
_BOTH_CURRENCIES = frozenset(["CHF", "MXN", "ZAR"])
"""The currencies of countries that print both marks, whatever the language."""


class _Vote(NamedTuple):
    mark: DecimalMark
    weight: float
    of_money: bool
    is_of_groups: bool = False
    """Whether it says so only because money is seldom printed with three decimals."""


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


def decide_number_format(
    texts: Iterable[str],
    find_usual: Callable[[], DecimalMark | None] = lambda: None,
    *,
    in_cells: bool = False,
    count_decimals: Callable[[], int] = lambda: 2,
) -> DecimalMark | None:
    """Return the decimal mark of a document, which decides what `214.956` is; None when nothing tells.

    Amounts of money decide where they can. Else the other numbers do, or what multiplies and adds up with one
    mark alone; against the mark that is usual where the document comes from, `find_usual`, only if more of
    them say so than do by chance. Where money has no cents (`count_decimals`), three digits behind a mark
    are decimals only if something multiplies or adds up with it, and nothing with the other; where it has a
    thousand parts, they are if nothing tells otherwise. In text one decimal
    after a dot says nothing, for sections and versions are numbered so; `in_cells` says that the texts are
    the cells of a table file, which hold numbers alone.
    """
    texts = list(texts)
    found_in = ((text, found) for text in texts for found in NUMBER.finditer(text))
    # A number that is printed again says no more.
    told = {(found.group(), vote) for text, found in found_in if (vote := _vote(text, found, in_cells))}
    votes = [vote for _, vote in told]
    money = _sum_votes(one for one in votes if one.of_money)
    is_plain = bool(money) and any(one.of_money and not one.is_of_groups for one in votes)
    lead = money if is_plain else _sum_votes(votes)
    undecided = [digits for text in texts for digits in _list_undecided(text)]
    mark = _lead(lead)
    if mark and any(mark in digits for digits in undecided) and not count_decimals():
        return mark if _count_closures(texts, mark) and not _count_closures(texts, _OTHER[mark]) else None
    if is_plain or abs(lead) >= _BY_CHANCE or not undecided:
        return mark
    first, second = (_count_closures(texts, one) for one in _MARKS)
    if not (first and second):
        lead += first - second
    mark = _lead(lead)
    if mark is None and count_decimals() == _OF_A_THOUSAND:
        return find_usual()
    return mark if abs(lead) >= _BY_CHANCE or find_usual() in (mark, None) else None


def _sum_votes(votes: Iterable[_Vote]) -> float:
    """How much more weighs for a point than for a comma."""
    return sum(one.weight if one.mark == "." else -one.weight for one in votes)


def _lead(votes: float) -> DecimalMark | None:
    return None if not votes else "." if votes > 0 else ","


def _vote(text: str, found: re.Match[str], in_cells: bool) -> _Vote | None:
    """What a number of a text says of its marks; None for a part of a code, a date or a section."""
    digits, start, end = found.group(), found.start(), found.end()
    if "." not in digits and "," not in digits:
        return None
    before, after = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    of_money = bool(_MONEY_BEFORE.search(before) or _MONEY_AFTER.match(after))
    mark: DecimalMark = "." if digits.rfind(".") > digits.rfind(",") else ","
    if dash := _DASH_FOR_CENTS.match(after):
        return _Vote(_OTHER[mark], _PLAINLY, of_money) if dash["mark"] != mark else None
    if of_money:
        groups = _UNDECIDED.fullmatch(digits) and not _THREE_DECIMALS.search(before + after)
        return _Vote(_OTHER[mark], 1.0, True, True) if groups else _vote_by_shape(digits, mark, of_money=True)
    if _GOES_ON.match(after) or _IN_CODE.search(before) or (after[:1] == "." and _DAY.fullmatch(digits)):
        return None
    if not in_cells and _NUMBERED.fullmatch(digits):
        return None
    vote = _vote_by_shape(digits, mark, of_money=False)
    return vote._replace(weight=vote.weight * _OF_A_MEASURE) if vote and _MEASURED.match(after) else vote


def _vote_by_shape(digits: str, mark: DecimalMark, *, of_money: bool) -> _Vote | None:
    """What a number says by itself. `mark` is the last of its marks."""
    whole, decimals = digits[: digits.rfind(mark)], len(digits) - digits.rfind(mark) - 1
    if _OTHER[mark] in whole:
        return _Vote(mark, _PLAINLY, of_money)
    if mark in whole:
        return _Vote(_OTHER[mark], _PLAINLY, of_money) if decimals == 3 else None  # 1.2.2024 is a date
    if decimals == 3:
        is_plain = whole == "0" or (whole.isdigit() and len(whole) > decimals)  # `0,184`, `1470.000`
        return _Vote(mark, 2.0, of_money) if is_plain else None
    return _Vote(mark, 2.0 if decimals == 2 else 0.5, of_money)


def find_usual_mark(language: str | None, currency: str | None) -> DecimalMark | None:
    """The decimal mark that a language prints, going by the currency where the language is not known; None
    where both are usual."""
    if currency in _BOTH_CURRENCIES or not (language or currency):
        return None
    if not language:
        return "." if currency in _POINT_CURRENCIES else ","
    if language in _POINT_LANGUAGES:
        return None if currency in _COMMA_CURRENCIES else "."
    return None if language == "es" and currency in _POINT_CURRENCIES else ","


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
            if not times and min(one, other) < _SMALL and max(one, other) < _LEAST_OF_GROUPS:
                continue  # days, clauses and percentages add up by chance
            count += len({undecided, also, by_value[result]}) > 1
    return count
