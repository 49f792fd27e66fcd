"""Lines in the sentences of a letter: `we offer 80 Editor licences for USD 41,000 and onboarding for ...`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from app.service.charges.months import list_payments
from app.service.documents.extraction import LineItem
from app.service.documents.layout.rows import Cell
from app.service.documents.layout.sentences import Sentence
from app.service.documents.lexicon.further_languages import (
    CHANGE_FROM,
    CHANGE_TO,
    SURE_CHANGE,
    fold_phrases,
)
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.letters import strip_letter_words
from app.service.documents.lexicon.vocabulary import LIMIT, total_kind
from app.service.documents.tables import certainty
from app.service.documents.tables.line_items import build_amount_alone
from app.service.documents.values.durations import MONTHLY, MONTHS, YEARLY, YEARS
from app.service.documents.values.money import Figure
from app.service.values.folding import fold
from app.service.values.rounding import divide_price, is_product
from app.service.values.units import read_unit

_TIME = WORDS.durations
_PER_UNIT = re.compile(rf"\W*(?:/|{_TIME.per}\b)\s?(?P<unit>[a-z]*)")
_ONCE = re.compile(rf"\b{WORDS.lines.once}")
_FEE = re.compile(WORDS.lines.fee)
_SHORT, _MOST_BEFORE_FEE = 4, 3
"""Letters of an article or a short verb before a fee, and words that tell which fee it is."""
_IN_CASE = re.compile(rf"\b{WORDS.lines.in_case}\b")
_ENDS_PART = re.compile(rf"[,;.()]| {_TIME.and_}(?!\w)")
_RISE = re.compile(WORDS.clauses.rise)
CHANGED_FROM = re.compile(rf"(?<!\w){fold_phrases(CHANGE_FROM)}\W*$")
_CHANGED = re.compile(
    rf"\W*(?:\w{{2,6}}\W+)?(?:(?P<sure>{fold_phrases(SURE_CHANGE)})|{fold_phrases(CHANGE_TO)})\W*"
)
_NEAR = 30
"""Letters behind a fee that say how often it is paid."""
_MONTHS, _SPAN = re.compile(rf"\s*{MONTHS}\b"), re.compile(rf"\s*(?:{MONTHS}|{YEARS})\b")
_LINK_WORDS = r"[^\W\d_A-Z]{1,4}"
"""Short words that link a thing with its price or with the thing before: `for`, `zu je`, `and`."""
_LINKS_BEFORE = re.compile(rf"^\W*(?:{_LINK_WORDS}\s+)*")
_LINKS_BEHIND = re.compile(rf"(?:\s+{_LINK_WORDS})*\W*$")
_NAMED = re.compile(r"[^\W\d_]{3}")
_MOST_LINES = 100


@dataclass(frozen=True)
class _Price:
    """A sum of money in a sentence with what it is said of. `price` is that of a unit where it is stated, and
    `months` what the sum is for; `is_sum` says that the words call it a total."""

    name: str
    quantity: Figure | None
    amount: Figure
    sentence: Sentence
    price: Figure | None = None
    unit: str | None = None
    months: int | None = None
    is_sum: bool = False


def read_sentence_lines(sentences: Sequence[Sentence]) -> list[LineItem]:
    """The things that sentences name with their prices, in the order of the text, where a sum that follows
    proves that these are all; else none, for letters speak of other sums of money too."""
    prices: list[_Price] = []
    for price in (one for sentence in sentences for one in _list_prices(sentence)):
        if prices and price.amount.value == sum(one.amount.value for one in prices):
            return [_build_item(one) for one in prices] if any(one.quantity for one in prices) else []
        if price.is_sum or not price.name or len(prices) == _MOST_LINES:
            return []
        prices.append(price)
    return []


def read_fees(sentences: Sequence[Sentence]) -> list[LineItem]:
    """The fees that a contract states in sentences, each with how often it is paid: `a monthly service fee of
    $3,825`; none that is a limit, or charged only if something happens."""
    listed = [fee for sentence in sentences for fee in _list_fees(sentence)]
    fees = {(fee.provenance["amount"].box, fee.amount): fee for fee in listed}
    return list(fees.values()) if len(fees) <= _MOST_LINES else []


def without_old_prices(text: str, money: Sequence[Figure]) -> list[Figure]:
    """The sums of a text but those that another replaces: `rises from $412 to $430`."""

    def is_old(one: Figure, other: Figure) -> bool:
        link = _CHANGED.fullmatch(fold(text[one.end : other.start]))
        is_change = link is not None and bool(link["sure"] or _RISE.search(fold(text)))
        return is_change and CHANGED_FROM.search(fold(text[: one.start])) is not None

    return [one for one, other in pairwise(money) if not is_old(one, other)] + [*money[-1:]]


def _list_fees(sentence: Sentence) -> list[LineItem]:
    """The fees of a sentence. What one for a unit makes in all is its amount: `148.50 a lift and month, in
    total 594.00 a month`, `3,825 (being 45.00 per user)`."""
    text, name, begin = sentence.text, "", 0
    fees: list[LineItem] = []
    money = [one for one in sentence.figures if one.currency and not one.percent and one.value > 0]
    money = without_old_prices(text, money)
    ends = [*(one.start for one in money), len(text)]
    for figure, end in zip(money, ends[1:], strict=True):
        before, behind = text[begin : figure.start], text[figure.end : end]
        begin, folded = figure.end, fold(before)
        months = _find_fee_period(before, behind)
        if months is None or LIMIT.search(folded) or _IN_CASE.search(folded):
            continue
        named = _find_fee_name(before)
        place = _locate(text[figure.start : figure.end], sentence).locate(certainty.STAND_IN_TEXT)
        fee = replace(build_amount_alone(None, figure.value, place), period_months=months or None)
        is_whole, is_price = total_kind(folded) is not None, "(" in before.rpartition(")")[2]
        if fees and not named and (is_whole or is_price):
            whole, one = (fee, fees[-1]) if is_whole else (fees[-1], fee)
            count = divide_price(whole.amount or figure.value, one.amount or figure.value)
            fees[-1] = replace(
                whole, description=fees[-1].description, quantity=count, unit_price=one.unit_price
            )
        elif named or name:
            name = named or name
            said = "" if named and len(money) == 1 else _ENDS_PART.split(behind)[0]
            fees.append(replace(fee, description=f"{name} {said.strip()}".strip()))
    return fees


def _find_fee_name(before: str) -> str:
    """The word for a fee before its sum, with those that tell which: behind an article or a short verb."""
    words = [word.strip("(,:;") for word in before.split()]
    at = next((at for at in reversed(range(len(words))) if _FEE.fullmatch(fold(words[at]))), None)
    if at is None:
        return ""
    first = next((other for other in reversed(range(at)) if len(words[other]) <= _SHORT), -1)
    return " ".join(words[max(first + 1, at - _MOST_BEFORE_FEE) : at + 1])


def _find_fee_period(before: str, behind: str) -> int | None:
    """For how many months a fee is paid each time, 0 where it is paid once; None where nothing says so."""
    for text in (fold(behind)[:_NEAR], fold(before)):
        for months, pattern in ((1, MONTHLY), (12, YEARLY), (0, _ONCE)):
            if pattern.search(text):
                return months
    return None


def _list_prices(sentence: Sentence) -> Iterator[_Price]:
    text, figures = sentence.text, [one for one in sentence.figures if not one.percent]
    begin, at = 0, 0
    while at < len(figures):
        money = figures[at]
        if money.currency is None:
            at += 1
            continue
        counts = [one for one in figures[:at] if one.start >= begin and one.currency is None]
        count = next((one for one in reversed(counts) if _NAMED.search(text[one.end : money.start])), None)
        words = text[count.end if count else begin : money.start]
        is_sum = total_kind(fold(text[begin : money.start])) is not None
        yielded = _Price(_find_name(words), count, money, sentence)
        per = _PER_UNIT.match(fold(text[money.end :]))
        if count and per:
            yielded = _take_unit(yielded, per["unit"])
            multiplied = _multiply(text, figures[at + 1 :], money, yielded)
            if multiplied is None:
                return  # the price of a unit, and no amount
            yielded, skipped = multiplied
            at += skipped
        yield replace(yielded, is_sum=is_sum)
        begin = figures[at].end
        at += 1


def _multiply(
    text: str, following: Sequence[Figure], unit: Figure, price: _Price
) -> tuple[_Price, int] | None:
    """The amount that follows the price of a unit and is that times the quantity and the periods, with how
    many figures it lies behind; None where none does."""
    quantity = price.quantity.value if price.quantity else Decimal(1)
    is_yearly = MONTHLY.search(fold(text[unit.end :])) is None
    stated = _list_spans(text, following)
    for number, figure in enumerate(following, 1):
        for months in (*stated, None) if figure.currency else ():
            factor = Decimal(1) if months is None else list_payments(months)[is_yearly]
            if is_product(quantity, unit.value, factor, figure.value):
                return replace(price, amount=figure, price=unit, months=months), number
    return None


def _take_unit(price: _Price, unit: str) -> _Price:
    """The price with the unit that it is stated for, where the name ends with it: `Desk Team agents` at a
    price per agent."""
    name, _, last = price.name.rpartition(" ")
    is_unit = len(unit) > 2 and fold(last).startswith(unit) and _NAMED.search(name)
    return replace(price, name=name, unit=last) if is_unit else price


def _list_spans(text: str, figures: Sequence[Figure]) -> list[int]:
    """The spans of time that some of the figures count, in months."""
    tails = [(one.value, fold(text[one.end :])) for one in figures if one.currency is None]
    spans = [value * (1 if _MONTHS.match(tail) else 12) for value, tail in tails if _SPAN.match(tail)]
    return [int(span) for span in spans if span >= 1]


def _find_name(words: str) -> str:
    """What is sold, without the words of the letter around it; empty where nothing is named."""
    name = _LINKS_BEHIND.sub("", _LINKS_BEFORE.sub("", strip_letter_words(words)))
    return name if _NAMED.search(name) and read_unit(name) is None else ""


def _build_item(price: _Price) -> LineItem:
    read = {"quantity": price.quantity, "unit_price": price.price, "amount": price.amount}
    text, sure = price.sentence.text, price.price is not None
    of_one = price.amount if price.quantity is not None and price.quantity.value == 1 else price.price
    likely = certainty.MULTIPLY_AS_WRITTEN_OUT if sure else certainty.ADD_UP_WITHOUT_HEADER
    return LineItem(
        description=price.name,
        quantity=price.quantity.value if price.quantity else None,
        unit=price.unit,
        unit_price=of_one.value if of_one else None,
        amount=price.amount.value,
        period_months=price.months,
        provenance={
            name: _locate(text[figure.start : figure.end], price.sentence).locate(
                likely,
                verified=sure or name == "amount",  # the amounts add up
            )
            for name, figure in read.items()
            if figure is not None
        },
    )


def _locate(printed: str, sentence: Sentence) -> Cell:
    """The words of a figure in the lines of its sentence; its first line where they are not found."""
    digits = max(printed.split(), key=lambda part: sum(map(str.isdigit, part)))
    for line in sentence.lines:
        for word in line.words:
            if digits in word.text:
                return line.with_words((word,))
    return sentence.lines[0]
