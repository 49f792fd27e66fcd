"""For how many units together a price is stated: `Price per 1,000`, `Preis je 100 Stück`, `12.50/M`."""

import re
from decimal import Decimal
from functools import lru_cache

from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import DIFFERENT_TEXTS, either
from app.service.values.folding import fold
from app.service.values.scales import SCALES

_TIME = WORDS.durations
_HUNDRED = either("hundred | hundert | cent(?:aine)? | cien(?:to)? | cento | honderd | cem")
_THOUSAND = either(f"{SCALES[1000]} | mille")
_DOZEN = either("dozen | dutzend | douzaine | docena | dozzina | dozijn | duzia")
_NUMBER = r"(?P<number>\d{1,3}(?:[,. '’]000)+|\d{2,7})(?![\d.,]*\d)"
_NO_UNITS = rf"(?:[- ]?(?:{_TIME.months}|{_TIME.years}|{_TIME.days}|{_TIME.weeks})(?![a-z])| ?%)"
_PER = rf"(?:(?:(?<![a-z]){_TIME.per}|(?<![a-z]){WORDS.columns.price_for})(?![a-z])|/) ?"
_OF_MANY = re.compile(
    rf"{_PER}(?:{_NUMBER}(?!{_NO_UNITS})|(?P<thousand>{_THOUSAND})(?![a-z])|(?P<hundred>{_HUNDRED})(?![a-z])"
    rf"|(?P<dozen>{_DOZEN})(?![a-z]))"
)
_OF_UNITS = re.compile(rf"{_OF_MANY.pattern}(?: [a-z]{{1,12}}\.?)?")
# The Roman numerals, as distributors use them; `m` is a metre or a month.
_ROMAN = re.compile(r"(?:(?<![A-Za-z])(?:[Pp]er|[Jj]e|[Pp]ro)(?![A-Za-z])|/) ?(?P<numeral>[CM])(?![A-Za-z])")
_YEAR = re.compile(r"(?:19|20)\d\d")


@lru_cache(maxsize=DIFFERENT_TEXTS)
def read_price_basis(text: str) -> tuple[Decimal, str] | None:
    """Return for how many units a text says that a price is, and the text without it; None where it says
    none, or one."""
    roman = _ROMAN.search(text)
    if roman is not None:
        rest = f"{text[: roman.start()]} {text[roman.end() :]}"
        return Decimal(1000 if roman["numeral"] == "M" else 100), rest.strip()
    folded = fold(text)
    found = _OF_MANY.search(folded)
    if found is None or _YEAR.fullmatch(found["number"] or ""):
        return None
    count = Decimal(re.sub(r"\D", "", found["number"])) if found["number"] else _count_words(found)
    return None if count <= 1 else (count, f"{folded[: found.start()]} {folded[found.end() :]}".strip())


def without_price_basis(text: str) -> str:
    """The text (folded) without words for how many units of what a price is."""
    return _OF_UNITS.sub(" ", text)


def _count_words(found: re.Match[str]) -> Decimal:
    return Decimal(1000 if found["thousand"] else 100 if found["hundred"] else 12)
