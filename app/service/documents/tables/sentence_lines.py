"""Lines in the sentences of a letter: `we offer 80 Editor licences for USD 41,000 and onboarding for ...`."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

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
from app.service.documents.lexicon.vocabulary import LIMIT, total_kind
from app.service.documents.tables import certainty
from app.service.documents.tables.line_items import build_amount_alone
from app.service.documents.values.durations import MONTHLY, MONTHS, YEARLY, YEARS
from app.service.documents.values.money import Figure
from app.service.values.folding import fold
from app.service.values.rounding import divide_price

_TIME = WORDS.durations
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
_MOST_LINES = 100


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


def _locate(printed: str, sentence: Sentence) -> Cell:
    """The words of a figure in the lines of its sentence; its first line where they are not found."""
    digits = max(printed.split(), key=lambda part: sum(map(str.isdigit, part)))
    for line in sentence.lines:
        for word in line.words:
            if digits in word.text:
                return line.with_words((word,))
    return sentence.lines[0]
